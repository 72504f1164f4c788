import MultipartFormCodec

/// A finding in a message: an error that strict mode would report, or a note for a person who debugs the message.
struct Finding {
    /// The code of the error; nil for a note.
    let code: String?
    /// The part, the reason and the offset on one line, escaped for a terminal.
    let message: String
    let offset: UInt64?
    let part: Int?

    var members: [String: JSONValue] {
        [
            "code": JSONValue(code), "offset": JSONValue(offset), "part": JSONValue(part.map(UInt64.init)),
            "message": .text(message),
        ]
    }

    /// Creates a finding from an error of the library. If `words` is not nil, it replaces the reason of the error.
    init(_ error: MultipartError, _ words: String? = nil) {
        code = error.code.description
        (offset, part) = (error.offset, error.partIndex)
        let text = Self.part(error.partIndex, error.partName) + (words ?? error.reason)
        message = TerminalText.escaped(text) + (error.offset.map { " (at offset \($0))" } ?? "")
    }

    /// Creates a note on a part, or on the message if `part` is nil.
    init(_ note: String, part: Int? = nil, name: String? = nil) {
        (code, offset, self.part) = (nil, nil, part)
        message = Self.part(part, name) + TerminalText.truncated(TerminalText.escaped(note), toWidth: 300)
    }

    private static func part(_ index: Int?, _ name: String?) -> String {
        guard let index else { return "" }
        let shown = name.map { " \"\(TerminalText.truncated(TerminalText.escaped($0), toWidth: 64))\"" } ?? ""
        return "part \(index)\(shown): "
    }
}

/// The first 1000 findings of a message, and the number of all findings.
package struct FindingList {
    private static let limit = 1000

    /// The head of the HTTP message whose body is the multipart message; nil without an HTTP message.
    var head: HTTPHead?
    private(set) var findings: [Finding] = []
    private(set) var count = 0

    mutating func append(_ finding: Finding) {
        count += 1
        if findings.count < Self.limit { findings.append(finding) }
    }

    mutating func append(contentsOf others: some Sequence<Finding>) {
        for finding in others { append(finding) }
    }

    mutating func append(contentsOf other: FindingList) {
        append(contentsOf: other.findings)
        count += other.count - other.findings.count
    }

    /// The lines to print: one for the HTTP head, one for each of the first 1000 findings, and one with the number of
    /// further findings.
    package var lines: [String] {
        var lines = findings.map { "\($0.code.map { "tolerated: \($0)" } ?? "note"): \($0.message)" }
        if count > findings.count { lines.append("note: and \(count - findings.count) more") }
        if let head {
            let line =
                head.startLine.map { " \"\(TerminalText.truncated(TerminalText.escaped($0), toWidth: 60))\"," } ?? ""
            lines.insert("head:\(line) \(head.length.inBytes); offsets begin after it", at: 0)
        }
        return lines
    }

    /// The members `findings`, `moreFindings` and `head` of the JSON object that `inspect` prints. An empty member is
    /// left out.
    var members: [(name: String, value: JSONValue)] {
        var members: [(name: String, value: JSONValue)] = []
        if !findings.isEmpty { members.append(("findings", .array(findings.map { .object($0.members) }))) }
        if count > findings.count { members.append(("moreFindings", .number(UInt64(count - findings.count)))) }
        if let head {
            let object = ["startLine": JSONValue(head.startLine), "length": .number(UInt64(head.length))]
            members.append(("head", .object(object)))
        }
        return members
    }
}

extension ToolError {
    /// Creates a tool error from an error of the library. If `words` is not nil, the message has `words` in place of
    /// the reason.
    init(_ error: MultipartError, _ words: String?) {
        self.init(error, saying: words.map { Finding(error, $0).message } ?? error.description)
    }
}
