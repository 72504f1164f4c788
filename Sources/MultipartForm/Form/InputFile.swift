package import Foundation

/// A regular file open for reading; closed with its last owner.
package final class InputFile: Sendable {
    private let descriptor: Int32
    /// What the file was when it was opened.
    package let identity: FileIdentity

    /// Opens a file.
    ///
    /// Never waits for a FIFO's writer: what is not a regular file is refused with `EINVAL`, a directory with `EISDIR`.
    package init(path: String) throws(POSIXError) {
        // SAFETY: the path is passed as a C string that lives as long as the call.
        descriptor = try uninterrupted { unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
        do throws(POSIXError) {
            let status = try Self.status(of: descriptor)
            switch FileSystem.Kind(mode: status.st_mode) {
            case .regular: break
            case .directory: throw POSIXError(.EISDIR)
            case .special: throw POSIXError(.EINVAL)
            }
            identity = FileIdentity(status)
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit {
        close(descriptor)
    }

    /// What the file is now.
    package func currentIdentity() throws(POSIXError) -> FileIdentity {
        FileIdentity(try Self.status(of: descriptor))
    }

    private static func status(of descriptor: Int32) throws(POSIXError) -> stat {
        var status = stat()
        // SAFETY: the pointer to the status lives as long as the call.
        guard unsafe fstat(descriptor, &status) == 0 else { throw .current }
        return status
    }

    /// Gives the file other permissions, whatever the process' mask.
    func setPermissions(_ permissions: mode_t) throws(POSIXError) {
        _ = try uninterrupted { fchmod(descriptor, permissions) }
    }

    /// Moves to an offset from the file's start, in bytes.
    package func seek(toOffset offset: UInt64) throws(POSIXError) {
        guard let offset = off_t(exactly: offset) else { throw POSIXError(.EOVERFLOW) }
        guard lseek(descriptor, offset, SEEK_SET) >= 0 else { throw .current }
    }

    /// Reads some bytes; 0 at the end of the file.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(POSIXError) -> Int {
        // SAFETY: the buffer's own bounds are passed on.
        try uninterrupted { unsafe Foundation.read(descriptor, buffer.baseAddress, buffer.count) }
    }
}
