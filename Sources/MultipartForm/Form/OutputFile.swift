internal import Foundation

/// A file being written that is removed again unless it is kept. Another file at its path is never removed.
package final class OutputFile {
    private let path: String
    private let descriptor: Int32
    /// The identity last read from the descriptor: on FAT the inode changes with the first byte.
    private var known: FileIdentity
    private var isOpen = true
    private var isKept = false

    /// Creates a file whose mode is narrowed by the process' mask; fails with `EEXIST` if something exists at the path.
    init(creating path: String, permissions: mode_t) throws(POSIXError) {
        // SAFETY: the path is passed as a C string that lives as long as the call.
        descriptor = try uninterrupted {
            unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, permissions)
        }
        self.path = path
        do throws(POSIXError) {
            known = try FileIdentity(of: descriptor)
        } catch {
            // SAFETY: the path is passed as a C string that lives as long as the call.
            unsafe unlink(path)
            close(descriptor)
            throw error
        }
    }

    deinit {
        // While the file is open, no other file gets its inode.
        if isOpen { updateIdentity() }
        if !isKept { known.remove(at: path) }
        if isOpen { close(descriptor) }
    }

    /// From now on, leaves whatever is at the path.
    func disown() {
        isKept = true
    }

    private func updateIdentity() {
        if let identity = try? FileIdentity(of: descriptor) { known = identity }
    }

    func write(_ buffer: UnsafeRawBufferPointer) throws(POSIXError) {
        var written = 0
        // Each turn writes at least one byte or throws.
        while written < buffer.count {
            // SAFETY: the rest of the buffer, within its bounds.
            let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
            let count = try uninterrupted { unsafe Foundation.write(descriptor, rest.baseAddress, rest.count) }
            guard count > 0 else { throw POSIXError(.EIO) }
            written += count
        }
    }

    /// Sets the file's permissions, regardless of the process' mask.
    func setPermissions(_ permissions: mode_t) throws(POSIXError) {
        _ = try uninterrupted { fchmod(descriptor, permissions) }
    }

    /// Closes the file, moves it by `rename`, if given, and keeps it.
    ///
    /// - Parameter rename: Gives the file its new path.
    /// - Returns: The file's identity.
    /// - Throws: `POSIXError`: what `rename` throws, a write that the system could not complete, or `ENOENT` if the
    ///   file or its directory has been removed. The file is then removed with its owner.
    @discardableResult
    func keep(
        renamedBy rename: (_ path: String) throws(POSIXError) -> Void = { _ in }
    ) throws(POSIXError) -> FileIdentity {
        updateIdentity()
        isOpen = false
        guard close(descriptor) == 0 || errno == EINTR else { throw .current }
        let identity = try checkPlace()
        try rename(path)
        isKept = true
        return identity
    }

    /// Returns the file's current identity; fails with `ENOENT` if it is no longer at its path.
    @discardableResult
    func checkPlace() throws(POSIXError) -> FileIdentity {
        let found = try FileIdentity(at: path)
        guard found.isSameFile(as: known) else { throw POSIXError(.ENOENT) }
        return found
    }
}

extension MultipartError {
    /// The error of an output file: a code, unless something exists at its URL.
    init(_ code: Code, writing url: URL, _ error: POSIXError) {
        let code = error.code == .EEXIST ? .outputStreamFileAlreadyExists : code
        self.init(code, path: url.path, underlying: error)
    }

    /// Evaluates `call`, whose error becomes the underlying error of one with a code and a path.
    static func wrap<Result>(
        _ code: Code,
        path: String? = nil,
        _ call: @autoclosure () throws -> Result
    ) throws(MultipartError) -> Result {
        do {
            return try call()
        } catch {
            throw MultipartError(code, path: path, underlying: error)
        }
    }
}
