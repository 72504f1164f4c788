#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Reads and saves the content of parts.
extension BodyPart {
    /// Returns the whole content, for short content or for a library that takes only `Data`.
    ///
    /// A file or a stream is read to its end. A stream that can be read only once is then consumed. Content in memory
    /// is not copied if it has more than 512 bytes.
    ///
    /// - Throws: ``MultipartError`` if the content cannot be read, or if its length is not the declared length.
    /// - Complexity: O(1) for content in memory; otherwise O(*n*) in the length of the content.
    public func data() throws -> Data {
        try content.data(upTo: .max) ?? Data()
    }

    /// Returns the content as text.
    ///
    /// The character set is the charset parameter of the part's Content-Type. Without this parameter, it is
    /// `defaultCharset` (RFC 7578 §4.5, §4.6). UTF-8, US-ASCII, ISO-8859-1, windows-1252, UTF-16, UTF-16BE and UTF-16LE
    /// are supported. In any other character set, only ASCII content can be read.
    ///
    /// - Parameter defaultCharset: The character set of a part without a charset parameter, such as the value of a
    ///   form's `_charset_` field.
    /// - Returns: The text with its line breaks unchanged. A byte order mark stays in the text, except in the character
    ///   set `utf-16`: there, the mark determines the byte order, and is removed.
    /// - Throws: ``MultipartError/Code/undecodableText`` if the content is not valid in the character set, or if the
    ///   character set is unknown and the content is not ASCII;
    ///   another ``MultipartError`` if the content cannot be read.
    /// - Complexity: O(*n*) in the length of the content.
    public func text(defaultCharset: String = "utf-8") throws -> String {
        let charset = contentType.flatMap(HeaderFields.charset)
        // Nearly all text is in memory. Decoding it in place avoids a `Data`.
        let text = try content.withBytesInMemory { bytes throws(MultipartError) in
            try Charset.text(bytes, as: charset, default: defaultCharset, partName: name)
        }
        return try text ?? Charset.text(data().span, as: charset, default: defaultCharset, partName: name)
    }
}

extension BodyPart {
    /// The URL of the file whose bytes are the content, for libraries that read a path; nil if the content is not a
    /// whole file.
    ///
    /// The file may be a temporary file of a collected message. A temporary file is removed with the last part that
    /// refers to it, unless ``save(to:permissions:)-1tfqk`` has moved the file to another path.
    ///
    /// Never put another file at the path of a temporary file. If the new file gets the inode of the temporary file,
    /// the library mistakes the new file for the temporary file, and removes it.
    public var fileURL: URL? { content.fileURL }

    /// Saves the content to a new file, to keep an upload. Never overwrites anything.
    ///
    /// This method blocks the thread until the file is complete. Asynchronous code calls the `async` method of the same
    /// name instead.
    ///
    /// The new file gets the owner, the group, the permissions and the access-control list that any new file of the
    /// process gets in the directory. If the parameter `permissions` is not nil, its value replaces the permissions.
    ///
    /// A temporary file of a collected message is renamed if it then has the same owner, group, permissions and
    /// access-control list as such a new file. Otherwise it is copied and removed, for instance if the directory is on
    /// another device, has the setgid bit or has a default access-control list. In both cases, the part reads its
    /// content from the new file afterwards. Any other content is copied.
    ///
    /// Until the file is complete, it is in the directory of `fileURL`, under a name that begins with
    /// `.multipart-form-`. A temporary file gets its new permissions only there, so other users can never read it in
    /// the directory for temporary files.
    ///
    /// The file is not synced to the disk. If the machine crashes soon after, the file can be missing, empty or
    /// incomplete. If the file must survive a crash, call `fsync` for the file and for its directory.
    ///
    /// - Parameters:
    ///   - fileURL: The file to create, in a directory that exists.
    ///   - permissions: The permissions of the file, from 0 to 0o777, regardless of the umask. If nil, the file gets
    ///     the permissions of any new file of the process.
    /// - Throws: ``MultipartError`` if something exists at the URL, if the file cannot be created or written, or if the
    ///   content cannot be read. No new file is then left at the URL. The part keeps its content, unless the content is
    ///   a stream that can be read only once. A temporary file that cannot be moved back stays in the directory of the
    ///   new file until the part is released; ``BodyPart/fileURL`` is then its URL there.
    public func save(to fileURL: URL, permissions: Int? = nil) throws {
        try save(to: fileURL, permissions: permissions, cancellation: nil)
    }

