/// Decides whether a line that begins with the dash-boundary is a delimiter line (RFC 2046 §5.1.1).
///
/// Each row is a state, and each column is the next byte after the dash-boundary. The cell is the next state or the
/// outcome. The outcome `-` means that the line is content, not a delimiter line. The outcome `x` means that bytes
/// follow a close delimiter in its line, which is an error. For instance, with the boundary `b`, a sender may write
/// `--b--b` between its parts. If these lines were content, the first part's body would silently contain all later
/// parts.
///
///     state           SP HTAB        hyphen          CR              LF         other   end of message
///     boundary        boundary       hyphen          lineEnd         open LF    -       unexpected end
///     hyphen          -              closed          -               -          -       unexpected end
///     closed          closed         x               closedLineEnd   close LF   x       close
///     lineEnd         -              -               -               open CRLF  -       unexpected end
///     closedLineEnd   x              x               x               close CRLF x       close
///
/// The table has three exceptions:
///
/// - After white space in the state `boundary`, a hyphen has the outcome `-`.
/// - In strict mode, white space has the outcome `-` or `x`, because parsers do not agree on lines with white space.
/// - In strict mode, the end of the message in the state `closedLineEnd` is unexpected.
struct DelimiterLineClassifier: Sendable {
    enum State: Sendable {
        case boundary
        case hyphen
        case closed
        case lineEnd
        case closedLineEnd
    }

    enum LineBreak: Sendable {
        case crlf
        case lf
    }

    enum Outcome: Sendable {
        case more
        /// The line is a delimiter line that begins a part.
        case open(LineBreak)
        /// The line is the close delimiter.
        case close(LineBreak)
        case content
        /// The line is a close delimiter and other bytes.
        case malformedClose
    }

    private let mode: ParsingMode
    private(set) var state = State.boundary
    /// The number of bytes of white space in the line so far.
    private(set) var padding = 0

    init(mode: ParsingMode) {
        self.mode = mode
    }

    mutating func consume(_ byte: UInt8) -> Outcome {
        switch (state, byte) {
        case (.boundary, ASCII.space), (.boundary, ASCII.tab), (.closed, ASCII.space), (.closed, ASCII.tab):
            guard mode == .lenient else { return otherByte }
            padding += 1
        case (.boundary, ASCII.hyphen) where padding == 0:
            state = .hyphen
        case (.hyphen, ASCII.hyphen):
            state = .closed
        case (.boundary, ASCII.carriageReturn):
            state = .lineEnd
        case (.closed, ASCII.carriageReturn):
            state = .closedLineEnd
        case (.boundary, ASCII.lineFeed):
            return .open(.lf)
        case (.closed, ASCII.lineFeed):
            return .close(.lf)
        case (.lineEnd, ASCII.lineFeed):
            return .open(.crlf)
        case (.closedLineEnd, ASCII.lineFeed):
            return .close(.crlf)
        default:
            return otherByte
        }
        return .more
    }

    /// The outcome of a byte that no delimiter line has at this place.
    private var otherByte: Outcome {
        switch state {
        case .boundary, .hyphen, .lineEnd: .content
        case .closed, .closedLineEnd: .malformedClose
        }
    }

    /// In a close delimiter, the number of bytes so far after the dash-boundary: two hyphens, white space, and perhaps
    /// CR.
    var lengthOfClose: Int { 2 + padding + (state == .closedLineEnd ? 1 : 0) }

    /// Whether the line so far is a complete close delimiter. The message may then end.
    var isClosed: Bool { state == .closed || (state == .closedLineEnd && mode == .lenient) }
}
