import MultipartForm

/// The last bytes of a message that is read in pieces.
struct RecentBytes {
    /// A parser may refuse a header line only when the section ends: the longest one, and as long a delimiter before it.
    private let limit: Int

    private var bytes: ContiguousArray<UInt8> = []
    /// The offset in the message of their end.
    private var end: UInt64 = 0

    init(maxHeaderBytes: Int) {
        limit = 2 * min(maxHeaderBytes, 1 << 30) + 1024
    }

    mutating func append(_ piece: Span<UInt8>) {
        bytes.append(copying: piece.extracting(last: limit))
        // Seldom, since a piece may be a single byte.
        if bytes.count > 2 * limit { bytes.removeFirst(bytes.count - limit) }
        end += UInt64(piece.count)
    }

    /// The line with the byte at an offset, as far as it has been read.
    func line(at offset: UInt64, _ boundary: Boundary) -> LineExcerpt {
        let kept = bytes.suffix(limit)
        let place = max(kept.startIndex, kept.endIndex - Int(clamping: end - min(offset, end)))
        let start = kept[..<place].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? kept.startIndex
        let isFirst = Self.endsInDelimiter(kept[..<start], boundary)
        return LineExcerpt(offset: end - UInt64(kept.endIndex - start), kept[start...], isAfterDelimiter: isFirst)
    }

    /// Whether they end in a line that is a delimiter, but not the close delimiter.
    func endsInDelimiter(_ boundary: Boundary) -> Bool {
        Self.endsInDelimiter(bytes[...], boundary)
    }

    private static func endsInDelimiter(_ bytes: ContiguousArray<UInt8>.SubSequence, _ boundary: Boundary) -> Bool {
        var line = bytes
        if line.last == UInt8(ascii: "\n") { line.removeLast() }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        while let last = line.last, " \t".utf8.contains(last) { line.removeLast() }
        let delimiter = boundary.dashBoundary
        guard line.suffix(delimiter.count).elementsEqual(delimiter) else { return false }
        line.removeLast(delimiter.count)
        return line.last.map { $0 == UInt8(ascii: "\n") } ?? true
    }
}

/// A line of a message, cut to what is worth showing.
struct LineExcerpt {
    /// More than fits on a terminal's line beside an error.
    private static let limit = 128

    /// The offset in the message of its first byte.
    let offset: UInt64
    private(set) var isComplete = false
    /// Whether the line before it is a delimiter.
    private let isAfterDelimiter: Bool
    private var bytes: ContiguousArray<UInt8> = []

    fileprivate init(offset: UInt64, _ bytes: ContiguousArray<UInt8>.SubSequence, isAfterDelimiter: Bool) {
        self.offset = offset
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
