#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Parses a multipart message that the caller passes in chunks of any size.
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
/// The chunk sizes determine how a body is divided into ``Event/body(_:)`` events, and change nothing else. The
/// parser's memory depends on the chunks and the ``Options``, not on the length of a body. After the parser has found
/// an error in the message, later calls throw the same error.
public struct MultipartParser: Sendable {
    /// An event of parsing, such as the beginning or the end of a part.
    ///
    /// ``next()`` returns events whose `Body` is `Data`. A handler gets events whose `Body` is `Void`, and gets the
    /// bytes in a separate span.
    public enum Event<Body> {
        /// A part with these header fields begins.
        case part(HeaderFields)
        /// A piece of the part's body; never empty.
        case body(Body)
        /// The part is complete.
        case endOfPart
        /// The message is complete, except perhaps for its epilogue.
        ///
        /// An error in the epilogue may follow: the epilogue counts toward ``Options/maxTotalBytes``, and strict mode
        /// allows only line breaks in the epilogue.
        case end
    }

    private enum Phase {
        case open
        /// The caller has ended the message.
        case finished
        /// The caller has appended bytes after ending the message.
        case receivedAfterFinish
        /// The caller's handler is running, or it has thrown an error.
        case handling
    }

    private var machine: ParserMachine
    private var phase = Phase.open
    /// The parsed events that the caller has not yet received.
    private var ready = PendingEvents()
    private var chunks = ChunkQueue()
    /// Whether all bytes of the current chunk have been parsed. The chunk still stays in `chunks` until all `ready`
    /// events have been returned, because a body event refers to bytes of the chunk.
    private var isChunkUsedUp = false
    /// The observer that calls ``Options/strictErrorHandler``; empty if there is no observer.
    ///
    /// The property is an array of at most one element, for two reasons:
    /// - An empty array takes less space in the parser than an optional `StrictObserver`.
    /// - Each copy of the parser has its own observer. If `StrictObserver` were a class, the copies would share one.
    private var observers: [StrictObserver] = []

    /// Creates a parser for a message, given the value of its Content-Type field.
    ///
    /// - Parameters:
    ///   - contentType: The field's value, such as `multipart/form-data; boundary=x`; nil if the message has no such
    ///     field.
    ///   - options: How strictly to parse the message and its Content-Type field, and the limits on the message.
    /// - Throws: ``MultipartError`` if the field is missing or invalid. The error's offset counts from the start of the
    ///   value. If the error's code is ``MultipartError/Code/unsupportedMediaType``, a server should respond with
    ///   status 415.
    public init(contentType: String?, options: Options = Options()) throws {
        self.init(reported: try options.boundary(of: contentType), options)
    }

    /// Creates a parser for a message, given its boundary. Use this initializer if a framework has parsed the
    /// Content-Type field.
    ///
    /// - Parameters:
    ///   - boundary: The value of the boundary parameter in the Content-Type field.
    ///   - options: How strictly to parse the message, and the limits on the message.
    public init(boundary: Boundary, options: Options = Options()) {
        options.report(boundary)
        self.init(reported: boundary, options)
    }

    /// Creates a parser for a nested message: a part's body of a multipart type, such as `multipart/mixed` (RFC 7578
    /// §4.3).
    ///
    /// In the nested message, parts need no names, and a Content-Disposition may have any type, even in strict mode.
    ///
    /// - Parameters:
    ///   - headers: The header fields of the part.
    ///   - options: How strictly to parse the nested message, and the limits on the nested message.
    /// - Throws: ``MultipartError`` if the part has no Content-Type field, or if the field is not a multipart type with
    ///   a valid boundary.
    public init(nestedIn headers: HeaderFields, options: Options = Options()) throws {
        guard let contentType = headers.bytes(named: "Content-Type") else {
            throw MultipartError(.unsupportedMediaType, "part has no Content-Type field", offset: 0)
        }
        self.init(reported: try options.boundary(ofNested: contentType), options, isNested: true)
    }

