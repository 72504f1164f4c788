public import Foundation

/// Reads a multipart message from chunks of any size, without doing any input itself.
///
/// ```swift
/// var parser = try MultipartParser(contentType: "multipart/form-data; boundary=x")
/// for chunk in chunks {
///     parser.append(chunk)
///     while let event = try parser.next() { handle(event) }
/// }
/// parser.finish()
/// while let event = try parser.next() { handle(event) }
/// ```
///
/// The events do not depend on how the message was cut, except for where body bytes are divided. Memory is bounded by
/// the chunk and the ``Options``, never by a body. A parser that failed stays failed with the same error.
public struct MultipartParser: Sendable {
    /// What has been read.
    ///
    /// `Body` is what comes with bytes of a body: the bytes, or nothing where they come beside the event.
    public enum Event<Body> {
        /// A part begins; these are its header fields.
        case part(HeaderFields)
        /// Some bytes of the part's body, never none.
        case body(Body)
        /// The part is complete.
        case endOfPart
        /// The message is complete. What follows its close delimiter is ignored, except for ``Options/maxTotalBytes``
        /// and in strict mode, which allows only line breaks there: an error may still come.
        case end
    }

    private enum Phase {
        case open
        /// The end of the message was announced.
        case finished
        /// Bytes came after the end.
        case overfed
        /// A handler is running, or threw.
        case handling
    }

    private var machine: ParserMachine
    private var phase = Phase.open
    /// What the machine has found and ``next()`` has not returned.
    private var ready = ParserActions()
    /// The chunk being read; empty if there is none.
    private var chunk = Data()
    /// Whether the machine is done with the chunk, which is then kept for `ready` alone.
    private var isChunkUsedUp = false
    /// The chunks after it, which wait from `firstWaiting` on.
    private var waiting: [Data] = []
    private var firstWaiting = 0

    private init(boundary: Boundary, _ options: Options, isNested: Bool) {
        machine = ParserMachine(boundary: boundary, options, isNested: isNested)
    }

    /// Creates a parser for a message with a Content-Type field.
    ///
    /// - Parameters:
    ///   - contentType: The field's value, such as `multipart/form-data; boundary=x`; nil if the message has no such
    ///     field.
    ///   - options: How strictly to read, the field's value included, and the limits.
    /// - Throws: ``MultipartError``: ``MultipartError/Code/unsupportedMediaType``, which a server answers with 415, or
    ///   another code of the Content-Type field; its offset is in the value.
    public init(contentType: String?, options: Options = Options()) throws(MultipartError) {
        self.init(boundary: try Boundary(contentType: contentType, mode: options.mode), options: options)
    }

    /// Creates a parser for a message whose boundary is known.
    ///
    /// - Parameters:
    ///   - boundary: The value of the Content-Type field's boundary parameter.
    ///   - options: How strictly to read, and the limits.
    public init(boundary: Boundary, options: Options = Options()) {
        self.init(boundary: boundary, options, isNested: false)
    }

    /// Creates a parser for the body of a part that is itself a multipart message, such as the `multipart/mixed`
    /// of several files in one part (RFC 7578 §4.3).
    ///
    /// The nested parts' dispositions need no `form-data` and no name, even in strict mode.
    ///
    /// - Parameters:
    ///   - headers: The header fields of the part.
    ///   - options: How strictly to read, and the limits of the nested message.
    /// - Throws: ``MultipartError`` if the part's Content-Type is not a multipart one with a boundary.
    public init(nestedIn headers: HeaderFields, options: Options = Options()) throws(MultipartError) {
        guard let contentType = headers.withContentType({ Array(copying: $0) }) else {
            throw MultipartError(.unsupportedMediaType, offset: 0)
        }
        let boundary = try Boundary(contentTypeBytes: contentType, acceptsAnyMultipart: true, mode: options.mode)
        self.init(boundary: boundary, options, isNested: true)
    }

    /// Appends a chunk; the events it completes come from ``next()``.
    ///
    /// Chunks may split the message anywhere. Bytes that come after ``finish()`` make the parser fail with
    /// ``MultipartError/Code/alreadyFinished`` once it has read the message.
    ///
    /// - Parameter chunk: The next bytes of the message; may be empty.
    /// - Complexity: O(1); the bytes are not copied.
    public mutating func append(_ chunk: Data) {
        guard !chunk.isEmpty else { return }
        switch phase {
        case .open:
            // A parser that reads nothing more must not keep what a caller continues to feed it.
            guard machine.failure == nil else { return }
            if self.chunk.isEmpty { self.chunk = chunk } else { waiting.append(chunk) }
        case .finished:
            phase = .overfed
        case .overfed, .handling:
            break
        }
    }

    /// Announces that the message ends here.
    ///
    /// Only now can a complete message be distinguished from one that was cut off: ``next()`` returns the rest.
    public mutating func finish() {
        if phase == .open { phase = .finished }
    }

    /// The next event; nil when it takes more bytes or, after ``finish()``, when there are no more.
    ///
    /// The bytes of a body are a slice of the chunk they came in wherever possible.
    ///
    /// - Throws: ``MultipartError`` if the message is malformed, exceeds a limit, or was cut off. Parts that
    ///   were complete before have been delivered. The same error is thrown from then on.
    public mutating func next() throws(MultipartError) -> Event<Data>? {
        if phase == .handling { machine.fail(MultipartError(.abandoned)) }
        while true {
            switch ready.popFirst() {
            case .part:
                return .part(machine.part.fields)
            case .heldBody:
                // SAFETY: the bytes are copied inside the closure.
                return .body(unsafe machine.heldBody.withUnsafeBytes { unsafe Data($0) })
            case .body:
                let start = chunk.startIndex
                return .body(chunk[start &+ ready.body.lowerBound..<start &+ ready.body.upperBound])
            case .endOfPart:
                return .endOfPart
            case .end:
                return .end
            case nil:
                break
            }
            if isChunkUsedUp { takeNextChunk() }
            if let failure = machine.failure { throw failure }
            if !chunk.isEmpty {
                readChunk()
            } else if phase == .open {
                return nil
            } else if let last = machine.finish() {
                ready = last
            } else if phase == .overfed {
                machine.fail(.alreadyFinished)
            } else if machine.failure == nil {
                return nil
            }
        }
    }

