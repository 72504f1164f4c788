/// Parses the message of a lenient parser a second time, in strict mode, and reports the first error of strict mode.
///
/// - Input: each whole chunk of the message, after the lenient parser has read it; then the message's end.
/// - Output: at most one call of the handler, with the first error of strict mode. There is no call for an error that
///   both parsers find, such as too many parts. If the lenient parser fails, the strict parser gets only the bytes
///   before the offset of the lenient parser's error.
/// - Invariant: the strict parser gets only bytes before the earliest offset at which the lenient parser may still find
///   an error. Otherwise, the reported error would depend on the chunk sizes.
/// - Cost: a second parser, which stops at its first error, and a copy of at most a header section.
struct StrictObserver: Sendable {
    private var machine: ParserMachine
    private let handler: @Sendable (MultipartError) -> Void
    /// The bytes that the strict parser must not get yet, because the lenient parser may find an error in them.
    private var waiting: ContiguousArray<UInt8> = []
    /// The number of bytes that the strict parser has received.
    private var offset: UInt64 = 0

    /// Creates an observer for a lenient parser with the given options.
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

    /// Passes the chunk's bytes to the strict parser. Stops before the offset of the lenient parser's `failure`;
    /// without a failure, stops before `earliestErrorOffset`. Returns false if either parser has failed.
    mutating func observe(_ chunk: Span<UInt8>, earliestErrorOffset: UInt64, failure: MultipartError?) -> Bool {
        let end = failure?.offset ?? earliestErrorOffset
        passWaiting(upTo: end)
        let count = waiting.isEmpty ? min(chunk.count, room(upTo: end)) : 0
        pass(chunk.extracting(first: count))
        waiting.append(copying: chunk.extracting(droppingFirst: count))
        return report(failure)
    }

    /// Ends the message. `failure` is the error of the lenient parser, if it has failed.
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
