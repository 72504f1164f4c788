/// An input whose bytes can be read once, by whatever path: two of them are equal if they take each other's bytes.
struct SharedInput: Hashable {
    private let device: dev_t
    private let file: ino_t

    /// What a path leads to; nil if each reader of it starts from the beginning, as in a file, or if it leads nowhere.
    ///
    /// The path `-` is the descriptor of standard input, which has one offset even in a file. Links are followed, so
    /// `/dev/fd/0` is what standard input is.
    init?(_ path: String) {
        guard let standardInput = try? FileDescriptor.standardInput.status() else { return nil }
        var status = stat()
        if path == "-" {
            status = standardInput
        } else {
            guard stat(path, &status) == 0 else { return nil }
            let isStandardInput = status.st_dev == standardInput.st_dev && status.st_ino == standardInput.st_ino
            switch status.kind {
            case S_IFIFO, S_IFSOCK: break
            // Other devices, such as /dev/null, have no bytes to take.
            case S_IFCHR: if !isStandardInput || isatty(FileDescriptor.standardInput.number) == 0 { return nil }
            default: return nil
            }
        }
        (device, file) = (status.st_dev, status.st_ino)
    }
}
