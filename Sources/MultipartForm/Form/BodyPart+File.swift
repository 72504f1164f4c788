public import Foundation

extension BodyPart {
    /// The file that holds the content and nothing else; nil if the content is elsewhere.
    ///
    /// A file made while a message was collected is removed with the last part that refers to it, unless
    /// ``moveFile(to:)`` has kept it.
    public var fileURL: URL? {
        switch content {
        case .file(let file, _): file.url
        case .temporaryFile(let file): file.url
        case .data, .fileRange, .stream, .replayable, .asynchronous: nil
        }
    }

    /// Puts the content into a file that stays, wherever it is now.
    ///
    /// A temporary file made while a message was collected is moved: renamed, or copied to another device and
    /// removed. The part then reads its content there. Any other content is copied, under a name beside the file that
    /// begins with `.multipart-form-`, until the file is complete. Nothing is ever overwritten. The file is readable by its
    /// owner only.
    ///
    /// - Parameter fileURL: The file to create; its directory exists.
    /// - Throws: ``MultipartEncodingError`` if something stands there already, the file cannot be created or written, or
    ///   the content cannot be read. No file is left there, and the content stays where it was, but for a stream that
    ///   can be read once: it is used up when reading or writing fails.
    public func moveFile(to fileURL: URL) throws(MultipartEncodingError) {
        guard fileURL.isLocalFile else { throw MultipartEncodingError(.outputStreamURLInvalid(url: fileURL)) }
        if case .temporaryFile(let file) = content, try file.move(to: fileURL) { return }
        try content.copy(to: fileURL, .system)
    }
}

extension BodyContent {
    /// Copies the content to a new file.
    ///
    /// - Returns: What the file is.
    /// - Throws: ``MultipartEncodingError``; no file is then left.
    @discardableResult
    func copy(to url: URL, _ fileSystem: FileSystem) throws(MultipartEncodingError) -> FileIdentity {
        let file: AtomicFile
        do {
            file = try AtomicFile(creating: url.path, by: fileSystem.create)
        } catch {
            throw MultipartEncodingError(creating: url, failedBy: error)
        }
        let reader = try ContentReader(self, fileSystem: fileSystem)
        // SAFETY: the buffer is freed on every exit; only the bytes that were read are written.
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 4096)
        defer { unsafe buffer.deallocate() }
        while case let count = unsafe try reader.read(into: buffer), count > 0 {
            do {
                unsafe try file.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            } catch {
                throw MultipartEncodingError(.outputStreamWriteFailed, underlying: error)
            }
        }
        do {
            return try file.finish()
        } catch {
            throw MultipartEncodingError(completing: url, failedBy: error)
        }
    }
}
