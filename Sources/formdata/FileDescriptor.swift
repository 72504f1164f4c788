/// An open file of the system: a standard stream, a pipe, a device or a file.
struct FileDescriptor: Sendable {
    static let standardInput = FileDescriptor(number: 0, label: "standard input")
    static let standardOutput = FileDescriptor(number: 1, label: "standard output")
    static let standardError = FileDescriptor(number: 2, label: "standard error")

    let number: Int32
    let label: String

    /// The error of the system call that just failed.
    static var lastError: POSIXError {
        POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }

    /// Opens the null device in place of each closed standard stream, so that no file gets its number and its output.
    /// It is opened the wrong way round: using the stream still fails.
    static func openStandardStreams() {
        for number in 0...Int32(2) where fcntl(number, F_GETFD) < 0 {
            // The lowest free number is this one, since those below are open.
            _ = systemOpen("/dev/null", number == 0 ? O_WRONLY : O_RDONLY, 0)
        }
    }

    /// The path without links or `..`; nil if it leads nowhere, or to a name that is not UTF-8.
    static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(validatingCString: resolved)
    }

    /// Opens a path; a file that is created gets the permissions, narrowed by the process' mask.
    ///
    /// A FIFO waits for its other end. Throws if a signal interrupts it.
    static func open(_ path: String, _ flags: Int32, permissions: mode_t = 0) throws(POSIXError) -> FileDescriptor {
        while true {
            let number = systemOpen(path, flags | O_CLOEXEC, permissions)
            if number >= 0 { return FileDescriptor(number: number, label: path) }
            guard errno == EINTR, Interruption.signal == nil else { throw lastError }
        }
    }

    /// Opens a path to read from; `-` is standard input.
    static func input(_ path: String) throws -> FileDescriptor {
        do throws(POSIXError) {
            let input = path == "-" ? standardInput : try open(path, O_RDONLY)
            guard try input.status().kind != S_IFDIR else { throw POSIXError(.EISDIR) }
            return input
        } catch {
            let label = path == "-" ? standardInput.label : path
            throw ToolError(.noInput, "cannot-open-input", "input cannot be opened", path: label, error)
        }
    }

    /// Closes it. What the system could not write is reported here at the latest.
    func close() throws(POSIXError) {
        guard systemClose(number) == 0 || errno == EINTR else { throw Self.lastError }
    }

    func status() throws(POSIXError) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw Self.lastError }
        return status
    }

    /// The bytes from the current offset to the end, if it is a regular file.
    var remainingLength: UInt64? {
        guard let status = try? status(), status.kind == S_IFREG else { return nil }
        return UInt64(max(Int64(status.st_size) - max(Int64(lseek(number, 0, SEEK_CUR)), 0), 0))
    }

    /// Reads some bytes; 0 at the end. Throws if a signal interrupts it.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        do throws(POSIXError) {
            return try readBytes(into: buffer)
        } catch {
            throw ToolError(.inputOutput, "read-failed", "input cannot be read", path: label, error)
        }
    }

    /// As ``read(into:)``, with the system's error.
    func readBytes(into buffer: UnsafeMutableRawBufferPointer) throws(POSIXError) -> Int {
        while true {
            // SAFETY: the buffer's own bounds are passed on.
            let count = systemRead(number, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR, Interruption.signal == nil else { throw Self.lastError }
        }
    }

    /// Writes all bytes. Throws if a signal interrupts it, and `EPIPE` if the reader of a pipe has gone away.
    func write(_ bytes: Span<UInt8>) throws {
        var rest = bytes
        // Each pass writes at least one byte, was interrupted, or throws.
        while !rest.isEmpty {
            // SAFETY: the span's own bounds are passed on.
            let count = rest.withUnsafeBytes { systemWrite(number, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.extracting(droppingFirst: count)
            } else if count == 0 || errno != EINTR || Interruption.signal != nil {
                throw errno == EPIPE ? Self.lastError : ToolError.writing(label, Self.lastError)
            }
        }
    }

    func write(_ text: String) throws {
        try write(ContiguousArray(text.utf8).span)
    }
}

extension stat {
    /// The file type bits of the mode, whose width is not that of `mode_t` everywhere.
    var kind: mode_t { mode_t(st_mode) & S_IFMT }
}
