import Foundation

/// An open file of the system: a standard stream, a pipe, a device or a file.
struct FileDescriptor: Sendable {
    static let standardInput = FileDescriptor(number: 0, label: "standard input")
    static let standardOutput = FileDescriptor(number: 1, label: "standard output")
    static let standardError = FileDescriptor(number: 2, label: "standard error")

    let number: Int32
    /// What messages call it.
    let label: String

    /// The error of the system call that just failed.
    static var lastError: POSIXError {
        POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }

    /// Puts the null device in place of standard streams that are closed, so that no file gets their numbers and what
    /// is meant for a stream ends up in it. It is opened the wrong way round: using the stream still fails.
    static func openStandardStreams() {
        for number in 0...Int32(2) where fcntl(number, F_GETFD) < 0 {
            // The lowest free number is this one, since those below are open.
            _ = Foundation.open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    /// The path of a file without any links or `..` in it; nil if it leads nowhere.
    static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Opens a path; permissions are those of a file that is created, narrowed by the process' mask.
    static func open(_ path: String, _ flags: Int32, permissions: mode_t = 0) throws(POSIXError) -> FileDescriptor {
        let number = Foundation.open(path, flags | O_CLOEXEC, permissions)
        guard number >= 0 else { throw lastError }
        return FileDescriptor(number: number, label: path)
    }

    /// Closes it. What the system could not write is reported here at the latest.
    func close() throws(POSIXError) {
        guard Foundation.close(number) == 0 || errno == EINTR else { throw Self.lastError }
    }

    /// Opens a path to read from; nil and `-` are standard input.
    ///
    /// - Throws: ``ToolError`` if it is missing, may not be read, or is a directory.
    static func input(_ path: String?) throws -> FileDescriptor {
        let path = path == "-" ? nil : path
        do throws(POSIXError) {
            let input = try path.map { path throws(POSIXError) in try open(path, O_RDONLY) } ?? standardInput
            guard try input.status().st_mode & S_IFMT != S_IFDIR else { throw POSIXError(.EISDIR) }
            return input
        } catch {
            let label = path ?? standardInput.label
            throw ToolError(.noInput, "cannot-open-input", "input cannot be opened", path: label, error)
        }
    }

    /// The bytes from the current offset to the end, if it is a regular file.
    var remainingLength: UInt64? {
        guard let status = try? status(), status.st_mode & S_IFMT == S_IFREG else { return nil }
        return UInt64(max(Int64(status.st_size) - max(Int64(lseek(number, 0, SEEK_CUR)), 0), 0))
    }

    func status() throws(POSIXError) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw Self.lastError }
        return status
    }

    /// Reads some bytes; 0 at the end.
    ///
    /// - Throws: ``ToolError`` if reading fails, or is interrupted because the process is to end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            // SAFETY: the buffer's own bounds are passed on.
            let count = Foundation.read(number, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            if errno == EINTR, Interruption.signal == nil { continue }
            throw ToolError(.inputOutput, "read-failed", "input cannot be read", path: label, Self.lastError)
        }
    }

    /// Writes all bytes of a span.
    ///
    /// - Throws: ``ToolError`` if writing fails, or is interrupted because the process is to end; `EPIPE` if the reader
    ///   of a pipe has gone away.
    func write(_ bytes: Span<UInt8>) throws {
        var rest = bytes
        // Each turn writes at least one byte, was interrupted, or throws.
        while !rest.isEmpty {
            // SAFETY: the span's own bounds are passed on.
            let count = rest.withUnsafeBytes { Foundation.write(number, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.extracting(droppingFirst: count)
            } else if count == 0 || errno != EINTR || Interruption.signal != nil {
                throw errno == EPIPE ? Self.lastError : ToolError.writing(label, Self.lastError)
            }
        }
    }
}
