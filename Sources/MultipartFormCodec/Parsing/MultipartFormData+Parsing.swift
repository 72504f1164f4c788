#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Parses forms from whole messages and files, and collects them from sequences.
extension MultipartFormData {
    /// Parses a whole message in memory, such as a request's body.
    ///
    /// Content of more than 512 bytes is a slice of `data`, not a copy.
    ///
    /// The form has the message's ``boundary``, which the sender chose. To send the form, copy it with
    /// `MultipartFormData(form)`, which chooses a random boundary. Then check the copy's ``firstError``.
    ///
    /// - Parameters:
    ///   - data: The message.
    ///   - contentType: The Content-Type field's value, such as `multipart/form-data; boundary=x`; nil if the message
    ///     has no such field.
    ///   - options: How strictly to parse the field and the message, and the limits.
    /// - Throws: ``MultipartError`` if the field or the message is malformed, exceeds a limit, or was cut off.
    public init(
        parsing data: Data,
        contentType: String?,
        options: MultipartParser.Options = MultipartParser.Options()
    ) throws {
        let boundary = try options.boundary(of: contentType)
        self.init(boundary: boundary)
        try parse(data, MultipartParser(reported: boundary, options))
    }

    /// Parses the content of a part that is itself a multipart message, such as `multipart/mixed` (RFC 7578 §4.3).
    ///
    /// The new form has a new boundary. Nested parts need not have names, but a form with a nameless part cannot be
    /// sent.
    ///
    /// - Parameters:
    ///   - part: The part. Its whole content is read into memory.
    ///   - options: How strictly to parse, and the limits of the nested message.
    /// - Throws: ``MultipartError`` if the part's Content-Type is not a multipart type with a boundary, if the content
    ///   cannot be read, or if the nested message is malformed, exceeds a limit, or was cut off.
    public init(
        nestedIn part: BodyPart,
        options: MultipartParser.Options = MultipartParser.Options()
    ) throws {
        let parser = try MultipartParser(nestedIn: part.headers, options: options)
        self.init()
        try parse(try part.data(), parser)
    }

    private mutating func parse(_ data: Data, _ parser: consuming MultipartParser) throws(MultipartError) {
        var part: PartList.OpenPart?
        var content: BodyContent?
        // The whole message is one chunk, so the content of each part is one piece.
        let error = parser.read(data.span, isLast: true) { event, body, offset in
            switch event {
            case .part(let headers):
                part = list.begin(received: headers)
                content = part?.isSendable == true ? nil : .data(Data())
            case .body where part?.isSendable == true && body.count <= PartList.maxInlineContent:
                // Appends the bytes directly, without a slice of the message. Parsing short fields then takes a quarter
                // fewer instructions.
                list.append(body)
            case .body:
                let start = data.startIndex + Int(clamping: offset)
                content = .data(data[start..<start + body.count])
            case .endOfPart:
                if let part { list.end(part, content) }
            case .end:
                break
            }
        }
        if let error { throw error }
    }

    /// Parses a message in a file, such as a body that a server has stored.
    ///
    /// This initializer reads the file in chunks, and blocks the thread. In asynchronous code, await the asynchronous
    /// initializer of the same name.
    ///
    /// Content longer than `threshold` stays in the file, and is read on request. Reading it throws
    /// ``MultipartError/Code/bodyPartFileChanged`` if the file has been replaced or changed.
    ///
    /// - Parameters:
    ///   - fileURL: The file with the message. It must exist as long as the parts.
    ///   - contentType: The Content-Type field's value, such as `multipart/form-data; boundary=x`; nil if the message
    ///     has no such field.
    ///   - threshold: The maximum length of content to keep in memory, in bytes; 16 KiB by default.
    ///   - options: How strictly to parse the field and the message, and the limits.
    /// - Throws: ``MultipartError`` if the field or the message is malformed, exceeds a limit, or was cut off. Also if
    ///   the file cannot be read, or changes while it is read.
    public init(
        parsingFileAt fileURL: URL,
        contentType: String?,
        inMemoryUpTo threshold: Int = 16 << 10,
        options: MultipartParser.Options = MultipartParser.Options()
    ) throws {
        try self.init(parsingFileAt: fileURL, contentType, threshold, options)
    }

