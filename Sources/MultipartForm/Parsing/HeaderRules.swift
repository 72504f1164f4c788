/// What a message's parser demands of each header section, besides its grammar and the rules of ``FieldChecks``.
struct HeaderRules: Sendable {
    let options: MultipartParser.Options
    let isNested: Bool
    let dashBoundary: [UInt8]

    var mode: ParsingMode { options.mode }

    /// Whether a section must have a Content-Disposition (RFC 7578 §4.2).
    var requiresDisposition: Bool { mode == .strict && !isNested }

    /// Whether a part may have the header line: in strict mode none that begins with the dash-boundary, where some
    /// parsers end the part.
    func allowsLine(_ line: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        guard mode == .strict, line.count >= dashBoundary.count else { return true }
        return zip(line, dashBoundary).contains { bytes[$0] != $1 }
    }
}
