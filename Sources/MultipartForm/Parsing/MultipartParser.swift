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
/// The events do not depend on how the message was cut, but for where body bytes are divided. Memory stays bounded
/// by the chunk and the ``Limits``, never by a body. A parser that failed stays failed with the same error.
public struct MultipartParser: Sendable {
    /// How strictly to read.
    public typealias Mode = ParsingMode

    /// What the parser has read.
    public enum Event: Sendable, Equatable {
        /// A part begins; these are its header fields.
        case part(HeaderFields)
        /// Some bytes of the part's body, never none; a slice of the chunk they came in wherever possible.
        case body(Data)
        /// The part is complete.
        case endOfPart
        /// The message is complete. What follows its close delimiter is ignored, but for ``Limits/maxTotalBytes`` and for
        /// strict mode, which allows only line breaks there: an error may still come.
        case end
    }

    private var machine: ParserMachine
    /// The chunk being read; empty if there is none.
    private var chunk = Data()
    /// Whether the machine is done with the chunk, which is then kept for `ready` alone.
    private var isChunkUsedUp = false
    /// What the machine has found and ``next()`` has not handed out.
    private var ready = ParserActions()
    /// The chunks behind it, which wait from `firstWaiting` on.
    private var waiting: [Data] = []
    private var firstWaiting = 0
    private var isFinished = false
    /// Whether bytes came after the end.
    private var isOverfed = false
    /// Whether a handler threw.
    private var isAbandoned = false

    /// Creates a parser for a message whose boundary is known.
    ///
    /// - Parameters:
    ///   - boundary: The value of the Content-Type field's boundary parameter.
    ///   - limits: What the message may cost.
    ///   - mode: How strictly to read.
    public init(boundary: Boundary, limits: Limits = .default, mode: Mode = .lenient) {
        machine = ParserMachine(boundary: boundary, limits: limits, mode: mode, isNested: false)
    }

    /// Creates a parser for a message with a Content-Type field's value.
    ///
    /// - Parameters:
    ///   - contentType: The field's value, such as `multipart/form-data; boundary=x`.
    ///   - limits: What the message may cost.
    ///   - mode: How strictly to read, the field's value included.
    /// - Throws: ``MultipartParsingError`` if the value is not that of a form.
    public init(
        contentType: String,
        limits: Limits = .default,
        mode: Mode = .lenient
    ) throws(MultipartParsingError) {
        self.init(boundary: try Boundary(contentType: contentType, mode: mode), limits: limits, mode: mode)
    }

    /// Creates a parser for the body of a part that is itself a multipart message, such as the `multipart/mixed`
    /// of several files in one part (RFC 7578 §4.3).
    ///
    /// The nested parts' dispositions need no `form-data` and no name, even in strict mode.
    ///
    /// - Parameters:
    ///   - headers: The header fields of the part.
    ///   - limits: What the nested message may cost.
    ///   - mode: How strictly to read.
    /// - Throws: ``MultipartParsingError`` if the part's Content-Type is not a multipart one with a boundary.
    public init(
        nestedIn headers: HeaderFields,
        limits: Limits = .default,
        mode: Mode = .lenient
    ) throws(MultipartParsingError) {
        guard let contentType = headers.withContentType({ Array(copying: $0) }) else {
            throw MultipartParsingError(.unsupportedMediaType, offset: 0)
        }
        let boundary = try Boundary(
            contentTypeBytes: contentType,
            acceptsAnyMultipart: true,
            mode: mode
        )
        machine = ParserMachine(boundary: boundary, limits: limits, mode: mode, isNested: true)
    }

    /// Appends a chunk; the events it completes come from ``next()``.
    ///
    /// Chunks may split the message anywhere. Bytes that come after ``finish()`` make the parser fail with
    /// ``MultipartParsingError/Code/alreadyFinished`` once it has read the message.
    ///
    /// - Parameter chunk: The next bytes of the message; may be empty.
    /// - Complexity: O(1); the bytes are not copied.
    public mutating func append(_ chunk: Data) {
        // A parser that reads nothing more must not keep what a caller goes on to feed it.
        guard machine.failure == nil, !isAbandoned else { return }
        if isFinished {
            isOverfed = isOverfed || !chunk.isEmpty
        } else if self.chunk.isEmpty {
            self.chunk = chunk
        } else if !chunk.isEmpty {
            waiting.append(chunk)
        }
    }