    /// Parses a message in a file without blocking the caller's actor.
    ///
    /// This initializer does the same as ``init(parsingFileAt:contentType:inMemoryUpTo:options:)-971sj``, but on
    /// another thread. It ends early if the task is cancelled.
    ///
    /// At the top level of `main.swift`, Swift 6.3 calls the blocking initializer even after `await`. There, call this
    /// initializer inside a function.
    ///
    /// - Parameters:
    ///   - fileURL: The file with the message. It must exist as long as the parts.
    ///   - contentType: The Content-Type field's value, such as `multipart/form-data; boundary=x`; nil if the message
    ///     has no such field.
    ///   - threshold: The maximum length of content to keep in memory, in bytes; 16 KiB by default.
    ///   - options: How strictly to parse the field and the message, and the limits.
    /// - Throws: ``MultipartError`` if the field or the message is malformed, exceeds a limit, or was cut off. Also if
    ///   the file cannot be read, or changes while it is read. `CancellationError` if the task is cancelled.
    public init(
        parsingFileAt fileURL: URL,
        contentType: String?,
        inMemoryUpTo threshold: Int = 16 << 10,
        options: MultipartParser.Options = MultipartParser.Options()
    ) async throws {
        let form = OffloadedState<MultipartFormData?>(nil)
        let cancellation = Cancellation()
        try await form.perform(cancelling: cancellation) {
            $0 = try MultipartFormData(parsingFileAt: fileURL, contentType, threshold, options, cancellation)
        }
        guard let form = form.value else { preconditionFailure("an operation that does not throw has parsed a form") }
        self = form
    }

    private init(
        parsingFileAt fileURL: URL,
        _ contentType: String?,
        _ threshold: Int,
        _ options: MultipartParser.Options,
        _ cancellation: Cancellation? = nil
    ) throws {
        let boundary = try options.boundary(of: contentType)
        let stored = try CheckedFile(checking: fileURL)
        let file = try stored.open()
        var parser = MultipartParser(reported: boundary, options)
        self.init(boundary: boundary)
        // Parsing does not change content, so the content of each part is one range of the file. Long content can
        // therefore stay in the file.
        var part = ArrivingPart(maxCopy: threshold)
        let scratch = ScratchBuffer(count: 256 * 1024)
        var isLast = false
        while !isLast {
            guard cancellation?.isCancelled != true else { throw CancellationError() }
            let count = unsafe try stored.read(file, into: scratch.bytes)
            isLast = count == 0
            // SAFETY: the parser reads only the first `count` bytes, which were read from the file.
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: scratch.bytes[..<count]).bindMemory(to: UInt8.self)
            let error = parser.read(unsafe bytes.span, isLast: isLast) { event, body, offset in
                guard let headers = part.receive(event, body) else { return }
                let isShort = part.length <= threshold
                let range = offset..<offset + part.length
                list.append(received: headers, isShort ? .data(part.content) : .file(stored, range: range))
            }
            if let error { throw error }
        }
        // Throws if the file has changed, because all parts must be from the same message.
        try stored.check(file)
    }
}

/// A part that is assembled from the parser's events.
private struct ArrivingPart {
    /// The maximum length of content to copy, in bytes.
    let maxCopy: Int
    private var headers = HeaderFields()
    /// The length of the body so far, in bytes.
    private(set) var length: UInt64 = 0
    /// The body so far; empty if the body is longer than ``maxCopy``.
    private(set) var content = Data()

    init(maxCopy: Int) {
        self.maxCopy = maxCopy
    }

    /// Receives an event. At the end of the part, returns the part's header fields; otherwise nil.
    mutating func receive(_ event: MultipartParser.Event<Void>, _ body: Span<UInt8>) -> HeaderFields? {
        switch event {
        case .part(let fields):
            headers = fields
            length = 0
            content = Data()
        case .body:
            length += UInt64(body.count)
            if length <= maxCopy {
                content.append(copying: body)
            } else {
                content = Data()
            }
        case .endOfPart:
            // Releases the fields, so that the parser can reuse their memory.
            defer { headers = HeaderFields() }
            return headers
        case .end:
            break
        }
        return nil
    }
}

