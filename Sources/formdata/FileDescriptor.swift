import MultipartFormCodec

/// The descriptor of a standard stream, a pipe, a device or a file, with a label for error messages.
struct FileDescriptor: Sendable {
    static let standardInput = FileDescriptor(number: 0, label: "standard input")
    static let standardOutput = FileDescriptor(number: 1, label: "standard output")
    static let standardError = FileDescriptor(number: 2, label: "standard error")

    let number: Int32
    let label: String

    /// Opens the null device in place of each closed standard stream.
    ///
    /// If standard output stayed closed, the next file to be opened would get its number, and all printed text would go
    /// into that file. Standard input is opened for writing, and the other streams for reading, so that using them
    /// still fails.
    static func openStandardStreams() {
        for number in 0...Int32(2) where fcntl(number, F_GETFD) < 0 {
            // The system assigns the lowest free number, which is `number`: all lower numbers are in use.
            _ = systemOpen("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    /// Returns a path with all links and `..` resolved; nil if the path cannot be resolved, or if the result is not
    /// UTF-8.
    static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(validatingCString: resolved)
    }

    /// Opens an existing file, FIFO or device. Opening a FIFO waits until its other end is open, or throws `EINTR` when
    /// a signal asks the process to end.
    static func open(_ path: String, _ flags: Int32) throws(POSIXError) -> FileDescriptor {
        let number = try SystemCalls.retryingOnEINTR(unless: Interruption.isPending) {
            systemOpen(path, flags | O_CLOEXEC)
        }
        return FileDescriptor(number: number, label: path)
    }

    /// Opens a path for reading; `-` is standard input. Throws a ``ToolError`` that names the path.
    static func input(_ path: String) throws -> FileDescriptor {
        do throws(POSIXError) {
            return try openInput(path)
        } catch {
            throw ToolError.opening(path == "-" ? standardInput.label : path, error)
        }
    }

    /// Opens a path like ``input(_:)``, but throws the system's error.
    static func openInput(_ path: String) throws(POSIXError) -> FileDescriptor {
        let input = path == "-" ? standardInput : try open(path, O_RDONLY)
        guard try input.status().kind != S_IFDIR else { throw POSIXError(.EISDIR) }
        return input
    }

    func status() throws(POSIXError) -> stat {
        var status = stat()
        _ = try SystemCalls.retryingOnEINTR { fstat(number, &status) }
        return status
    }

    /// Returns the status of the file at a path. Follows symbolic links.
    static func status(of path: String) throws(POSIXError) -> stat {
        var status = stat()
        _ = try SystemCalls.retryingOnEINTR { stat(path, &status) }
        return status
    }

    /// The number of bytes from the current offset to the end of a regular file; nil for anything else.
    var remainingLength: UInt64? {
        guard let status = try? status(), status.kind == S_IFREG else { return nil }
        return UInt64(max(Int64(status.st_size) - max(Int64(lseek(number, 0, SEEK_CUR)), 0), 0))
    }

    /// Reads some bytes and returns their number, which is 0 at the end. Throws `EINTR` if a signal asks the process to
    /// end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        do throws(POSIXError) {
            return try readBytes(into: buffer)
        } catch {
            // If a signal has interrupted the read, the error must not say that the input cannot be read.
            guard !Interruption.isPending() else { throw error }
            throw ToolError(.inputOutput, "read-failed", "input cannot be read", path: label, error)
        }
    }

    /// Reads like ``read(into:)``, but throws the system's error.
    func readBytes(into buffer: UnsafeMutableRawBufferPointer) throws(POSIXError) -> Int {
        try SystemCalls.readBytes(number, into: buffer, unless: Interruption.isPending)
    }

    /// Writes all bytes. Throws `EINTR` if a signal asks the process to end, and `EPIPE` if the output is a pipe that
    /// nobody reads.
    func write(_ bytes: Span<UInt8>) throws {
        do throws(POSIXError) {
            try SystemCalls.writeBytes(number, bytes, unless: Interruption.isPending)
        } catch {
            guard error.code != .EPIPE, !Interruption.isPending() else { throw error }
            throw ToolError.writing(label, error)
        }
    }

    func write(_ text: String) throws {
        try write(ContiguousArray(text.utf8).span)
    }
}

extension stat {
    /// The bits of `st_mode` that tell a file from a directory, a FIFO or a device. `st_mode` is converted, because it
    /// is not a `mode_t` on some systems.
    var kind: mode_t { mode_t(st_mode) & S_IFMT }
}
