import MultipartFormCodec

/// A part as `inspect` lists it: its header fields, its length and the beginning of its content.
package struct ListedPart {
    let headers: HeaderFields
    var length: UInt64 = 0
    var content = ContentBeginning()

    init(_ headers: HeaderFields) {
        self.headers = headers
    }

    /// The first bytes of a field's content; nil for a file.
    var text: ContentBeginning? { headers.filename == nil ? content : nil }

    /// Whether an error that ended the reading may have cut the content. It has not if the message ends within the
    /// delimiter after the part: the code is then `unexpected-end`, and the error names no part.
    func isCut(by error: any Error) -> Bool {
        let error = ToolError(error)
        return error.part != nil || error.code != MultipartError.Code.unexpectedEnd.description
    }

    mutating func append(_ bytes: Span<UInt8>) {
        length += UInt64(bytes.count)
        content.append(bytes)
    }
}

/// The first bytes of a part's content. Notes are based on these bytes, and `inspect` shows them if the part is a
/// field.
struct ContentBeginning {
    /// The maximum number of bytes to keep.
    static let limit = 1024

    private(set) var bytes: ContiguousArray<UInt8> = []
    /// Whether `bytes` is the whole content.
    private(set) var isWhole = true

    mutating func append(_ span: Span<UInt8>) {
        let room = min(span.count, Self.limit - bytes.count)
        bytes.append(copying: span.extracting(first: room))
        isWhole = isWhole && room == span.count
    }

    /// The whole content; nil if it exceeds the limit or is not UTF-8.
    var whole: String? {
        isWhole ? String(validating: bytes.span) : nil
    }

    /// The kept content as text, without a last character that the limit has cut in two; nil if the content is not
    /// UTF-8.
    var text: String? {
        // A cut character has at most three bytes.
        (0...(isWhole ? 0 : 3)).lazy.compactMap { String(validating: bytes.span.extracting(droppingLast: $0)) }.first
    }

    /// The kept content, escaped as in Swift's string literals. The text is in quotes if it is empty, or if it begins
    /// or ends with white space or a quote.
    var shown: String {
        // The limit may have cut the last character in two. The end of such a long text is never shown.
        let text = String(decoding: bytes, as: UTF8.self)
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