    /// Makes the chunk's next actions ready, unless the machine fails.
    @inline(__always)
    private mutating func readChunk() {
        let chunk = chunk
        // SAFETY: the span is used inside the closure only. `Data.span` would do, but costs a call for each event.
        unsafe chunk.withUnsafeBytes { raw in
            let bytes = unsafe raw.bindMemory(to: UInt8.self).span
            if let actions = machine.next(bytes) {
                ready = actions
                isChunkUsedUp = machine.isUsedUp(bytes)
            } else {
                isChunkUsedUp = machine.failure == nil
            }
            if isChunkUsedUp { machine.endChunk(bytes) }
        }
    }

    private mutating func takeNextChunk() {
        isChunkUsedUp = false
        guard firstWaiting < waiting.count else {
            chunk = Data()
            return
        }
        chunk = waiting[firstWaiting]
        waiting[firstWaiting] = Data()
        firstWaiting += 1
        // Amortized: at least as many chunks have gone as are moved.
        guard firstWaiting * 2 >= waiting.count else { return }
        waiting.removeFirst(firstWaiting)
        firstWaiting = 0
    }
}

extension MultipartParser.Event: Sendable where Body: Sendable {}

extension MultipartParser.Event: Equatable where Body: Equatable {}

extension MultipartParser {
    /// Reads bytes where they are, such as in a framework's own buffer, and hands out body bytes without a copy.
    ///
    /// A message may be read by this method and ``append(_:)`` in turn, once the events of what was appended before
    /// have been taken. At the end of the message call ``finish(_:)``.
    ///
    /// - Parameters:
    ///   - bytes: The next bytes of the message; may be empty.
    ///   - handler: Called with each event in order, with the body's bytes for ``Event/body(_:)`` and with an empty
    ///     span otherwise. The span is valid during the call. An error it throws ends the parse: the rest of the bytes
    ///     are lost, and the parser has then failed with ``MultipartError/Code/abandoned``.
    /// - Throws: ``MultipartError``, or what `handler` throws.
    public mutating func parse(
        _ bytes: Span<UInt8>,
        _ handler: (Event<Void>, Span<UInt8>) throws -> Void
    ) throws {
        let failure = try read(bytes) { event, body, _ throws in try handler(event, body) }
        if let failure { throw failure }
    }

    /// Ends the message, and hands out the events that are left.
    ///
    /// - Parameter handler: As in ``parse(_:_:)``, but no bytes of a body come.
    /// - Throws: ``MultipartError`` if the message was cut off, or what `handler` throws.
    public mutating func finish(_ handler: (Event<Void>, Span<UInt8>) throws -> Void) throws {
        let failure = try readEnd { event, body, _ throws in try handler(event, body) }
        if let failure { throw failure }
    }

    /// Takes an event, the bytes of a body, and the offset in the message where the part's body begins.
    typealias Handler<Failure: Error> = (Event<Void>, Span<UInt8>, _ bodyOffset: UInt64) throws(Failure) -> Void

    /// Reads bytes where they are; returns the message's error, and throws the handler's.
    mutating func read<Failure: Error>(
        _ bytes: Span<UInt8>,
        _ handler: Handler<Failure>
    ) throws(Failure) -> MultipartError? {
        switch phase {
        case .open: break
        case .finished, .overfed: if !bytes.isEmpty { machine.fail(.alreadyFinished) }
        case .handling: machine.fail(MultipartError(.abandoned))
        }
        if let failure = machine.failure, ready.isEmpty { return failure }
        precondition(chunk.isEmpty && ready.isEmpty, "take the events of what was appended first")
        let before = phase
        // A handler that throws leaves a chunk half used up.
        phase = .handling
        while let actions = machine.next(bytes) {
            try handle(actions, bytes, handler)
            if machine.isUsedUp(bytes) { break }
        }
        phase = before
        if let failure = machine.failure { return failure }
        machine.endChunk(bytes)
        return nil
    }

    /// Ends the message; returns its error, and throws the handler's.
    mutating func readEnd<Failure: Error>(_ handler: Handler<Failure>) throws(Failure) -> MultipartError? {
        if let failure = try read(Span(), handler) { return failure }
        finish()
        phase = .handling
        if let actions = machine.finish() { try handle(actions, Span(), handler) }
        phase = .finished
        return machine.failure
    }

    /// Calls a handler with the events of some actions.
    @inline(__always)
    private func handle<Failure: Error>(
        _ actions: ParserActions,
        _ bytes: Span<UInt8>,
        _ handler: Handler<Failure>
    ) throws(Failure) {
        let none = bytes.extracting(first: 0)
        let offset = machine.part.bodyOffset
        var actions = actions
        while let action = actions.popFirst() {
            switch action {
            case .part: try handler(.part(machine.part.fields), none, offset)
            case .heldBody: try handler(.body(()), machine.heldBody.span, offset)
            case .body: try handler(.body(()), bytes.extracting(actions.body), offset)
            case .endOfPart: try handler(.endOfPart, none, offset)
            case .end: try handler(.end, none, offset)
            }
        }
    }

    /// The offset in the message where the body of the last part begins.
    var bodyOffset: UInt64 { machine.part.bodyOffset }
}
