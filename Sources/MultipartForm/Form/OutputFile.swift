package import Foundation

/// A file being written that is removed again unless it is kept. Another file at its path is never removed.
package final class OutputFile {
    /// Where the file is.
    package let path: String
    private let descriptor: Int32
    /// The file as it was last seen through the descriptor: on FAT its number changes with its first byte.
    private var known: FileIdentity
    private var isOpen = true
    private var isKept = false

    /// Creates a file exclusively: nothing may stand at its path.
    ///
    /// - Parameters:
    ///   - path: Where to create it.
    ///   - permissions: The file's mode, which the process' mask narrows.
    /// - Throws: `POSIXError`, with `EEXIST` if something stands there.
    package init(creating path: String, permissions: mode_t) throws(POSIXError) {
        // SAFETY: the path is passed as a C string that lives as long as the call.
        descriptor = try uninterrupted {
            unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, permissions)
        }
        self.path = path
        var status = stat()
        // SAFETY: the path is passed as a C string, and the status as a pointer, that live as long as the calls.
        guard unsafe fstat(descriptor, &status) == 0 else {
            let error = POSIXError.current
            unsafe unlink(path)
            close(descriptor)
            throw error
        }
        known = FileIdentity(status)
    }

    deinit {
        // While the file is open no other one gets its inode.
        if isOpen { look() }
        if !isKept { known.remove(at: path) }
        if isOpen { close(descriptor) }
    }

    /// Leaves alone what stands at the path from now on.
    func disown() {
        isKept = true
    }

    /// Looks at the file through its descriptor.
    private func look() {
        var status = stat()
        // SAFETY: the pointer to the status lives as long as the call.
        if unsafe fstat(descriptor, &status) == 0 { known = FileIdentity(status) }
    }

    /// Writes all bytes of a buffer.
    package func write(_ buffer: UnsafeRawBufferPointer) throws(POSIXError) {
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

    /// Gives the file other permissions, whatever the process' mask.
    package func setPermissions(_ permissions: mode_t) throws(POSIXError) {
        _ = try uninterrupted { fchmod(descriptor, permissions) }
    }

    /// Closes the file and keeps it. What the system could not write is reported here at the latest.
    ///
    /// - Returns: What the file is.
    /// - Throws: `POSIXError`, with `ENOENT` if the file, or its directory, has been removed since.
    @discardableResult
    package func keep() throws(POSIXError) -> FileIdentity {
        let identity = try finish()
        isKept = true
        return identity
    }

    /// Closes the file and puts it elsewhere.
    ///
    /// - Parameter rename: Gives the file its new path.
    /// - Returns: What the file is.
    /// - Throws: `POSIXError`, as ``keep()`` and `rename` do; the file is then removed with its owner.
    @discardableResult
    package func keep(renamedBy rename: (_ path: String) throws(POSIXError) -> Void) throws(POSIXError) -> FileIdentity
    {
        let identity = try finish()
        try rename(path)
        isKept = true
        return identity
    }

    /// Closes the file; its path must still be its own.
    private func finish() throws(POSIXError) -> FileIdentity {
        look()
        isOpen = false
        guard close(descriptor) == 0 || errno == EINTR else { throw .current }
        return try checkPlace()
    }

    /// What the file is now; fails if another one stands at its path.
    ///
    /// - Throws: `POSIXError`, with `ENOENT` if the file, or its directory, has been removed.
    @discardableResult
    func checkPlace() throws(POSIXError) -> FileIdentity {
        let found = try FileIdentity(at: path)
        guard found.isSameFile(as: known) else { throw POSIXError(.ENOENT) }
        return found
    }
}

extension MultipartError {
    /// The error of an output file that cannot be created.
    package init(creating url: URL, failedBy error: POSIXError) {
        let code: Code = error.code == .EEXIST ? .outputStreamFileAlreadyExists : .outputStreamCreationFailed
        self.init(code, path: url.path, underlying: error)
    }

    /// The error of an output file that is written and cannot be completed.
    package init(completing url: URL, failedBy error: POSIXError) {
        let code: Code = error.code == .EEXIST ? .outputStreamFileAlreadyExists : .outputStreamWriteFailed
        self.init(code, path: url.path, underlying: error)
    }
}