extension MultipartFormData {
    /// Collects a message from an asynchronous sequence of chunks: short content in memory, long files on disk.
    ///
    /// ```swift
    /// let form = try await MultipartFormData(collecting: request.body, contentType: request.contentType) { headers in
    ///     headers.name == "photo" ? .disk(upTo: 5 << 20) : .accept
    /// }
    /// try await form["photo"]?.save(to: fileURL)
    /// ```
    ///
    /// The initializer requests the next chunk while another thread writes the bytes of earlier chunks to a file. If
    /// the task is cancelled, the initializer ends as soon as the sequence ends or throws. If the sequence then ends
    /// within the message, the initializer throws a `CancellationError`.
    ///
    /// The form has the message's ``boundary``, which the sender chose. To send the form, copy it with
    /// `MultipartFormData(form)`, which chooses a random boundary. Then check the copy's ``firstError``.
    ///
    /// - Parameters:
    ///   - chunks: The message's chunks.
    ///   - contentType: The Content-Type field's value, such as `multipart/form-data; boundary=x`; nil if the message
    ///     has no such field.
    ///   - options: How to parse and keep the message, and the limits on its size.
    ///   - route: Called on the caller's actor with a part's header fields, before the part's body arrives. Returns
    ///     what to do with the part, or throws any error. All parts are accepted by default.
    /// - Throws: ``MultipartError`` if the field or the message is malformed, exceeds a limit, was cut off or cannot be
    ///   kept. Errors that `chunks` or `route` throws are rethrown unchanged. After an error, no file is left.
    @inlinable
    public init<Chunks: AsyncSequence>(
        collecting chunks: Chunks,
        contentType: String?,
        options: MultipartCollector.Options = MultipartCollector.Options(),
        route: (HeaderFields) throws -> MultipartCollector.Route = { _ in .accept }
    ) async throws where Chunks.Element: Collection<UInt8> {
        try await self.init(contentType: contentType, options, route: route, chunks: chunks.elementReader())
    }

    /// Does not compile, because the sequence yields single bytes, as URLSession's `AsyncBytes` does. The right
    /// sequence yields chunks.
    @available(
        *,
        unavailable,
        message: "collect chunks, not single bytes: for instance bytes.chunks(ofCount: 65536) of AsyncAlgorithms"
    )
    public init<Bytes: AsyncSequence>(
        collecting bytes: Bytes,
        contentType: String?,
        options: MultipartCollector.Options = MultipartCollector.Options(),
        route: (HeaderFields) throws -> MultipartCollector.Route = { _ in .accept }
    ) async throws where Bytes.Element == UInt8 {
        self.init()
    }

    @usableFromInline
    init<Chunk: Collection<UInt8>>(
        contentType: String?,
        _ options: MultipartCollector.Options,
        route: (HeaderFields) throws -> MultipartCollector.Route,
        chunks makeReader: @autoclosure () -> ElementReader<Chunk>
    ) async throws {
        let boundary = try options.parser.boundary(of: contentType)
        var assembler = FormAssembler(boundary: boundary, options)
        var queue = FileWorkQueue()
        // Creates the iterator only after the Content-Type has been checked. If the check fails, the caller can still
        // read a sequence that allows only one iterator.
        var chunks = makeReader()
        var hasEnded = false
        do {
            while !assembler.hasFailed, let chunk = try await chunks.next(isolation: #isolation) {
                try await assembler.assemble(chunk, with: &queue, route)
            }
            hasEnded = !assembler.hasFailed
            assembler.assemble(Span(), isLast: true, route)
        } catch {
            assembler.fail(error)
        }
        queue.append(&assembler.work, in: Span())
        do {
            try await queue.drain()
        } catch {
            throw hasEnded ? MultipartError.atEndOfChunks(error) : error
        }
        self = assembler.form
    }
}

extension FormAssembler {
    /// Assembles a chunk in place, at most `queue.room` bytes at a time. After each of these windows, passes the work
    /// on the disk to `queue`.
    fileprivate mutating func assemble(
        _ chunk: some Collection<UInt8>,
        with queue: inout FileWorkQueue,
        _ route: (HeaderFields) throws -> MultipartCollector.Route
    ) async throws {
        var start = 0
        var isComplete = false
        while !isComplete {
            let isContiguous = try chunk.readInPlace { bytes in
                let end = min(start + queue.room, bytes.count)
                let window = bytes.extracting(start..<end)
                assemble(window, route)
                queue.append(&work, in: window)
                start = end
                isComplete = end == bytes.count
            }
            guard isContiguous else {
                return try await assemble(chunk.gathered.dropFirst(start), with: &queue, route)
            }
            try await queue.advance()
        }
    }
}
