#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A regular file open for reading; closed with its last owner.
package final class InputFile: Sendable {
    private let descriptor: Int32
    /// The file's identity when it was opened.
    package let identity: FileIdentity

    /// Opens a regular file; fails with `EISDIR` for a directory, else `EINVAL`. Never waits for the writer of a FIFO.
    package init(path: String) throws(POSIXError) {
        descriptor = try SystemCalls.openForReading(path)
        do throws(POSIXError) {
            let identity = try SystemCalls.identity(of: descriptor)
            guard identity.kind == .regular else {
                throw POSIXError(identity.kind == .directory ? .isDirectory : .invalid)
            }
            // Last: once all properties are set, the deinitializer closes the file.
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

    /// Sets the file's permissions, regardless of the process' mask.
    func setPermissions(_ permissions: FileMode) throws(POSIXError) {
        try SystemCalls.setMode(descriptor, permissions)
    }

    func seek(toOffset offset: UInt64) throws(POSIXError) {
        try SystemCalls.seek(descriptor, toOffset: offset)
    }

    /// Reads some bytes; 0 at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(POSIXError) -> Int {
        // SAFETY: the whole buffer is passed on.
        unsafe try SystemCalls.readBytes(descriptor, into: buffer)
    }
}
