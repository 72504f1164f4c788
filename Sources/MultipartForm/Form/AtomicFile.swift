package import Foundation

/// A new file that appears at its path complete, or not at all.
///
/// It is written under a random name beside its place, which begins with `.multipart-form-`, and gets its own name in one
/// step that overwrites nothing. A process that is killed leaves nothing but the random name. Otherwise a file that is
/// not finished is removed with its owner.
package final class AtomicFile {
    private let file: OutputFile
    private let path: String

    /// Creates a file beside its place, at which nothing may stand.
    ///
    /// - Parameters:
    ///   - path: The place.
    ///   - create: Creates a file exclusively at the path it is given.
    /// - Throws: `POSIXError`, with `EEXIST` if something stands at the place.
    package init(
        creating path: String,
        by create: (_ path: String) throws(POSIXError) -> OutputFile
    ) throws(POSIXError) {
        try Self.checkVacancy(of: path)
        self.path = path
        file = try create(TemporaryName.path(beside: path))
    }

    /// Creates a file beside its place, at which nothing may stand.
    ///
    /// - Parameters:
    ///   - path: The place.
    ///   - permissions: The file's mode, which the process' mask narrows.
    /// - Throws: `POSIXError`, with `EEXIST` if something stands at the place.
    package convenience init(creating path: String, permissions: mode_t) throws(POSIXError) {
        try self.init(creating: path) { path throws(POSIXError) in
            try OutputFile(creating: path, permissions: permissions)
        }
    }

    /// Fails unless the path can be that of a new file, as far as can be told without creating it.
    private static func checkVacancy(of path: String) throws(POSIXError) {
        guard !path.isEmpty else { throw POSIXError(.ENOENT) }
        guard path.utf8.last != UInt8(ascii: "/") else { throw POSIXError(.EISDIR) }
        do throws(POSIXError) {
            _ = try FileIdentity(at: path)
        } catch {
            guard error.code == .ENOENT else { throw error }
            return
        }
        throw POSIXError(.EEXIST)
    }

    /// Writes all bytes of a buffer.
    package func write(_ buffer: UnsafeRawBufferPointer) throws(POSIXError) {
        // SAFETY: the buffer is used inside the call only.
        unsafe try file.write(buffer)
    }

    /// Gives the file other permissions, whatever the process' mask.
    package func setPermissions(_ permissions: mode_t) throws(POSIXError) {
        try file.setPermissions(permissions)
    }

    /// Closes the file and puts it in its place.
    ///
    /// - Returns: What the file is.
    /// - Throws: `POSIXError`, with `EEXIST` if something stands there by now, and with `ENOENT` if the file, or its
    ///   directory, has been removed.
    @discardableResult
    package func finish() throws(POSIXError) -> FileIdentity {
        try file.keep { path throws(POSIXError) in try ExclusiveRename.perform(path, self.path) }
    }
}
