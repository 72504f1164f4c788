import MultipartForm

/// Finds the first thing that strict mode refuses in a message, or in the rest of one, from a delimiter on.
///
/// - Input: the bytes that a lenient parser of the whole message reads, before it or after it, and the end.
/// - Output: the refusal, at its place in the message.
/// - Invariant: its own lenient parser fails where that of the whole message does, and nothing after that is refused;
///   so the refusal does not depend on how the message is cut.
/// - Cost: that of two parsers, until the refusal.
struct StrictScout {
    /// Where the library reports the refusal.
    private final class Report: @unchecked Sendable {
        // SAFETY: written and read by the one thread there is.
        var refusal: MultipartError?
    }

    private let report = Report()
    private var parser: MultipartParser
    /// Where in the message the parser's first byte would be, and how many parts there are before it.
    private let origin: (offset: UInt64, part: Int)

    /// Creates the scout of a message whose first bytes have been read.
    ///
    /// - Parameters:
    ///   - boundary: The boundary.
    ///   - options: Those of the whole message's lenient parser.
    ///   - prefix: The delimiter that was read last, as strict mode wants it; empty before the first one.
    ///   - offset: How many bytes have been read.
    ///   - parts: How many parts have ended.
    init(_ boundary: Boundary, _ options: MultipartParser.Options, prefix: String, offset: UInt64, parts: Int) {
        // Wraps if the prefix has more bytes than were read.
        origin = (offset &- UInt64(prefix.utf8.count), parts)
        var options = options
        options.maxParts -= parts
        options.maxTotalBytes = options.maxTotalBytes.map { limit in
            // More than the limit if the prefix has more bytes than were read.
            let (rest, overflows) = (limit - Int(clamping: offset)).addingReportingOverflow(prefix.utf8.count)
            return overflows ? .max : rest
        }
        options.strictErrorHandler = { [report] in report.refusal = $0 }
        parser = MultipartParser(boundary: boundary, options: options)
        // Only what the message has is searched for; the parser has also reported a boundary that strict mode refuses.
        report.refusal = nil
        take(ContiguousArray(prefix.utf8).span)
    }

    /// What strict mode refused; nil if nothing yet.
    var refusal: MultipartError? {
        guard let error = report.refusal, origin.offset > 0 else { return report.refusal }
        let offset = error.offset.map { $0 &+ origin.offset }
        let part = error.partIndex.map { $0 + origin.part }
        return MultipartError(error.code, error.ownFact, offset: offset, partIndex: part, partName: error.partName)
    }

    mutating func take(_ bytes: Span<UInt8>) {
        // The parser of the whole message reports it.
        try? parser.parse(bytes) { _, _ in }
    }

    mutating func finish() {
        try? parser.finish { _, _ in }
    }
}