    /// Saves the content as ``save(to:permissions:)-1tfqk`` does; throws if `cancellation` is cancelled before the file
    /// is complete.
    package func save(to fileURL: URL, permissions: Int?, cancellation: Cancellation?) throws {
        try content.save(to: fileURL, mode: permissions.map(FileMode.init(permissions:)), cancellation)
    }

    /// Saves the content to a new file, and leaves the caller's actor free meanwhile. Never overwrites anything.
    ///
    /// This method does what ``save(to:permissions:)-1tfqk`` does, on another thread. There are two differences:
    /// - The content may be an asynchronous sequence.
    /// - If the task is cancelled before the file is complete, no file is left at the URL. But cancellation does not
    ///   interrupt a read of a stream that blocks. In that case, the incomplete copy, `.multipart-form-…`, is removed
    ///   when the read returns.
    ///
    /// At the top level of `main.swift`, Swift 6.3 calls the blocking method even after `await`. So call the
    /// asynchronous method from a function.
    ///
    /// - Parameters:
    ///   - fileURL: The file to create, in a directory that exists.
    ///   - permissions: The permissions of the file, from 0 to 0o777, regardless of the umask. If nil, the file gets
    ///     the permissions of any new file of the process.
    /// - Throws: ``MultipartError`` if something exists at the URL, if the file cannot be created or written, or if the
    ///   content cannot be read; `CancellationError` if the task is cancelled.
    public func save(to fileURL: URL, permissions: Int? = nil) async throws {
        let cancellation = Cancellation()
        let save: @Sendable () throws -> Void = {
            try self.save(to: fileURL, permissions: permissions, cancellation: cancellation)
        }
        switch content.place {
        case .memory, .file:
            try await BlockingPool.files.run(cancelling: cancellation, save)
        case .stream:
            try await BlockingPool.streams.run(abandoning: cancellation, save)
        case .asynchronous:
            try await content.savePieces(to: fileURL, mode: permissions.map(FileMode.init(permissions:)))
        }
    }
}

extension BodyContent {
    /// Moves or copies the content to a new file. If anything fails, the new file is removed. The content can then
    /// still be read, unless it is a stream that can be read only once.
    fileprivate func save(
        to url: URL,
        mode: FileMode?,
        _ cancellation: Cancellation?
    ) throws(MultipartError) {
        guard cancellation?.isCancelled != true else { throw MultipartError(.cancelled) }
        let file = try NewFile(beside: url, mode: mode)
        if case .temporaryFile(let temporary) = self, try temporary.move(to: url, inPlaceOf: file) { return }
        let identity = try copy(to: file, at: url, cancellation)
        if case .temporaryFile(let temporary) = self { temporary.giveWay(toCopyAt: url, identity) }
    }

    /// Copies the content to a new file, moves the complete file to `url`, and returns its identity.
    private func copy(
        to file: NewFile,
        at url: URL,
        _ cancellation: Cancellation?
    ) throws(MultipartError) -> FileIdentity {
        var reader = try ContentReader(self, cancellation: cancellation)
        try reader.forEachPiece { bytes throws(MultipartError) in
            if cancellation?.isCancelled == true { throw MultipartError(.cancelled) }
            try file.write(bytes, for: url)
        }
        if cancellation?.beginLastStep() == false { throw MultipartError(.cancelled) }
        return try file.finish(at: url)
    }

    /// Copies the content, which is an asynchronous sequence, to a new file. If anything fails, the new file is
    /// removed.
    fileprivate func savePieces(to url: URL, mode: FileMode?) async throws {
        guard case .asynchronous(_, let makePieces) = self else { preconditionFailure("the content is asynchronous") }
        let file = OffloadedState<NewFile?>(nil)
        try await file.perform { $0 = try NewFile(beside: url, mode: mode) }
        var reader = try ContentReader(self)
        var pieces = try makePieces()
        while let piece = try await pieces.nextPiece(isolation: #isolation) {
            try reader.take(piece.count)
            try await file.perform { try $0?.write(piece.span, for: url) }
        }
        try reader.finish()
        try await file.perform { try $0?.finish(at: url) }
    }
}