    /// Creates a parser for a boundary that the caller has already reported. ``Options/report(_:)`` and
    /// ``Options/boundary(of:)`` call the strict error handler if strict mode refuses the boundary, so this initializer
    /// does not.
    init(reported boundary: Boundary, _ options: Options, isNested: Bool = false) {
        machine = ParserMachine(boundary: boundary, options, isNested: isNested)
        if options.mode == .strict, let reason = boundary.reasonInvalid(in: .strict) {
            machine.fail(MultipartError(.invalidBoundary, reason, offset: 0))
        }
        if options.mode == .lenient, let handler = options.strictErrorHandler {
            observers = [StrictObserver(boundary: boundary, options, isNested: isNested, handler)]
        }
    }

    /// Appends a chunk of the message. ``next()`` then returns the events of the chunk.
    ///
    /// A chunk may end anywhere in the message. If you append bytes after ``finish()``, ``next()`` still returns the
    /// message's events, and then throws `already-finished`.
    ///
    /// - Parameter chunk: The next bytes of the message; may be empty.
    /// - Complexity: O(1) for `Data`, because the parser shares the chunk's memory. O(*n*) in the number of bytes for
    ///   any other type, because the parser copies the bytes.
    @inlinable
    public mutating func append(_ chunk: some Collection<UInt8>) {
        append(data: chunk.data)
    }

    @usableFromInline
    mutating func append(data chunk: Data) {
        guard !chunk.isEmpty else { return }
        if phase == .finished { phase = .receivedAfterFinish }
        // Drops a chunk that would never be parsed.
        guard phase == .open, machine.failure == nil else { return }
        chunks.append(chunk)
    }

    /// Tells the parser that the message has no more chunks.
    ///
    /// ``next()`` then returns the remaining events, or throws if the message was cut off.
    public mutating func finish() {
        if phase == .open { phase = .finished }
    }

    /// Returns the next event of the appended chunks, or nil if there is none.
    ///
    /// Before ``finish()``, nil means that the parser needs another chunk. After ``finish()``, nil means that all
    /// events have been returned.
    ///
    /// The bytes of a body event are a slice of a chunk if possible, otherwise a copy.
    ///
    /// - Throws: ``MultipartError`` if the message is malformed, exceeds a limit, or was cut off. All events before the
    ///   error are returned first. Later calls throw the same error.
    public mutating func next() throws -> Event<Data>? {
        switch try nextPending() {
        case .part: .part(machine.part.fields)
        case .heldBody: .body(data(of: .heldBody))
        case .body: .body(data(of: .body))
        case .endOfPart: .endOfPart
        case .end: .end
        case nil: nil
        }
    }

    /// Returns the kind of the next event, or nil if there is none. The event's header fields or bytes, which are in
    /// `machine` and `chunks`, are valid until the next call.
    // Inlined, as are `advance` and `data`, so that the benchmark `fields` takes at least 3% fewer instructions.
    @inline(__always)
    private mutating func nextPending() throws(MultipartError) -> PendingEvents.Event? {
        if phase == .handling { machine.abandon() }
        while true {
            if let event = ready.popFirst() { return event }
            if isChunkUsedUp {
                chunks.removeFirst()
                isChunkUsedUp = false
            }
            if let failure = machine.failure { throw failure }
            if !chunks.isEmpty {
                let chunk = chunks.first
                advance(in: chunk.span)
            } else if phase == .open || !readEnd() {
                return nil
            }
        }
    }

    /// Parses `bytes` up to the next events, an error, or the end of `bytes`.
    @inline(__always)
    private mutating func advance(in bytes: Span<UInt8>) {
        if machine.next(bytes) { ready = machine.pending }
        isChunkUsedUp = machine.isUsedUp
        if isChunkUsedUp { machine.endChunk(bytes) }
        if !observers.isEmpty, isChunkUsedUp || machine.failure != nil { observe(bytes) }
    }

