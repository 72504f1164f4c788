import MultipartFormCodec

/// Reads the bytes of an input, optionally with each line break replaced by CR LF. The deinitializer closes the input
/// unless the input is a standard stream.
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

    /// Reads the next bytes; returns nil at the end of the input.
    func read() throws -> Data? {
        var block = ContiguousArray<UInt8>(repeating: 0, count: 1 << 16)
        // SAFETY: the buffer covers exactly `block`, and is used only inside the closure.
        let count = try block.withUnsafeMutableBytes { try source.readBytes(into: $0) }
        guard count > 0 else { return nil }
        guard normalizesNewlines else { return Data(block[..<count]) }
        // A CR LF may be split between two blocks. The CR at the end of the first block then gives CR LF, and the LF at
        // the start of the next block gives nothing. So a block that is only this LF gives empty data. Empty data does
        // not mean the end of the input; only nil does.
        return Data(ASCII.normalizingLineBreaks(block[..<count], after: &lastByte))
    }
}

/// An input whose bytes can be read only once, such as a pipe. Two values are equal if they name the same input, even
/// by different paths.
struct SharedInput: Hashable {
    private let device: dev_t
    private let file: ino_t

    /// Identifies the input at a path. Returns nil if each reader of the path gets all bytes, as with a file, or if
    /// nothing exists at the path.
    ///
    /// The path `-` gives a value even if standard input is a file, because all readers of standard input share one
    /// offset. Links are followed: if standard input is a pipe, `/dev/fd/0` and `-` are equal.
    init?(_ path: String) {
        guard let standardInput = try? FileDescriptor.standardInput.status() else { return nil }
        var status = standardInput
        if path != "-" {
            guard let found = try? FileDescriptor.status(of: path) else { return nil }
            status = found
            let isStandardInput = status.st_dev == standardInput.st_dev && status.st_ino == standardInput.st_ino
            switch status.kind {
            case S_IFIFO, S_IFSOCK: break
            // Readers of most character devices, such as /dev/null, do not take bytes from each other. So such a device
            // is a shared input only if it is the terminal at standard input.
            case S_IFCHR: if !isStandardInput || isatty(FileDescriptor.standardInput.number) == 0 { return nil }
            default: return nil
            }
        }
        (device, file) = (status.st_dev, status.st_ino)
    }
}
