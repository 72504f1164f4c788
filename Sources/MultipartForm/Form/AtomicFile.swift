package import Foundation

/// A new file that appears at its path complete, or not at all.
///
/// It is written beside its path under a random name that begins with `.multipart-form-`, then renamed in one step that
/// overwrites nothing. An unfinished file is removed with its owner; a killed process leaves only the random name.
package final class AtomicFile {
    private let file: OutputFile
    private let path: String

    /// Fails with `EEXIST` if something exists at the path; `create` creates a file exclusively.
    init(creating path: String, by create: (_ path: String) throws(POSIXError) -> OutputFile) throws(POSIXError) {
        try Self.checkVacancy(of: path)
        self.path = path
        file = try create(TemporaryName.path(beside: path))
    }

    /// Creates a file whose mode is narrowed by the process' mask; fails with `EEXIST` if something exists at the path.
    package convenience init(creating path: String, permissions: mode_t) throws(POSIXError) {
        try self.init(creating: path) { path throws(POSIXError) in
            try OutputFile(creating: path, permissions: permissions)
        }
    }

    /// Creates a file at a URL of this machine.
    convenience init(at url: URL, permissions: mode_t) throws(MultipartError) {
        guard url.isLocalFile else { throw MultipartError(.outputStreamURLInvalid, path: url.errorText) }
        do {
            try self.init(creating: url.path, permissions: permissions)
        } catch {
            throw MultipartError(.outputStreamCreationFailed, writing: url, error)
        }
    }

    /// Fails unless a file can be created at the path, as far as can be told without creating it.
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

    func write(_ buffer: UnsafeRawBufferPointer) throws(POSIXError) {
        // SAFETY: the buffer is used only during the call.
        unsafe try file.write(buffer)
    }

    func write(_ bytes: Span<UInt8>, to url: URL) throws(MultipartError) {
        do throws(POSIXError) {
            // SAFETY: the bytes are used only inside the closure.
            try unsafe bytes.withUnsafeBytes { bytes throws(POSIXError) in unsafe try write(bytes) }
        } catch {
            throw MultipartError(.outputStreamWriteFailed, path: url.path, underlying: error)
        }
    }

    /// Closes the file and moves it to its path, with exactly the permissions of `mode`, if any.
    @discardableResult
    func finish(at url: URL, mode: mode_t? = nil) throws(MultipartError) -> FileIdentity {
        do throws(POSIXError) {
            if let mode { try file.setPermissions(mode) }
            return try file.keep { path throws(POSIXError) in try ExclusiveRename.perform(path, self.path) }
        } catch {
            throw MultipartError(.outputStreamWriteFailed, writing: url, error)
        }
    }
}
