/// Finds the end of a part's header section, and refuses NUL, wrong line breaks and sections beyond the limits.
///
/// - Input: the bytes after a delimiter line, in pieces of any size.
/// - Output: the offset after the blank line; nil if more bytes are needed.
/// - Invariant: all scanned bytes are free of NUL and wrong line breaks, and within the limits.
/// - Cost: linear: each byte is scanned once. No allocation.
struct HeaderScanner: Sendable {
    /// Why a section is refused.
    struct Failure: Error {
        let code: MultipartError.Code
        let offset: Int
        /// The offset in the section after the last byte that was scanned.
        let end: Int
        let limit: UInt64?

        init(_ code: MultipartError.Code, at offset: Int, end: Int, _ limit: Int? = nil) {
            self.code = code
            self.offset = offset
            self.end = end
            self.limit = limit.map { UInt64($0) }
        }
    }

    private enum State: Sendable {
        case lineStart
        case line
        /// CR at the start of a line, or after its bytes.
        case lineEnd(isBlank: Bool)
    }

    private let rules: HeaderRules
    let lineBreak: DelimiterTail.LineBreak
    private var state = State.lineStart
    /// The length of the earlier pieces, in bytes.
    private var scanned = 0
    private var lines = 0
    /// The offset in the section of the current line.
    private var line = 0

    init(_ rules: HeaderRules, lineBreak: DelimiterTail.LineBreak) {
        self.rules = rules
        self.lineBreak = lineBreak
    }

    /// Scans `bytes[start...]`; returns the offset after the blank line, or nil if more bytes are needed.
    mutating func scan(_ bytes: Span<UInt8>, from start: Int) throws(Failure) -> Int? {
        let limit = rules.options.maxHeaderBytes
        let end = start + min(bytes.count - start, limit - scanned)
        var index = start
        while index < end {
            // Most bytes are text: anything but NUL, LF and CR.
            if case .line = state {
                index = ASCII.endOfText(bytes, from: index, to: end)
                guard index < end else { break }
            }
            // Most lines end in a CR LF that is not divided between pieces.
            if lineBreak == .crlf, bytes[index] == ASCII.carriageReturn, index + 1 < end,
                bytes[index + 1] == ASCII.lineFeed
            {
                if case .lineStart = state { return index + 2 }
                if case .line = state {
                    try endLine(at: index + 2 - start)
                    index += 2
                    continue
                }
            }
            if try consume(bytes[index], at: index - start) { return index + 1 }
            index += 1
        }
        guard end == bytes.count else { throw failure(.limitHeaderBytes, at: end - start, limit) }
        scanned += end - start
        return nil
    }

    /// Consumes the byte at an offset in the piece; true if it ends the blank line.
    private mutating func consume(_ byte: UInt8, at index: Int) throws(Failure) -> Bool {
        switch (state, byte) {
        case (.lineEnd(let isBlank), ASCII.lineFeed):
            guard lineBreak == .crlf else { throw failure(.bareLF, at: index - 1) }
            if isBlank { return true }
            try endLine(at: index + 1)
        case (.lineEnd, _):
            throw failure(.bareCR, at: index - 1)
        case (.lineStart, ASCII.carriageReturn):
            state = .lineEnd(isBlank: true)
        case (.line, ASCII.carriageReturn):
            state = .lineEnd(isBlank: false)
        case (.lineStart, ASCII.lineFeed), (.line, ASCII.lineFeed):
            guard lineBreak == .lf else { throw failure(.bareLF, at: index) }
            guard case .line = state else { return true }
            try endLine(at: index + 1)
        case (.lineStart, _), (.line, _):
            guard byte != ASCII.null else { throw failure(.invalidHeaderCharacter, at: index) }
            state = .line
        }
        return false
    }

    /// Counts a line that is not blank; the next one begins at the offset `next` in the piece.
    private mutating func endLine(at next: Int) throws(Failure) {
        lines += 1
        if let failure = rules.failure(ofLine: line..<scanned + next, number: lines) { throw failure }
        line = scanned + next
        state = .lineStart
    }

    private func failure(_ code: MultipartError.Code, at index: Int, _ limit: Int? = nil) -> Failure {
        Failure(code, at: scanned + index, end: scanned + max(index, 0), limit)
    }
}
