/// Parses in strict mode what a lenient parser parses, and reports the first thing that strict mode refuses.
///
/// - Input: the message's whole chunks, and its end; each after the lenient parser has read it.
/// - Output: one call of the handler, with the error that a strict parser would throw for the message, or for the bytes
///   before the lenient parser's error. No call if strict mode accepts these bytes.
/// - Invariant: the strict parser gets only bytes that precede any later error of the lenient parser, so that chunk
///   sizes do not change what is reported.
/// - Cost: a second parser, until it fails, and a copy of the bytes that wait, at most those of a header section.
struct StrictObserver: Sendable {
    private var machine: ParserMachine
    private let handler: @Sendable (MultipartError) -> Void
    /// The bytes that the strict parser must not get yet.
    private var waiting: ContiguousArray<UInt8> = []
    /// The offset in the message of the first byte that the strict parser has not got.
    private var offset: UInt64 = 0

    /// Creates the observer of a message that is parsed with lenient options.
    init(
        boundary: Boundary,
        _ options: MultipartParser.Options,
        isNested: Bool,
        _ handler: @escaping @Sendable (MultipartError) -> Void
    ) {
        var options = options
        options.mode = .strict
        machine = ParserMachine(boundary: boundary, options, isNested: isNested)
        self.handler = handler
    }

    /// Parses a chunk, up to the `failure` of the lenient parser or, without one, up to the smallest offset that its
    /// later errors can have. Returns false if nothing is left to observe.
    mutating func observe(_ chunk: Span<UInt8>, earliestErrorOffset: UInt64, failure: MultipartError?) -> Bool {
        let end = failure?.offset ?? earliestErrorOffset
        passWaiting(upTo: end)
        let count = waiting.isEmpty ? min(chunk.count, room(upTo: end)) : 0
        pass(chunk.extracting(first: count))
        waiting.append(copying: chunk.extracting(droppingFirst: count))
        return report(failure)
    }

    /// Ends the message.
    mutating func finish(failure: MultipartError?) {
        passWaiting(upTo: failure?.offset ?? .max)
        while failure == nil, machine.finish() != nil {}
        _ = report(failure)
    }

    private func room(upTo end: UInt64) -> Int { Int(clamping: end - min(offset, end)) }

    private mutating func passWaiting(upTo end: UInt64) {
        let count = min(waiting.count, room(upTo: end))
        guard count > 0 else { return }
        let bytes = waiting
        waiting.removeFirst(count)
        pass(bytes.span.extracting(first: count))
    }

    private mutating func pass(_ bytes: Span<UInt8>) {
        guard !bytes.isEmpty else { return }
        offset += UInt64(bytes.count)
        while machine.next(bytes), !machine.isUsedUp {}
        if machine.failure == nil { machine.endChunk(bytes) }
    }

    private func report(_ failure: MultipartError?) -> Bool {
        guard let error = machine.failure else { return failure == nil }
        if error != failure { handler(error) }
        return false
    }
}