    /// Passes a chunk to the observer, if there is one. Precondition: the whole chunk has been parsed, or parsing has
    /// failed.
    private mutating func observe(_ bytes: Span<UInt8>) {
        guard !observers.isEmpty else { return }
        let isObserving = observers[0].observe(
            bytes,
            earliestErrorOffset: machine.earliestErrorOffset,
            failure: machine.failure
        )
        if !isObserving { observers = [] }
    }

    private mutating func observeEnd() {
        guard !observers.isEmpty else { return }
        observers[0].finish(failure: machine.failure)
        observers = []
    }

    /// Ends the message, and stores its last events in `ready`. Returns false if there is neither an event nor an
    /// error.
    private mutating func readEnd() -> Bool {
        if let last = machine.finish() {
            ready = last
        } else if phase == .receivedAfterFinish {
            machine.fail(ErrorCode.alreadyFinished)
        }
        observeEnd()
        return !ready.isEmpty || machine.failure != nil
    }

    @inline(__always)
    private func data(of event: PendingEvents.Event) -> Data {
        let chunk = chunks.first
        let start = chunk.startIndex
        return event == .body
            ? chunk[start &+ ready.body.lowerBound..<start &+ ready.body.upperBound]
            : Data(copying: machine.heldBody.span)
    }
}

extension MultipartParser.Event: Sendable where Body: Sendable {}

extension MultipartParser.Event: Equatable where Body: Equatable {}

extension MultipartParser {
    /// Parses the next bytes of the message in place, for example in a framework's buffer.
    ///
    /// Body bytes are not copied, except those at the end of `bytes` that may begin a delimiter. At the end of the
    /// message, call ``finish(_:)``.
    ///
    /// You may also append chunks with ``append(_:)``. The handler first gets the events of these chunks that
    /// ``next()`` has not returned, and then the events in `bytes`.
    ///
    /// - Parameters:
    ///   - bytes: The next bytes of the message; may be empty.
    ///   - handler: A function that gets the events in order. The span has the body bytes of an ``Event/body(_:)``
    ///     event, and is empty for any other event. The span is valid only during the call. If the function throws, the
    ///     parser drops the remaining bytes, and later calls throw `abandoned`.
    /// - Throws: ``MultipartError``, or the error that `handler` throws.
    public mutating func parse(_ bytes: Span<UInt8>, _ handler: (Event<Void>, Span<UInt8>) throws -> Void) throws {
        let failure = try read(bytes, isLast: false) { event, body, _ throws in try handler(event, body) }
        if let failure { throw failure }
    }

    /// Ends the message after the last call of ``parse(_:_:)``, and passes the remaining events to a handler.
    ///
    /// - Parameter handler: A function that gets the events, as in ``parse(_:_:)``.
    /// - Throws: ``MultipartError`` if the message is malformed, exceeds a limit, or was cut off, or if an earlier call
    ///   has failed; otherwise the error that `handler` throws.
    public mutating func finish(_ handler: (Event<Void>, Span<UInt8>) throws -> Void) throws {
        let failure = try read(Span(), isLast: true) { event, body, _ throws in try handler(event, body) }
        if let failure { throw failure }
    }

    /// A function that takes an event, the event's body bytes, and the offset of the part's body in the message.
    typealias Handler<Failure: Error> = (Event<Void>, Span<UInt8>, _ bodyOffset: UInt64) throws(Failure) -> Void

    /// Parses bytes in place and, if `isLast` is true, ends the message. Returns the parser's error, or nil. Throws
    /// only the error of the handler.
    mutating func read<Failure: Error>(
        _ bytes: Span<UInt8>,
        isLast: Bool,
        _ handler: Handler<Failure>
    ) throws(Failure) -> MultipartError? {
        if phase == .handling { machine.abandon() }
        let hasEvents = !chunks.isEmpty || !ready.isEmpty || phase != .open
        if hasEvents, let failure = try handleAppended(handler) { return failure }
        if phase != .open, !bytes.isEmpty { machine.fail(ErrorCode.alreadyFinished) }
        if let failure = machine.failure { return failure }
        let before = phase
        // If the handler throws, the remaining bytes are lost. The phase then stays `handling`, so that later calls
        // fail.
        phase = .handling
        while machine.next(bytes) {
            try handle(machine.pending, bytes, handler)
            if machine.isUsedUp { break }
        }
        phase = before
        if machine.failure == nil { machine.endChunk(bytes) }
        observe(bytes)
        if let failure = machine.failure { return failure }
        guard isLast else { return nil }
        phase = .handling
        if let pending = machine.finish() { try handle(pending, Span(), handler) }
        phase = .finished
        observeEnd()
        return machine.failure
    }

