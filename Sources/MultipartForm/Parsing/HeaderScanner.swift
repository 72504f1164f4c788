/// Finds the end of a part's header section, and what must not stand in it.
///
/// - Input: the bytes behind a delimiter line, in pieces of any size.
/// - Output: the offset behind the blank line, or that more bytes are needed.
/// - Invariant: what was scanned before has no NUL, no line break of the other kind, and is within the limits.
/// - Cost: one look at each byte; no allocation.
struct HeaderScanner: Sendable {
    /// Why a section is refused, and the offset in the scanned piece.
    struct Failure: Error {
        let code: MultipartParsingError.Code
        let offset: Int
        var limit: UInt64?
    }

    private enum State: Sendable {
        case lineStart
        case line
        /// CR at the start of a line, or behind its bytes.
        case lineEnd(isBlank: Bool)
    }

    private let maxBytes: Int
    private let maxLines: Int
    let lineBreak: DelimiterTail.LineBreak
    private var state = State.lineStart
    private var scanned = 0
    private var lines = 0

    init(limits: Limits, lineBreak: DelimiterTail.LineBreak) {
        self.maxBytes = limits.maxHeaderBytes
        self.maxLines = limits.maxHeaderCount
        self.lineBreak = lineBreak
    }

    /// Whether no byte has been scanned.
    var isAtStart: Bool { scanned == 0 && lines == 0 }

    /// Scans `bytes[start...]`; nil when the section goes on behind them.
    mutating func scan(_ bytes: Span<UInt8>, from start: Int) throws(Failure) -> Int? {
        let end = start + min(bytes.count - start, maxBytes - scanned)
        var index = start
        while index < end {
            // Most bytes are text inside a line: they only have to be none of NUL, LF and CR.
            if case .line = state {
                index = ASCII.endOfText(bytes, from: index, to: end)
                guard index < end else { break }
            }
            // Most lines end in a CR LF that the piece holds whole.
            if lineBreak == .crlf, bytes[index] == ASCII.carriageReturn, index + 1 < end,
                bytes[index + 1] == ASCII.lineFeed
            {
                if case .lineStart = state { return index + 2 }
                if case .line = state {
                    state = .lineStart
                    index += 2
                    continue
                }
            }
            if try consume(bytes[index], at: index) { return index + 1 }
            index += 1
        }
        scanned += end - start
        guard end == bytes.count else { throw failure(.limitHeaderBytes, end, limit: maxBytes) }
        return nil
    }

    /// Takes a byte; true when it ends the blank line.
    private mutating func consume(_ byte: UInt8, at index: Int) throws(Failure) -> Bool {
        switch (state, byte) {
        case (.lineEnd(let isBlank), ASCII.lineFeed):
            guard lineBreak == .crlf else { throw failure(.bareLF, index - 1) }
            state = .lineStart
            return isBlank
        case (.lineEnd, _):
            throw failure(.bareCR, index - 1)
        case (.lineStart, ASCII.carriageReturn):
            state = .lineEnd(isBlank: true)
        case (.line, ASCII.carriageReturn):
            state = .lineEnd(isBlank: false)
        case (.lineStart, ASCII.lineFeed), (.line, ASCII.lineFeed):
            guard lineBreak == .lf else { throw failure(.bareLF, index) }
            guard case .line = state else { return true }
            state = .lineStart
        case (.lineStart, _), (.line, _):
            if case .lineStart = state {
                guard lines < maxLines else { throw failure(.limitHeaderCount, index, limit: maxLines) }
                lines += 1
                state = .line
            }
            guard byte != ASCII.null else { throw failure(.invalidHeaderCharacter, index) }
        }
        return false
    }

    private func failure(_ code: MultipartParsingError.Code, _ offset: Int, limit: Int? = nil) -> Failure {
        Failure(code: code, offset: offset, limit: limit.map { UInt64(max($0, 0)) })
    }
}
