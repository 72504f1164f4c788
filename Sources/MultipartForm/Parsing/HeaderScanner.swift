/// Finds the end of a part's header section, and refuses NUL, wrong line breaks and sections beyond the limits.
///
/// - Input: the bytes after a delimiter line, in pieces of any size.
/// - Output: whether the section is complete, and how many bytes were scanned; or an error at an offset in the section.
/// - Invariant: all scanned bytes are free of NUL and wrong line breaks, and within the limits.
/// - Cost: linear: each byte is scanned once. No allocation.
struct HeaderScanner: Sendable {
    private let rules: HeaderRules
    let lineBreak: DelimiterLineClassifier.LineBreak

    /// The number of bytes that were scanned, in all pieces; of a complete section its length.
    private(set) var scanned = 0
    /// The offset in the section of the line that has not ended.
    private(set) var line = 0
    /// The number of lines before it.
    private var lines = 0
    private var isAfterCarriageReturn = false

    init(_ rules: HeaderRules, lineBreak: DelimiterLineClassifier.LineBreak) {
        self.rules = rules
        self.lineBreak = lineBreak
    }

    /// Scans the next piece; true if the blank line ends in it, false if more bytes are needed.
    mutating func scan(_ piece: Span<UInt8>) throws(MultipartError) -> Bool {
        let start = scanned
        let limit = rules.options.maxHeaderBytes
        let end = start + min(piece.count, limit - start)
        // Each pass ends a line, or moves to its line break.
        while scanned < end {
            if !isAfterCarriageReturn {
                scanned = start + ASCII.endOfText(piece, from: scanned - start, to: end - start)
                guard scanned < end else { break }
            }
            let byte = piece[scanned - start]
            switch (byte, isAfterCarriageReturn) {
            case (ASCII.lineFeed, true):
                guard lineBreak == .crlf else { throw MultipartError(.bareLF, at: scanned - 1) }
            case (_, true):
                throw MultipartError(.bareCR, at: scanned - 1)
            case (ASCII.lineFeed, false):
                guard lineBreak == .lf else { throw MultipartError(.bareLF, at: scanned) }
            case (ASCII.carriageReturn, false):
                isAfterCarriageReturn = true
                scanned += 1
                continue
            case (_, false):
                throw MultipartError(.invalidHeaderCharacter, at: scanned)
            }
            let isBlank = line == (isAfterCarriageReturn ? scanned - 1 : scanned)
            isAfterCarriageReturn = false
            scanned += 1
            if isBlank { return true }
            let begin = line
            line = scanned
            lines += 1
            let maxLines = rules.options.maxHeaderCount
            guard lines <= maxLines else { throw MultipartError(.limitHeaderCount, at: begin, limit: maxLines) }
        }
        guard end - start == piece.count else { throw MultipartError(.limitHeaderBytes, at: end, limit: limit) }
        return false
    }
}
