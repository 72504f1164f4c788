public import Foundation

extension BodyPart {
    /// The file that holds the content and nothing else; nil if the content is elsewhere.
    ///
    /// A file made while a message was collected is removed with the last part that refers to it, unless
    /// ``save(to:permissions:)`` has kept it.
    public var fileURL: URL? {
        switch content {
        case .file(let file, _): file.url
        case .temporaryFile(let file): file.url
        case .data, .fileRange, .stream, .replayable, .asynchronous: nil
        }
    }

    /// Saves the content to a new file, wherever it is now. Nothing is ever overwritten.
    ///
    /// A temporary file made while a message was collected is moved there: renamed, or copied to another device and removed;
    /// the part then reads its content there. Any other content is copied, to a file beside the new one whose name begins
    /// with `.multipart-form-`, until it is complete.
    ///
    /// - Parameters:
    ///   - fileURL: The file to create; its directory exists.
    ///   - permissions: The file's mode, set as it is whatever the process masks; for its owner only unless given.
    /// - Throws: ``MultipartError`` if something exists at the URL, the file cannot be created or written, or the content
    ///   cannot be read. No file is then left there, and the content stays where it was, except for a stream that can be read
    ///   once.
    public func save(to fileURL: URL, permissions: Int = 0o600) throws(MultipartError) {
        guard fileURL.isLocalFile else { throw MultipartError(.outputStreamURLInvalid, path: fileURL.errorText) }
        let mode = mode_t(truncatingIfNeeded: permissions)
        if case .temporaryFile(let file) = content, try file.move(to: fileURL, mode: mode) { return }
        try content.copy(to: fileURL, mode: mode, .system)
    }
}

extension BodyContent {
    /// Copies the content to a new file.
    ///
    /// - Returns: What the file is.
    /// - Throws: ``MultipartError``; no file is then left.
    @discardableResult
    func copy(to url: URL, mode: mode_t, _ fileSystem: FileSystem) throws(MultipartError) -> FileIdentity {
        let file: AtomicFile
        do {
            file = try AtomicFile(creating: url.path, by: fileSystem.create)
        } catch {
            throw MultipartError(creating: url, failedBy: error)
        }
        var reader = try ContentReader(self, fileSystem: fileSystem)
        try reader.forEachPiece { bytes throws(MultipartError) in try file.write(bytes, to: url) }
        return try file.finish(at: url, mode: mode)
    }
}

extension AtomicFile {
    /// Writes all bytes of a span.
    ///
    /// - Throws: ``MultipartError`` without its part.
    package func write(_ bytes: Span<UInt8>, to url: URL) throws(MultipartError) {
        do throws(POSIXError) {
            // SAFETY: the bytes are used inside the closure only.
            try unsafe bytes.withUnsafeBytes { bytes throws(POSIXError) in unsafe try write(bytes) }
        } catch {
            throw MultipartError(.outputStreamWriteFailed, path: url.path, underlying: error)
        }
    }

    /// Closes the file and puts it in its place.
    ///
    /// - Throws: ``MultipartError`` without its part.
    @discardableResult
    package func finish(at url: URL, mode: mode_t? = nil) throws(MultipartError) -> FileIdentity {
        do throws(POSIXError) {
            if let mode { try setPermissions(mode) }
            return try finish()
        } catch {
            throw MultipartError(completing: url, failedBy: error)
        }
    }
}
