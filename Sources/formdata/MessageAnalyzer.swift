package import MultipartForm

/// Reads a message once, and collects the summary from which notes and the words of an error are made.
///
/// - Input: the message's bytes in pieces of any size, then its end.
/// - Output: the events of a parser, each with what is listed of its part; the summary, also after an error. Neither
///   depends on how the message was cut into pieces.
/// - Cost: linear: one parser and, in lenient mode, a second one in strict mode up to its first error. Memory for one
///   header section more than the parsers keep.
package final class MessageAnalyzer {
    package typealias Handler = (MultipartParser.Event<Void>, Span<UInt8>, ListedPart?) throws -> Void

    /// Keeps the first error of strict mode, which the library reports here.
    private final class StrictError: @unchecked Sendable {
        // SAFETY: written and read by the tool's only thread.
        var error: MultipartError?
    }

    package internal(set) var summary: MessageSummary
    private var parser: MultipartParser?
    private let strictError = StrictError()
    /// How many bytes have been read.
    private var offset: UInt64 = 0
    /// The pieces of the header section that is being read, from the piece in which the section begins.
    private var section: ContiguousArray<UInt8> = []
    /// The offset in the message of the first byte of `section`.
    private var sectionOffset: UInt64 = 0
    private var isInSection = false
    private var isAfterForm = false

    /// - Parameter opening: The message's first bytes, if they have been read.
    package init(_ opening: MessageOpening = MessageOpening([])) {
        summary = MessageSummary(opening: opening)
    }

    /// Begins the message. Call it once, before the other methods.
    package func begin(_ boundary: MessageBoundary, _ options: MultipartParser.Options) {
        summary.begin(boundary)
        sectionOffset = UInt64(summary.preambleLength ?? 0)
        isInSection = summary.preambleLength != nil
        var options = options
        options.strictErrorHandler = { [strictError] in strictError.error = $0 }
        parser = MultipartParser(boundary: boundary.value, options: options)
        // Forgets the strict error of the boundary, because the summary has it already.
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

    /// Keeps the bytes that may be shown later: those of a header section that has not ended, and those of the epilogue
    /// up to an error. `isNew` is true if the section begins in `piece`.
    private func keep(_ piece: Span<UInt8>, isNew: Bool, upTo end: UInt64? = nil) {
        if isAfterForm, let start = parser?.sectionOffset {
            let bytes = piece.extracting(first: end.map { Int(clamping: $0 - min($0, offset)) } ?? piece.count)
            summary.epilogue.append(bytes.extracting(droppingFirst: Int(clamping: start - min(start, offset))))
        }
        if isNew || !isInSection { section.removeAll(keepingCapacity: section.capacity <= 1 << 18) }
        guard isInSection else { return }
        if isNew { sectionOffset = offset }
        // Bytes before the first delimiter are not kept.
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
