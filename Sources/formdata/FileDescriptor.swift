import MultipartForm

/// An open file of the system: a standard stream, a pipe, a device or a file.
struct FileDescriptor: Sendable {
    static let standardInput = FileDescriptor(number: 0, label: "standard input")
    static let standardOutput = FileDescriptor(number: 1, label: "standard output")
    static let standardError = FileDescriptor(number: 2, label: "standard error")

    let number: Int32
    let label: String

    /// Opens the null device in place of each closed standard stream. Otherwise a file that is opened later would get
    /// the stream's number, and its output. The device is opened for the wrong direction, so that using the stream
    /// still fails.
    static func openStandardStreams() {
        for number in 0...Int32(2) where fcntl(number, F_GETFD) < 0 {
            // The device gets this number, because it is the lowest free one: all numbers below are open.
            _ = systemOpen("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    /// The path with links and `..` resolved; nil if nothing exists there, or if the result is not UTF-8.
    static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(validatingCString: resolved)
    }

    /// Opens what exists at a path. Opening a FIFO waits until its other end is open. Throws if a signal interrupts
    /// this.
    static func open(_ path: String, _ flags: Int32) throws(POSIXError) -> FileDescriptor {
        let number = try SystemCalls.retryingOnEINTR(unless: Interruption.isPending) {
            systemOpen(path, flags | O_CLOEXEC)
        }
        return FileDescriptor(number: number, label: path)
    }

    /// Opens a path to read from; `-` is standard input.
    static func input(_ path: String) throws -> FileDescriptor {
        do throws(POSIXError) {
            return try openInput(path)
        } catch {
            let label = path == "-" ? standardInput.label : path
            throw ToolError(.noInput, "cannot-open-input", "input cannot be opened", path: label, error)
        }
    }

    /// Does what ``input(_:)`` does, but throws the system's error.
    static func openInput(_ path: String) throws(POSIXError) -> FileDescriptor {
        let input = path == "-" ? standardInput : try open(path, O_RDONLY)
        guard try input.status().kind != S_IFDIR else { throw POSIXError(.EISDIR) }
        return input
    }

    func status() throws(POSIXError) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .current }
        return status
    }

    /// The number of bytes from the current offset to the end; nil if this is not a regular file.
    var remainingLength: UInt64? {
        guard let status = try? status(), status.kind == S_IFREG else { return nil }
        return UInt64(max(Int64(status.st_size) - max(Int64(lseek(number, 0, SEEK_CUR)), 0), 0))
    }

    /// Reads some bytes; 0 at the end. Throws `EINTR` if a signal ends the process.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        do throws(POSIXError) {
            return try readBytes(into: buffer)
        } catch {
            // If a signal ends the process, this is not an error of the input.
            guard !Interruption.isPending() else { throw error }
            throw ToolError(.inputOutput, "read-failed", "input cannot be read", path: label, error)
        }
    }

    /// Does what ``read(into:)`` does, but throws the system's error.
    func readBytes(into buffer: UnsafeMutableRawBufferPointer) throws(POSIXError) -> Int {
        try SystemCalls.readBytes(number, into: buffer, unless: Interruption.isPending)
    }

    /// Writes all bytes. Throws `EINTR` if a signal ends the process, and `EPIPE` if a pipe's reader has gone away.
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
    /// The file type bits of the mode. The mode is converted, because it is not a `mode_t` on every system.
    var kind: mode_t { mode_t(st_mode) & S_IFMT }
}
