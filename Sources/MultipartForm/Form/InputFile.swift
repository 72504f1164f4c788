package import Foundation

/// A regular file open for reading; closed with its last owner.
package final class InputFile: Sendable {
    private let descriptor: Int32
    /// The file's identity when it was opened.
    package let identity: FileIdentity

    /// Opens a regular file; fails with `EISDIR` for a directory, else `EINVAL`. Never waits for the writer of a FIFO.
    package init(path: String) throws(POSIXError) {
        // SAFETY: the path is passed as a C string that lives as long as the call.
        descriptor = try retryingOnEINTR { unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
        do throws(POSIXError) {
            let identity = try FileIdentity(of: descriptor)
            guard identity.kind == S_IFREG else { throw POSIXError(identity.kind == S_IFDIR ? .EISDIR : .EINVAL) }
            // Last: once all properties are set, the deinitializer closes the file.
            self.identity = identity
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit {
        close(descriptor)
    }

    func currentIdentity() throws(POSIXError) -> FileIdentity {
        try FileIdentity(of: descriptor)
    }

    /// Sets the file's permissions, regardless of the process' mask.
    func setPermissions(_ permissions: mode_t) throws(POSIXError) {
        _ = try retryingOnEINTR { fchmod(descriptor, permissions) }
    }

    func seek(toOffset offset: UInt64) throws(POSIXError) {
        guard let offset = off_t(exactly: offset) else { throw POSIXError(.EOVERFLOW) }
        guard lseek(descriptor, offset, SEEK_SET) >= 0 else { throw .current }
    }

    /// Reads some bytes; 0 at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(POSIXError) -> Int {
        // SAFETY: the buffer's own bounds are passed on.
        try retryingOnEINTR { unsafe Foundation.read(descriptor, buffer.baseAddress, buffer.count) }
    }
}