    /// Passes the remaining events of appended chunks to the handler. Returns the parser's error, or nil.
    private mutating func handleAppended<Failure: Error>(
        _ handler: Handler<Failure>
    ) throws(Failure) -> MultipartError? {
        let before = phase
        while true {
            guard let event = try? next() else { return machine.failure }
            phase = .handling
            do throws(Failure) {
                switch event {
                case .part(let fields): try handler(.part(fields), Span(), bodyOffset)
                case .body(let data): try handler(.body(()), data.span, bodyOffset)
                case .endOfPart: try handler(.endOfPart, Span(), bodyOffset)
                case .end: try handler(.end, Span(), bodyOffset)
                }
            } catch {
                // The handler has failed. Drops all events and chunks that the handler has not received.
                ready = PendingEvents()
                chunks = ChunkQueue()
                throw error
            }
            phase = before
        }
    }

    // Inlined, so that parsing a whole message of short fields takes 10% fewer instructions (`programs whole-message`).
    @inline(__always)
    private func handle<Failure: Error>(
        _ pending: PendingEvents,
        _ bytes: Span<UInt8>,
        _ handler: Handler<Failure>
    ) throws(Failure) {
        let offset = machine.part.bodyOffset
        if pending.contains(.part) { try handler(.part(machine.part.fields), Span(), offset) }
        if pending.contains(.heldBody) { try handler(.body(()), machine.heldBody.span, offset) }
        if pending.contains(.body) { try handler(.body(()), bytes.extracting(pending.body), offset) }
        if pending.contains(.endOfPart) { try handler(.endOfPart, Span(), offset) }
        if pending.contains(.end) { try handler(.end, Span(), offset) }
    }

    /// Returns the kind of the next event in `bytes`, or nil if the bytes are used up.
    ///
    /// Pass the same bytes until the result is nil. After ``finish()``, pass an empty span to get the message's last
    /// events. A `heldBody` event has the bytes in ``heldBody``. A `body` event has the bytes of `bytes` in the range
    /// ``bodyRange``.
    mutating func nextPending(in bytes: Span<UInt8>) throws(MultipartError) -> PendingEvents.Event? {
        while true {
            if let event = ready.popFirst() { return event }
            if isChunkUsedUp {
                isChunkUsedUp = false
                return nil
            }
            if let failure = machine.failure { throw failure }
            if !bytes.isEmpty {
                advance(in: bytes)
            } else if phase == .open || !readEnd() {
                return nil
            }
        }
    }

    /// The bytes of the `heldBody` event that ``nextPending(in:)`` has just returned.
    var heldBody: ContiguousArray<UInt8> { machine.heldBody }

    /// The range in the current chunk of the `body` event that ``nextPending(in:)`` has just returned.
    var bodyRange: Range<Int> { ready.body }

    /// If the next ready event is the end of the part, removes the event and returns true; otherwise returns false.
    mutating func popEndOfPart() -> Bool { ready.popFirst(.endOfPart) }

    var headers: HeaderFields { machine.part.fields }

    var bodyOffset: UInt64 { machine.part.bodyOffset }

    /// The offset of the current part's header section in the message; after ``Event/end``, the offset of the epilogue.
    package var sectionOffset: UInt64 { machine.part.sectionOffset }

    /// The offset of the current chunk in the message.
    var chunkOffset: UInt64 { machine.window.offset }

    /// An offset in the message. No error that parsing has yet to find has a smaller offset.
    var earliestErrorOffset: UInt64 { machine.earliestErrorOffset }
}
