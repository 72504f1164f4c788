import MultipartFormCodec

/// A header line with an error, cut to 1024 bytes.
struct HeaderLine {
    private static let limit = 1024

    /// The line without its line break. If the line continues a folded field, the field's earlier lines are also in
    /// `bytes`, before the line.
    private let bytes: ContiguousArray<UInt8>
    /// The index of the error in `bytes`. If the cut has removed the error, the index is not in `bytes`.
    private let errorIndex: Int
    /// Whether the line is the first line of its header section.
    private let isFirst: Bool

    /// Finds the header line that contains the byte at `index`. Returns nil if the section has no such byte.
    init?(in section: ContiguousArray<UInt8>, at index: Int) {
        guard index < section.endIndex else { return nil }
        let isBreak = { (byte: UInt8) in byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
        let lineStart = { (end: Int) in section[..<end].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0 }
        var start = lineStart(index)
        while start > 0, ASCII.isWhitespace(section[start]) { start = lineStart(start - 1) }
        let end = section[index...].firstIndex(where: isBreak) ?? section.endIndex
        bytes = ContiguousArray(section[start..<end].prefix(Self.limit))
        errorIndex = index - start
        isFirst = start == 0
    }

    /// Returns the error message for a line that is not a header field, with a guess at the reason.
    func words(_ boundary: Boundary) -> String {
        let shown = Self.shown(bytes[...], columns: 64)
        if isFirst, bytes.starts(with: "--".utf8) {
            let isDelimiter = ["--\(boundary)", "--\(boundary)--"].contains { $0.utf8.elementsEqual(bytes) }
            return "header line \(shown) \(isDelimiter ? "is" : "looks like") a delimiter, right after another one"
        }
        let isContent = !bytes.contains(UInt8(ascii: ":")) || bytes.first.map("{[<\"".utf8.contains) == true
        let hint = isContent ? "; is the empty line before the content missing?" : ""
        return "header line \(shown) is not a name, a colon and a value\(hint)"
    }

    /// The field's value in quotes, with a guess at the reason why the parameters are malformed.
    var malformedValue: String {
        let start = bytes.firstIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? 0
        let value = bytes[start...].drop(while: ASCII.isWhitespace)
        return Self.shown(value, columns: 160) + (Self.guess(value, at: errorIndex).map { "; \($0)" } ?? "")
    }

    var shown: String { Self.shown(bytes[...], columns: 160) }

    /// Returns the bytes as text in quotes. The text is escaped for a terminal, and cut to a width of `columns`.
    static func shown(_ bytes: ContiguousArray<UInt8>.SubSequence, columns: Int) -> String {
        let text = TerminalText.escaped(String(decoding: bytes, as: UTF8.self))
        return "\"\(TerminalText.truncated(text, toWidth: columns))\""
    }

    /// Guesses why the parameters in `value` are malformed at `errorIndex`; returns nil without a likely reason.
    static func guess(_ value: ContiguousArray<UInt8>.SubSequence, at errorIndex: Int) -> String? {
        guard value.indices.contains(errorIndex) else { return nil }
        let quote = UInt8(ascii: "\"")
        let rest = value[errorIndex...]
        let text = rest.drop { ASCII.isWhitespace($0) || $0 == UInt8(ascii: ",") }
        let name = text.prefix(while: ASCII.isTokenCharacter)
        if !name.isEmpty, text[name.endIndex...].drop(while: ASCII.isWhitespace).first == UInt8(ascii: "=") {
            return "is the semicolon before \"\(String(decoding: name, as: UTF8.self))\" missing?"
        }
        if rest.first == quote { return rest.dropFirst().contains(quote) ? nil : "is a closing quote missing?" }
        let isAfterQuote = value[..<errorIndex].last { !ASCII.isWhitespace($0) } == quote
        return isAfterQuote && rest.contains(quote) ? "is a quote within a value not escaped as %22?" : nil
    }
}