    /// Tells the parser that the message ends here.
    ///
    /// Only now can it tell a complete message from one that was cut off: ask ``next()`` for the rest.
    public mutating func finish() {
        isFinished = true
    }

    /// The offset in the message where the body of the last part begins.
    var bodyOffset: UInt64 { machine.bodyOffset }

    /// The next event; nil when it takes more bytes or, after ``finish()``, when there are no more.
    ///
    /// - Throws: ``MultipartParsingError`` if the message is malformed, exceeds a limit, or was cut off. Parts that
    ///   were complete before have been delivered. The same error is thrown from then on.
    public mutating func next() throws(MultipartParsingError) -> Event? {
        if isAbandoned { throw machine.fail(.abandoned) }
        while true {
            switch ready.popFirst() {
            case .part:
                return .part(machine.fields)
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
            } else {
                guard isFinished else { return nil }
                if let last = try machine.finish() {
                    ready = last
                } else if isOverfed {
                    throw machine.fail(.alreadyFinished)
                } else {
                    return nil
                }
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
            if let actions = try? machine.next(bytes) {
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

extension MultipartParser {
    /// What the parser has read from bytes it does not own.
    public enum BorrowedEvent: Sendable {
        /// A part begins; these are its header fields.
        case part(HeaderFields)
        /// Some bytes of the part's body: the span that comes with the event.
        case body
        /// The part is complete.
        case endOfPart
        /// The message is complete.
        case end
    }

    /// Reads bytes where they are, such as in a framework's own buffer, and hands out body bytes without a copy.
    ///
    /// A message may be read by this method and ``append(_:)`` in turn, once the events of what was appended before
    /// have been taken. At the end of the message call ``finish()`` and ``next()``.
    ///
    /// - Parameters:
    ///   - bytes: The next bytes of the message; may be empty.
    ///   - handler: Called for each event in order, with the body's bytes for ``BorrowedEvent/body`` and with an
    ///     empty span otherwise. The span is valid during the call. An error it throws ends the parse: the rest of
    ///     the bytes are lost, and the parser has then failed with ``MultipartParsingError/Code/abandoned``.
    /// - Throws: ``MultipartParsingError``, or what `handler` throws.
    public mutating func parse(
        _ bytes: Span<UInt8>,
        _ handler: (BorrowedEvent, Span<UInt8>) throws -> Void
    ) throws {
        try parse(bytes, bodyAt: { _ in }, handler)
    }

    /// Reads bytes where they are, and tells before each part the offset in the message where its body begins.
    mutating func parse(
        _ bytes: Span<UInt8>,
        bodyAt place: (UInt64) -> Void,
        _ handler: (BorrowedEvent, Span<UInt8>) throws -> Void
    ) throws {
        if isAbandoned { throw machine.fail(.abandoned) }
        if let failure = machine.failure, ready.isEmpty { throw failure }
        if isFinished, !bytes.isEmpty { throw machine.fail(.alreadyFinished) }
        precondition(chunk.isEmpty && ready.isEmpty, "take the events of what was appended first")
        let none = bytes.extracting(first: 0)
        // A handler that throws leaves a chunk half used up.
        isAbandoned = true
        while var actions = try machine.next(bytes) {
            while let action = actions.popFirst() {
                switch action {
                case .part:
                    place(machine.bodyOffset)
                    try handler(.part(machine.fields), none)
                case .heldBody: try handler(.body, machine.heldBody.span)
                case .body: try handler(.body, bytes.extracting(actions.body))
                case .endOfPart: try handler(.endOfPart, none)
                case .end: try handler(.end, none)
                }
            }
            if machine.isUsedUp(bytes) { break }
        }
        isAbandoned = false
        machine.endChunk(bytes)
    }
}
