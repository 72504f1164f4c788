package import Foundation

/// A file being written that is removed again unless it is kept.
package final class OutputFile {
    private let descriptor: Int32
    private let path: String
    private var isOpen = true
    private var isKept = false

    /// Creates a file exclusively: nothing may stand at its path.
    ///
    /// - Parameters:
    ///   - path: Where to create it.
    ///   - permissions: The file's mode, which the process' mask narrows.
    /// - Throws: `POSIXError`, with `EEXIST` if something stands there.
    package init(creating path: String, permissions: mode_t = 0o666) throws(POSIXError) {
        // SAFETY: the path is passed as a C string that lives as long as the call.
        descriptor = try uninterrupted {
            unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, permissions)
        }
        self.path = path
    }

    deinit {
        if isOpen { close(descriptor) }
        // SAFETY: the path is passed as a C string that lives as long as the call.
        if !isKept { unsafe unlink(path) }
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

    /// Closes the file and keeps it. What the system could not write is reported here at the latest.
    ///
    /// - Throws: `POSIXError`, with `ENOENT` if the file, or its directory, has been removed since.
    package func keep() throws(POSIXError) {
        isOpen = false
        guard close(descriptor) == 0 || errno == EINTR else { throw .current }
        var status = stat()
        // SAFETY: the path is passed as a C string that lives as long as the call.
        guard unsafe lstat(path, &status) == 0 else { throw .current }
        isKept = true
    }
}

extension MultipartEncodingError {
    /// The error of an output file that cannot be created.
    package init(creating url: URL, failedBy error: POSIXError) {
        let exists = error.code == .EEXIST
        self.init(
            exists ? .outputStreamFileAlreadyExists(at: url) : .outputStreamCreationFailed(for: url),
            underlying: error
        )
    }
}
