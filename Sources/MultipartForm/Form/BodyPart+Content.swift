#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Reads and saves the content of parts.
extension BodyPart {
    /// The whole content in memory, where it is short or a library takes only `Data`.
    ///
    /// Bytes in memory are not copied; a file or stream is read whole. A stream that can be read only once is consumed.
    ///
    /// - Throws: ``MultipartError`` if the content cannot be read, or does not have the length it declared.
    /// - Complexity: O(1) in memory, else O(*n*) in the length of the content.
    public func data() throws -> Data {
        try content.data(upTo: .max) ?? Data()
    }

    /// The content as text.
    ///
    /// The character set is that of the part's Content-Type, else the default (RFC 7578 §4.5, §4.6). UTF-8, US-ASCII,
    /// ISO-8859-1, windows-1252 and the forms of UTF-16 are known.
    ///
    /// - Parameter defaultCharset: The character set of a part that does not specify one, such as the value of a form's
    ///   `_charset_` field.
    /// - Returns: The text with its line breaks unchanged. A byte order mark is kept, except in `utf-16`, where it
    ///   determines the byte order.
    /// - Throws: ``MultipartError/Code/undecodableText`` if the content is not valid in the character set, or that is
    ///   unknown; else ``MultipartError`` if the content cannot be read.
    /// - Complexity: O(*n*) in the length of the content.
    public func text(defaultCharset: String = "utf-8") throws -> String {
        let charset = try Charset.named(contentType.flatMap(HeaderFields.charset), default: defaultCharset)
        // Nearly all text is in memory, and needs no `Data`.
        let decoded = content.withBytesInMemory { charset?.decode($0) ?? .invalid(offset: 0) }
        switch try decoded ?? charset?.decode(data().span) ?? .invalid(offset: 0) {
        case .text(let text): return text
        case .invalid(let offset): throw MultipartError(.undecodableText, offset: UInt64(offset), partName: name)
        }
    }
}

extension Charset {
    /// The character set that a part names, or else the program; nil if the part's is unknown. Fails if the program's
    /// is.
    static func named(_ name: String?, default program: String) throws(MultipartError) -> Charset? {
        if let name { return Charset(named: name) }
        if let charset = Charset(named: program) { return charset }
        throw MultipartError(.undecodableText, "default charset \"\(program.printable(upTo: 64))\" is unknown")
    }
}

extension BodyPart {
    /// The file that holds exactly the content, for libraries that read a path; nil if the content is elsewhere.
    ///
    /// A temporary file of a collected message is removed with the last part that refers to it, unless
    /// ``save(to:permissions:)-p9s4`` has kept it. So do not remove it and create another file at its path: that may
    /// get the same inode, and is then removed in its place.
    public var fileURL: URL? { content.fileURL }

    /// Saves the content to a new file, to keep what was uploaded. Never overwrites anything. It blocks the thread
    /// until the file is complete: in asynchronous code, the method of the same name that is awaited does not.
    ///
    /// The new file has the owner, the group, the mode and the access-control list that the process and the directory
    /// give a new file, but for `permissions`. A temporary file of a collected message is renamed if it then has these;
    /// else, such as on another device, or in a directory with the setgid bit or a list for its new files, it is copied
    /// and removed. The part then reads its content from the new file. Any other content is copied; until it is
    /// complete, the new file has a name beside the final one that begins with `.multipart-form-`.
    ///
    /// The file is not synced to the disk: if the machine crashes soon after, the file can be missing, empty or
    /// incomplete. Where that matters, call `fsync` for the file and for its directory.
    ///
    /// - Parameters:
    ///   - fileURL: The file to create, in a directory that exists.
    ///   - permissions: The file's mode, 0 to 0o777, regardless of the process' mask; nil for that of any file that the
    ///     process creates.
    /// - Throws: ``MultipartError`` if something exists at the URL, the file cannot be created or written, or the
    ///   content cannot be read. No file is then left there, and the content stays where it was, except for a stream
    ///   that can be read only once.
    public func save(to fileURL: URL, permissions: Int? = nil) throws {
        try save(to: fileURL, permissions: permissions, cancellation: nil)
    }

