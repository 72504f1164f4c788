#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A regular file that is open for reading. The deinitializer closes it.
package final class InputFile: Sendable {
    private let descriptor: Int32
    /// The identity that the file had when it was opened.
    package let identity: FileIdentity

    /// Opens a regular file. Throws `EISDIR` for a directory, and `EINVAL` for any other entry that is not a regular
    /// file. Opening a FIFO does not wait for its writer.
    package init(path: String) throws(POSIXError) {
        descriptor = try SystemCalls.openForReading(path)
        do throws(POSIXError) {
            let identity = try SystemCalls.identity(of: descriptor)
            guard identity.kind == .regular else {
                throw POSIXError(identity.kind == .directory ? .isDirectory : .invalid)
            }
            // Sets the identity only after all checks. If an error were thrown after all properties are set, both the
            // deinitializer and `catch` would close the file.
            self.identity = identity
        } catch {
            try? SystemCalls.closeFile(descriptor)
            throw error
        }
    }

    deinit {
        try? SystemCalls.closeFile(descriptor)
    }

    func currentIdentity() throws(POSIXError) -> FileIdentity {
        try SystemCalls.identity(of: descriptor)
    }

    /// Sets the file's mode. The process's umask has no effect.
    func setMode(_ mode: FileMode) throws(POSIXError) {
        try SystemCalls.setMode(descriptor, mode)
    }

    func rights() throws(POSIXError) -> FileRights {
        try SystemCalls.rights(of: descriptor)
    }

    func seek(toOffset offset: UInt64) throws(POSIXError) {
        try SystemCalls.seek(descriptor, toOffset: offset)
    }

    /// Reads some bytes and returns their count; returns 0 at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(POSIXError) -> Int {
        // SAFETY: the caller's buffer is passed on with its bounds.
        unsafe try SystemCalls.readBytes(descriptor, into: buffer)
    }
}
