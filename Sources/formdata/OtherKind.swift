import MultipartFormCodec

/// Recognizes input that is not a form, such as JSON or a hex dump, by its first bytes. The input is not parsed.
///
/// Each function in `all` recognizes one kind of input and returns a description, or returns nil. The first description
/// is used.
struct OtherKind: Sendable {
    /// The maximum number of bytes to look at.
    private static let limit = 4096

    /// The first bytes of the message.
    private let bytes: ArraySlice<UInt8>
    /// The nonempty lines of `bytes`, without their line breaks.
    private let lines: [String]

    /// Returns a description of the input, with a remedy; nil if the input is not recognized.
    static func words(for bytes: ArraySlice<UInt8>) -> String? {
        let beginning = OtherKind(bytes.prefix(limit))
        return all.lazy.compactMap { $0(beginning) }.first
    }

    private init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
    }

    private var first: String { lines.first ?? "" }

    private static let all: [@Sendable (OtherKind) -> String?] = [
        { $0.bytes.starts(with: [0x1F, 0x8B]) ? "compressed with gzip: decompress it, as with gunzip" : nil },
        { kind in
            let marks: [[UInt8]] = [[0xFF, 0xFE], [0xFE, 0xFF]]
            let zeros = kind.bytes.prefix(4).map { $0 == 0 }
            let isMarked = marks.contains(where: kind.bytes.starts)
            guard isMarked || zeros == [false, true, false, true] || zeros == [true, false, true, false] else {
                return nil
            }
            return "in UTF-16, as PowerShell redirects text: capture the bytes unchanged"
        },
        { kind in
            guard kind.isJSON, kind.hasText("\"log\""), kind.hasText("\"creator\"") || kind.hasText("\"entries\"")
            else {
                return nil
            }
            return "a HAR file, in which browsers leave out files: capture the request's own bytes"
        },
        { $0.isJSON ? "JSON, not a form: the sender has to encode a form, as with FormData" : nil },
        { kind in
            let text = kind.first.drop { $0 == " " || $0 == "\t" }.lowercased()
            guard ["<!doctype html", "<html"].contains(where: text.hasPrefix) else { return nil }
            return "an HTML page, perhaps the answer of a server: capture the request"
        },
        { kind in
            let isLog = { (line: String) in
                line.hasPrefix("*   Trying")
                    || line.hasPrefix("> ") && line.split(separator: " ").contains { $0.hasPrefix("HTTP/") }
            }
            guard kind.lines.contains(where: isLog) else { return nil }
            return "what curl -v prints, which lacks the body: capture the request's own bytes"
        },
        { kind in
            guard ["== Info:", "=> Send ", "<= Recv "].contains(where: kind.first.hasPrefix) else { return nil }
            return "a trace of curl: capture the request's own bytes"
        },
        { $0.isHexadecimalDump ? "a hex dump: turn it into bytes, as with xxd -r" : nil },
        { kind in
            let isPseudoField = { (line: String) in line.drop { $0 == " " }.hasPrefix(":method") }
            guard kind.lines.contains(where: isPseudoField) else { return nil }
            return "a dump of HTTP/2: replace the lines that begin with a colon by one, such as POST / HTTP/1.1"
        },
        { $0.isBase64 ? "in base64: decode it, as with base64 -d" : nil },
        { kind in
            let fields = kind.first.split(separator: "&")
            guard kind.lines.count == 1, isPlain(kind.first, or: "%+._*~-=&[]"), !fields.isEmpty,
                fields.allSatisfy({ $0.dropFirst().contains("=") })
            else { return nil }
            return "form-urlencoded: the sender has to choose multipart/form-data, in HTML with enctype"
        },
    ]

    private var isJSON: Bool {
        let isSpace = { (byte: UInt8) in " \t\r\n".utf8.contains(byte) }
        let text = bytes.drop(while: isSpace)
        guard let first = text.first, "{[".utf8.contains(first) else { return false }
        return text.dropFirst().drop(while: isSpace).first.map { "\"{}[]".utf8.contains($0) } ?? false
    }

    /// Whether the first line looks like the output of xxd, hexdump or od. Plain hexadecimal digits also count if they
    /// begin with `2d2d` or `2d 2d`, the bytes of two hyphens.
    private var isHexadecimalDump: Bool {
        let isDigits = { (text: Substring) in text.utf8.allSatisfy { ASCII.hexadecimalValue($0) != nil } }
        let words = first.split(separator: " ").prefix(2)
        guard words.count == 2 else { return first.hasPrefix("2d2d") && isDigits(first[...]) }
        if words[0].hasPrefix("0000000") { return true }
        return isDigits(words[1]) && (words[0].hasPrefix("0000") || words == ["2d", "2d"])
    }

    /// Whether the first line looks like base64. A line of fewer than 60 characters must also decode to text that
    /// begins with two hyphens.
    private var isBase64: Bool {
        guard Self.isPlain(first, or: "+/="), first.utf8.count >= 4 else { return false }
        let text = first.drop { $0 != "=" }
        return text.allSatisfy { $0 == "=" } && text.count < 3
            && (["LS0", "LS1"].contains(where: first.hasPrefix) || first.utf8.count >= 60)
    }

    /// Whether a text has only ASCII letters, ASCII digits and the characters in `others`.
    private static func isPlain(_ text: String, or others: String) -> Bool {
        text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || others.contains($0) }
    }

    private func hasText(_ text: String) -> Bool {
        let text = Array(text.utf8)
        return bytes.indices.contains { bytes[$0] == text[0] && bytes[$0...].starts(with: text) }
    }
}