    /// Saves the content as ``save(to:permissions:)-p9s4`` does, unless it is cancelled before the file is complete.
    package func save(to fileURL: URL, permissions: Int?, cancellation: Cancellation?) throws {
        try content.save(to: fileURL, mode: permissions.map(FileMode.init(permissions:)), cancellation)
    }

    /// Saves the content to a new file, and leaves the caller's actor free meanwhile. Never overwrites anything.
    ///
    /// It is ``save(to:permissions:)-p9s4`` on another thread, but for two things: the content may be an asynchronous
    /// sequence, and if the task is cancelled, no file is left at the URL. A stream that blocks is then left alone: the
    /// new file, under the name beside the final one, is removed when the stream returns.
    ///
    /// At the top level of `main.swift`, Swift 6.3 calls the other one even after `await`; call this one in a function.
    ///
    /// - Parameters:
    ///   - fileURL: The file to create, in a directory that exists.
    ///   - permissions: The file's mode, 0 to 0o777, regardless of the process' mask; nil for that of any file that the
    ///     process creates.
    /// - Throws: ``MultipartError`` if something exists at the URL, the file cannot be created or written, or the
    ///   content cannot be read; `CancellationError` if the task is cancelled.
    public func save(to fileURL: URL, permissions: Int? = nil) async throws {
        let cancellation = Cancellation()
        let save: @Sendable () throws -> Void = {
            try self.save(to: fileURL, permissions: permissions, cancellation: cancellation)
        }
        switch content.source {
        case .memory, .file:
            try await BlockingPool.files.run(cancelling: cancellation, save)
        case .stream:
            try await BlockingPool.streams.run(abandoning: cancellation, save)
        case .asynchronous:
            try await content.savePieces(to: fileURL, mode: permissions.map(FileMode.init(permissions:)))
        }
    }
}

extension FileMode {
    /// The mode that a program passes for a file.
    init(permissions: Int) {
        precondition(0...0o777 ~= permissions, "permissions are 0 to 0o777, written in octal")
        self = FileMode(permissions)
    }
}

extension BodyContent {
    /// Moves or copies the content to a new file; until then, the content stays where it was.
    fileprivate func save(
        to url: URL,
        mode: FileMode?,
        _ cancellation: Cancellation?
    ) throws(MultipartError) {
        guard url.isLocalFile else { throw MultipartError(.outputStreamURLInvalid, path: url.errorText) }
        guard cancellation?.isCancelled != true else { throw MultipartError(.cancelled) }
        if case .temporaryFile(let file) = self, try file.move(to: url, mode: mode, cancellation) { return }
        try copy(to: url, mode: mode, cancellation)
    }

    /// Copies the content to a new file, which is removed if anything fails.
    private func copy(to url: URL, mode: FileMode?, _ cancellation: Cancellation?) throws(MultipartError) {
        let file = try NewFile(beside: url, mode: mode)
        var reader = try ContentReader(self, cancellation: cancellation)
        try reader.forEachPiece { bytes throws(MultipartError) in
            if cancellation?.isCancelled == true { throw MultipartError(.cancelled) }
            try file.write(bytes, for: url)
        }
        if cancellation?.beginLastStep() == false { throw MultipartError(.cancelled) }
        try file.finish(at: url)
    }

    /// Copies an asynchronous content to a new file, which is removed if anything fails.
    fileprivate func savePieces(to url: URL, mode: FileMode?) async throws {
        guard case .asynchronous(_, let makePieces) = self else { preconditionFailure("the content is asynchronous") }
        let file = OffloadedState<NewFile?>(nil)
        try await file.perform { $0 = try NewFile(beside: url, mode: mode) }
        var reader = try ContentReader(self)
        let pieces = try makePieces()
        while let piece = try await nextPiece(of: pieces, isolation: #isolation) {
            try reader.take(piece.count)
            try await file.perform { try $0?.write(piece.span, for: url) }
        }
        try reader.finish()
        try await file.perform { try $0?.finish(at: url) }
    }
}
