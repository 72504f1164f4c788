package import MultipartFormCodec

/// Reads a message once, and collects a ``MessageSummary`` for notes and error messages.
///
/// - Input: the bytes of the message in pieces of any size, then the end of the message.
/// - Output: the parser's events, each with the current ``ListedPart``; and the summary, even after an error. The
///   sizes of the pieces affect only how a part's content is divided into `body` events.
/// - Cost: linear time. The analyzer keeps one header section in memory. In lenient mode, a second parser runs in
///   strict mode, up to its first error.
package final class MessageAnalyzer {
    package typealias Handler = (MultipartParser.Event<Void>, Span<UInt8>, ListedPart?) throws -> Void

    /// Keeps the error that the library reports to `strictErrorHandler`.
    private final class StrictError: @unchecked Sendable {
        // SAFETY: only the tool's single thread writes and reads this property.
        var error: MultipartError?
    }

    package internal(set) var summary: MessageSummary
    private var parser: MultipartParser?
    private let strictError = StrictError()
    /// The number of bytes in the pieces before the current piece.
    private var offset: UInt64 = 0
    /// While a header section is parsed, the bytes of the message from `sectionOffset` on. They may begin with bytes
    /// before the section. At other times, the array is not used.
    private var section: ContiguousArray<UInt8> = []
    /// The offset in the message of the first byte of `section`.
    private var sectionOffset: UInt64 = 0
    private var isInSection = false
    private var isAfterForm = false

    /// Creates an analyzer for one message.
    ///
    /// - Parameter opening: The first bytes of the message; empty if no byte has been read yet.
    package init(_ opening: MessageOpening = MessageOpening([])) {
        summary = MessageSummary(opening: opening)
    }

    /// Begins the message. Call this method once, before `take` and `finish`.
    package func begin(_ boundary: MessageBoundary, _ options: MultipartParser.Options) {
        summary.begin(boundary)
        sectionOffset = UInt64(summary.preambleLength ?? 0)
        isInSection = summary.preambleLength != nil
        var options = options
        options.strictErrorHandler = { [strictError] in strictError.error = $0 }
        parser = MultipartParser(boundary: boundary.value, options: options)
        // If only lenient mode accepts the boundary, the new parser has reported an error. `summary` already has this
        // error, so `strictError` is cleared.
        strictError.error = nil
    }

    package func take(_ piece: Span<UInt8>, _ handler: Handler) throws {
        var hasEvents = false
        defer {
            offset += UInt64(piece.count)
            summary.strictError = strictError.error
        }
        do {
            try parser?.parse(piece) {
                hasEvents = true
                try record($0, $1, handler)
            }
        } catch let error as MultipartError {
            keep(piece, isNew: hasEvents, upTo: error.offset)
            fail(error)
            throw error
        }
        keep(piece, isNew: hasEvents)
    }

    package func finish(_ handler: Handler) throws {
        defer { summary.strictError = strictError.error }
        do {
            try parser?.finish { try record($0, $1, handler) }
        } catch let error as MultipartError {
            fail(error)
            throw error
        }
        summary.isComplete = true
    }

    private func record(
        _ event: MultipartParser.Event<Void>,
        _ bytes: Span<UInt8>,
        _ handler: Handler
    ) throws {
        try Interruption.check()
        switch event {
        case .part(let headers):
            isInSection = false
            summary.part = ListedPart(headers)
        case .body:
            summary.part?.append(bytes)
        case .endOfPart:
            isInSection = true
        case .end:
            (isInSection, isAfterForm) = (false, true)
        }
        try handler(event, bytes, summary.part)
        if case .endOfPart = event { summary.endPart() }
    }

    /// Keeps the bytes of `piece` that error messages and notes may show: those of the current header section, or of
    /// the epilogue.
    ///
    /// - Parameters:
    ///   - piece: The next bytes of the message.
    ///   - isNew: Whether the current header section begins in `piece`.
    ///   - end: The offset of an error. Bytes of the epilogue after the error are not kept.
    private func keep(_ piece: Span<UInt8>, isNew: Bool, upTo end: UInt64? = nil) {
        if isAfterForm, let start = parser?.sectionOffset {
            let bytes = piece.extracting(first: end.map { Int(clamping: $0 - min($0, offset)) } ?? piece.count)
            summary.epilogue.append(bytes.extracting(droppingFirst: Int(clamping: start - min(start, offset))))
        }
        if isNew || !isInSection { section.removeAll(keepingCapacity: section.capacity <= 1 << 18) }
        guard isInSection else { return }
        if isNew { sectionOffset = offset }
        // The number of bytes of `piece` before the first delimiter. These bytes are not kept.
        let preamble = section.isEmpty ? Int(clamping: sectionOffset - min(sectionOffset, offset)) : 0
        section.append(copying: piece.extracting(droppingFirst: preamble))
    }

    private func fail(_ error: MultipartError) {
        guard isInSection, let start = parser?.sectionOffset, let place = error.offset, start >= sectionOffset,
            place >= start
        else { return }
        let bytes = section.dropFirst(Int(clamping: start - sectionOffset))
        summary.headerLine = HeaderLine(in: ContiguousArray(bytes), at: Int(clamping: place - start))
    }
}
