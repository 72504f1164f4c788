/// The first bytes of a field's content, to be shown beside its name.
struct FieldText {
    /// The longest content that is shown whole, in bytes.
    private static let limit = 1024

    private var bytes: [UInt8] = []
    private var isWhole = true

    mutating func append(_ span: Span<UInt8>) {
        let room = min(span.count, Self.limit - bytes.count)
        // SAFETY: the bytes are copied inside the closure.
        span.extracting(first: room).withUnsafeBytes { bytes.append(contentsOf: $0) }
        isWhole = isWhole && room == span.count
    }

    /// The content, if it is short and in UTF-8.
    var whole: String? {
        let text = String(decoding: bytes, as: UTF8.self)
        return isWhole && text.utf8.elementsEqual(bytes) ? text : nil
    }

    /// The content's beginning as Swift's literals write it, in quotes if its ends would not be seen.
    var shown: String {
        var text = String(decoding: bytes, as: UTF8.self)
        // A character may be cut off.
        if !isWhole, text.unicodeScalars.last == "\u{FFFD}" { text.unicodeScalars.removeLast() }
        let escaped = text.unicodeScalars.map { Self.escaped($0) }.joined() + (isWhole ? "" : "…")
        let ends = [escaped.unicodeScalars.first, escaped.unicodeScalars.last]
        let isPlain = ends.allSatisfy { $0.map { !$0.properties.isWhitespace && $0 != "\"" } ?? false }
        return isPlain ? escaped : "\"\(escaped)\""
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: TerminalText.escaped(String(scalar))
        }
    }
}
