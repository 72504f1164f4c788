import Foundation

/// An open file of the system: a standard stream, a pipe, a device or a file.
struct FileDescriptor: Sendable {
    /// Standard input.
    static let standardInput = FileDescriptor(number: 0)
    /// Standard output.
    static let standardOutput = FileDescriptor(number: 1)
    /// Standard error.
    static let standardError = FileDescriptor(number: 2)

    /// Puts the null device in place of standard streams that are closed, so that no file gets their numbers and what
    /// is meant for a stream ends up in it. It is opened the wrong way round: using the stream still fails.
    static func openStandardStreams() {
        for number in 0...Int32(2) where fcntl(number, F_GETFD) < 0 {
            // The lowest free number is this one, since those below are open.
            _ = Foundation.open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    /// The number the system knows it by.
    let number: Int32

    /// What stands behind it, and how many bytes are left to read.
    struct Status {
        /// Whether it is a directory.
        let isDirectory: Bool
        /// The bytes from the current offset to the end of a regular file; nil for anything else.
        let remainingLength: UInt64?
    }

    /// Opens a path.
    static func open(_ path: String, _ flags: Int32) throws(POSIXError) -> FileDescriptor {
        let number = Foundation.open(path, flags | O_CLOEXEC)
        guard number >= 0 else { throw lastError }
        return FileDescriptor(number: number)
    }

    /// Closes it; nothing can be done about a failure after reading.
    func close() {
        _ = Foundation.close(number)
    }

    /// Closes it after writing.
    func closeWritten() throws(POSIXError) {
        guard Foundation.close(number) == 0 || errno == EINTR else { throw Self.lastError }
    }

    /// Asks what stands behind it.
    func status() throws(POSIXError) -> Status {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw Self.lastError }
        let kind = status.st_mode & S_IFMT
        var remaining: UInt64?
        if kind == S_IFREG {
            let offset = max(lseek(number, 0, SEEK_CUR), 0)
            remaining = UInt64(max(Int64(status.st_size) - Int64(offset), 0))
        }
        return Status(isDirectory: kind == S_IFDIR, remainingLength: remaining)
    }

    /// Reads some bytes; 0 at the end.
    ///
    /// - Throws: `POSIXError`, with `EINTR` only if the process is to end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(POSIXError) -> Int {
        while true {
            // SAFETY: the buffer's own bounds are passed on.
            let count = Foundation.read(number, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR, !Interruption.isRequested else { throw Self.lastError }
        }
    }

    /// Writes all bytes of a buffer.
    ///
    /// - Throws: `POSIXError`, with `EINTR` only if the process is to end.
    func write(_ buffer: UnsafeRawBufferPointer) throws(POSIXError) {
        var written = 0
        // Each turn writes at least one byte, was interrupted, or throws.
        while written < buffer.count {
            // SAFETY: the rest of the buffer, within its bounds.
            let rest = UnsafeRawBufferPointer(rebasing: buffer[written...])
            let count = Foundation.write(number, rest.baseAddress, rest.count)
            if count > 0 {
                written += count
            } else if count == 0 {
                throw POSIXError(.EIO)
            } else if errno != EINTR || Interruption.isRequested {
                throw Self.lastError
            }
        }
    }

    /// The error of the system call that just failed.
    static var lastError: POSIXError {
        POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
}
