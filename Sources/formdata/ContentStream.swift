import MultipartForm

/// Reads an input's bytes, as they are or with CR LF for each line break; when it is freed, it closes the input if that
/// is not a standard stream.
final class ContentStream {
    private let source: FileDescriptor
    private let normalizesNewlines: Bool
    private var lastByte: UInt8 = 0

    init(_ source: FileDescriptor, normalizesNewlines: Bool) {
        self.source = source
        self.normalizesNewlines = normalizesNewlines
    }

    deinit {
        if source.number > FileDescriptor.standardError.number { try? SystemCalls.closeFile(source.number) }
    }

    /// Reads some bytes; nil at the end.
    func read() throws -> Data? {
        var block = ContiguousArray<UInt8>(repeating: 0, count: 1 << 16)
        // SAFETY: the block's own bounds, inside the closure only.
        let count = try block.withUnsafeMutableBytes { try source.readBytes(into: $0) }
        guard count > 0 else { return nil }
        guard normalizesNewlines else { return Data(block[..<count]) }
        // The result is empty if the block is only the LF of a CR LF; unlike nil, this is not the end.
        return Data(ASCII.normalizingLineBreaks(block[..<count], after: &lastByte))
    }
}

/// An input whose bytes can be read once, such as a pipe. Two are equal if reading one takes the other's bytes,
/// whatever their paths.
struct SharedInput: Hashable {
    private let device: dev_t
    private let file: ino_t

    /// Creates the input at a path; nil if nothing exists there, or if each reader starts from the beginning, as in a
    /// file.
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
            // Other devices, such as /dev/null, give each reader the same.
            case S_IFCHR: if !isStandardInput || isatty(FileDescriptor.standardInput.number) == 0 { return nil }
            default: return nil
            }
        }
        (device, file) = (status.st_dev, status.st_ino)
    }
}
