import MultipartFormCodec

/// Recognizes input that is not a form's bytes, such as JSON, a log or a hex dump, by its first bytes. The input is not
/// parsed.
///
/// Each function in `all` recognizes one kind of input and returns a description, or returns nil. The first description
/// is used. A kind that is recognized only by how the input begins has no function of its own: it is a line of
/// `signatures` or `beginnings`.
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

    /// Whether the input is an audit log or a printed text that contains a form. The first line of such an input is not
    /// a delimiter, even if it looks like one.
    static func isWrapper(_ bytes: ArraySlice<UInt8>) -> Bool {
        // A line that looks like a delimiter has at most 300 bytes. So 512 bytes contain all of the first line, and
        // only a later line may be cut.
        let beginning = OtherKind(bytes.prefix(512))
        return auditLog(beginning) != nil || printed(beginning) != nil
    }

    private init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
    }

    private var first: String { lines.first ?? "" }

    /// The first bytes of inputs that are not text.
    private static let signatures: [(bytes: [[UInt8]], words: String)] = [
        ([[0x1F, 0x8B]], "compressed with gzip: decompress it, as with gunzip"),
        (
            [
                [0xD4, 0xC3, 0xB2, 0xA1], [0xA1, 0xB2, 0xC3, 0xD4], [0x4D, 0x3C, 0xB2, 0xA1], [0x0A, 0x0D, 0x0D, 0x0A],
            ],
            "a capture of packets: export the TCP stream as raw bytes, as Wireshark's Follow does"
        ),
    ]

    /// The beginnings of texts, in lower case.
    private static let beginnings: [(texts: [String], words: String)] = [
        (["<!doctype html", "<html"], "an HTML page, perhaps the answer of a server: capture the request"),
        (["== info:", "=> send ", "<= recv "], "a trace of curl: capture the request's own bytes"),
        (["curl ", "curl.exe "], "a command of curl: run it against nc, and inspect what nc receives"),
        (
            ["fetch(", "await fetch("],
            "a call of fetch, as browsers copy it, without files: capture the request's own bytes"
        ),
        (
            ["$session", "invoke-webrequest "],
            "a command of PowerShell, as browsers copy it, without files: capture the request's own bytes"
        ),
        (["<buffer "], "what Node.js prints of a Buffer, at most its first 50 bytes: write the Buffer to a file"),
    ]

    private static let all: [@Sendable (OtherKind) -> String?] = [
        { kind in signatures.first { $0.bytes.contains(where: kind.bytes.starts) }?.words },
        { kind in
            ContentFormat.format(of: kind.bytes).map { "a \($0.name) file, not a form: send it in a part of a form" }
        },
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
            let text = kind.first.drop { $0 == " " || $0 == "\t" }.lowercased()
            return beginnings.first { $0.texts.contains(where: text.hasPrefix) }?.words
        },
        { $0.isInChunks ? "in chunks: put an HTTP head with Transfer-Encoding: chunked before it" : nil },
        { kind in
            guard kind.isJSON, kind.hasText("\"log\""), kind.hasText("\"creator\"") || kind.hasText("\"entries\"")
            else {
                return nil
            }
            return "a HAR file, in which browsers leave out files: capture the request's own bytes"
        },
        { kind in
            // The base64 of a text that begins with two hyphens begins with `LS0` or `LS1`.
            let bodies = ["LS0", "LS1"].flatMap { ["\"body\": \"\($0)", "\"body\":\"\($0)"] }
            guard kind.isJSON, bodies.contains(where: kind.hasText) else { return nil }
            return "an event of API Gateway: decode its member \"body\", as with jq -r .body and base64 -d"
        },
        { $0.isNumbers ? "a list of bytes as numbers: write the bytes themselves to a file" : nil },
        auditLog,
        printed,
        { $0.isJSON ? "JSON, not a form: the sender has to encode a form, as with FormData" : nil },
        { kind in
            let isLog = { (line: String) in
                line.hasPrefix("*   Trying")
                    || line.hasPrefix("> ") && line.split(separator: " ").contains { $0.hasPrefix("HTTP/") }
            }
            guard kind.lines.contains(where: isLog) else { return nil }
            return "what curl -v prints, which lacks the body: capture the request's own bytes"
        },
        { kind in
            let words = kind.first.split(whereSeparator: \.isWhitespace)
            guard words.first == "0x0000:" || words.dropFirst().first == "IP" && words.contains(">") else { return nil }
            return "what tcpdump prints: write a file with -w, and export the TCP stream as raw bytes"
        },
        { $0.isHexadecimalDump ? "a hex dump: turn it into bytes, as with xxd -r" : nil },
        { kind in
            let isPseudoField = { (line: String) in line.drop { $0 == " " }.hasPrefix(":method") }
            guard kind.lines.contains(where: isPseudoField) else { return nil }
            return "a dump of HTTP/2: replace the lines that begin with a colon by one, such as POST / HTTP/1.1"
        },
        { kind in
            guard kind.hasText("burpVersion") else { return nil }
            return "a file of Burp: decode its element request, as with base64 -d"
        },
        { kind in
            // mod_dumpio writes its name in each line of its log, so the first line suffices.
            guard kind.first.split(separator: " ").contains("mod_dumpio:") else { return nil }
            return "a log of mod_dumpio: capture the request's own bytes"
        },
        { kind in
            // The first line has no HTTP version, because the IDE adds the version when it sends the request.
            let words = kind.first.split(separator: " ")
            let isRequest = words.count == 2 && words[0].allSatisfy(\.isUppercase)
            guard isRequest, ["http", "{{"].contains(where: words[1].hasPrefix) else { return nil }
            return "a request for an IDE to send: send it to nc, and inspect what nc receives"
        },
        { $0.isBase64 ? "in base64: decode it, as with base64 -d" : nil },
        { kind in
            let fields = kind.first.split(separator: "&")
            guard kind.lines.count == 1, isPlain(kind.first, or: "%+._*~-=&[]@/"), !fields.isEmpty,
                fields.allSatisfy({ $0.dropFirst().contains("=") })
            else { return nil }
            // For `name=@path`, only `curl -F` sends the file at the path. `curl -d` sends the text `@path`.
            let hasPath = fields.contains { $0.drop { $0 != "=" }.hasPrefix("=@") }
            let remedy = hasPath ? "as curl -d sends it: use curl -F" : "in HTML with enctype"
            return "form-urlencoded: the sender has to choose multipart/form-data, \(remedy)"
        },
        { kind in
            guard kind.lines.count == 1, let language = ObjectText.language(of: kind.first) else { return nil }
            let shown = HeaderLine.shown(ContiguousArray(kind.first.utf8)[...], columns: 64)
            return "\(shown), which \(language) makes of an object: send the bytes of the form"
        },
    ]

    private static func auditLog(_ kind: OtherKind) -> String? {
        let isMark = kind.first.hasPrefix("--") && kind.first.dropFirst(3).hasSuffix("-A--")
        guard isMark, kind.lines.dropFirst().first?.first == "[" else { return nil }
        return "an audit log of ModSecurity: inspect its part C, which is the body"
    }

    private static func printed(_ kind: OtherKind) -> String? {
        guard let words = PrintedMessage.words(for: kind.bytes) else { return nil }
        return kind.isJSON ? "JSON with a form in a string: decode the string, as with jq -j" : words
    }

    /// Whether the input begins with the size of a chunk (RFC 9112 §7.1), and then with a delimiter.
    private var isInChunks: Bool { MessageOpening(bytes).isInChunks }

    /// Whether the text has a list of decimal numbers that begins with the bytes of `--` or `POST`.
    private var isNumbers: Bool {
        let list = lines.joined(separator: " ").drop { $0 != "[" }.dropFirst().split { ", ]".contains($0) }
        return list.starts(with: ["45", "45"]) || list.starts(with: ["80", "79", "83", "84"])
    }

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
