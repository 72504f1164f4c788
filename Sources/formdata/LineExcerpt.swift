import MultipartForm

/// The last bytes of a message that is read in pieces.
package struct RecentBytes {
    /// Enough for the line of an error in most header sections, however large the limit of these is.
    private static let longestSection = 1 << 17

    /// A parser may refuse a header line only when its section ends, and as long a delimiter line may precede that.
    private let limit: Int
    /// The offset of the first delimiter, before which a line may end in LF alone; nil if it is not known.
    private let firstDelimiter: UInt64?
    /// Whether lines may end in LF alone everywhere.
    private let acceptsBareLF: Bool

    private var bytes: ContiguousArray<UInt8> = []
    /// The offset in the message of their end.
    private var end: UInt64 = 0

    package init(maxHeaderBytes: Int, preamble: MessagePreamble?) {
        limit = 2 * min(maxHeaderBytes, Self.longestSection) + 1024
        firstDelimiter = preamble.map { UInt64($0.length) }
        acceptsBareLF = preamble?.endsInLF ?? true
    }

    /// How many bytes are kept: less than 1 MiB.
    package var count: Int { bytes.count }

    package mutating func append(_ piece: Span<UInt8>) {
        let kept = piece.extracting(last: limit)
        // Rarely, since a piece may be a single byte.
        if bytes.count + kept.count > 2 * limit { bytes.removeFirst(bytes.count + kept.count - limit) }
        bytes.append(copying: kept)
        end += UInt64(piece.count)
    }

    /// The line with the byte at an offset, as far as it has been read; nil if its start is not kept.
    func line(at offset: UInt64, _ boundary: Boundary) -> LineExcerpt? {
        // As many as are kept however the message is cut.
        let kept = bytes.suffix(limit)
        let place = kept.endIndex - Int(clamping: end - min(offset, end))
        guard place >= kept.startIndex else { return nil }
        let lineBreak = kept[..<place].lastIndex(of: UInt8(ascii: "\n"))
        guard lineBreak != nil || end == kept.count else { return nil }
        let start = lineBreak.map { $0 + 1 } ?? kept.startIndex
        let isFirst = endsInDelimiter(kept[..<start], boundary)
        return LineExcerpt(kept[start...], isAfterDelimiter: isFirst)
    }

    /// Whether they end in a line that is a delimiter, but not the close delimiter.
    func endsInDelimiter(_ boundary: Boundary) -> Bool {
        endsInDelimiter(bytes.suffix(limit), boundary)
    }

    private func endsInDelimiter(_ kept: ContiguousArray<UInt8>.SubSequence, _ boundary: Boundary) -> Bool {
        var line = kept
        if line.last == UInt8(ascii: "\n") { line.removeLast() }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        while let last = line.last, " \t".utf8.contains(last) { line.removeLast() }
        let delimiter = boundary.dashBoundary
        guard line.suffix(delimiter.count).elementsEqual(delimiter) else { return false }
        line.removeLast(delimiter.count)
        let offset = offset(of: line.endIndex)
        if offset == 0 || offset == firstDelimiter { return true }
        guard line.last == UInt8(ascii: "\n") else { return false }
        return acceptsBareLF || line.dropLast().last == UInt8(ascii: "\r")
    }

    /// The offset in the message of a byte that is kept.
    private func offset(of index: Int) -> UInt64 { end - UInt64(bytes.endIndex - index) }
}

/// A line of a message, cut to what is worth showing.
struct LineExcerpt {
    /// More than fits on a terminal's line beside an error.
    private static let limit = 128

    private(set) var isComplete = false
    /// Whether the line before it is a delimiter.
    private let isAfterDelimiter: Bool
    private var bytes: ContiguousArray<UInt8> = []

    fileprivate init(_ bytes: ContiguousArray<UInt8>.SubSequence, isAfterDelimiter: Bool) {
        self.isAfterDelimiter = isAfterDelimiter
        append(bytes.span)
    }

    mutating func append(_ piece: Span<UInt8>) {
        for index in piece.indices where !isComplete {
            if piece[index] == UInt8(ascii: "\n") || bytes.count == Self.limit {
                isComplete = true
            } else {
                bytes.append(piece[index])
            }
        }
    }

    /// What is wrong with it if it is no header field.
    func fact(_ boundary: Boundary) -> String {
        var line = bytes
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        let text = TerminalText.escaped(String(decoding: line, as: UTF8.self))
        let shown = TerminalText.truncated(text, toWidth: 64)
        if isAfterDelimiter, line.starts(with: "--".utf8) {
            let isDelimiter = ["--\(boundary)", "--\(boundary)--"].contains { $0.utf8.elementsEqual(line) }
            return "header line \"\(shown)\" \(isDelimiter ? "is" : "looks like") a delimiter, right after another one"
        }
        let hint = line.contains(UInt8(ascii: ":")) ? "" : "; is the empty line before the content missing?"
        return "header line \"\(shown)\" is not a name, a colon and a value\(hint)"
    }
}
