import MultipartForm

/// Something that a person who looks for the fault in a message may want to know.
struct Finding {
    /// The code of strict mode's error; nil for what both modes accept.
    let code: String?
    /// The fact and its place, on one line, fit for a terminal.
    let message: String
    let offset: UInt64?
    let part: Int?

    var members: [String: JSONValue] {
        [
            "code": JSONValue(code), "offset": JSONValue(offset), "part": JSONValue(part.map(UInt64.init)),
            "message": .text(message),
        ]
    }

    /// What strict mode refuses, in the error's words or in others.
    init(_ error: MultipartError, _ fact: String? = nil) {
        code = error.code.description
        (offset, part) = (error.offset, error.partIndex)
        guard let fact else {
            message = TerminalText.escaped(error.description)
            return
        }
        let place = error.offset.map { " (at offset \($0))" } ?? ""
        message = Self.part(error.partIndex, error.partName) + fact + place
    }

    init(remark: String, part: Int? = nil, name: String? = nil) {
        (code, offset, self.part) = (nil, nil, part)
        message = Self.part(part, name) + TerminalText.escaped(remark)
    }

    private static func part(_ index: Int?, _ name: String?) -> String {
        guard let index else { return "" }
        let shown = name.map { " \"\(TerminalText.truncated(TerminalText.escaped($0), toWidth: 64))\"" } ?? ""
        return "part \(index)\(shown): "
    }
}

// What looks like a mistake in a name or a file name, though both modes accept it.
extension Finding {
    static func remarks(name: String?, filename: String?) -> [String] {
        var remarks: [String] = []
        if let name, let text = decodedTwice(name) { remarks.append("name seems to be UTF-8 encoded twice: \(text)") }
        guard let filename else { return remarks }
        if let text = decodedTwice(filename) { remarks.append("file name seems to be UTF-8 encoded twice: \(text)") }
        if filename.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }) {
            remarks.append("file name is a path: \(filename)")
        }
        return remarks.map { TerminalText.truncated($0, toWidth: 160) }
    }

    /// The text that a sender encoded as UTF-8, took for Windows-1252 or ISO-8859-1, and encoded again; nil if it
    /// cannot have done so, or if it would make no difference.
    private static func decodedTwice(_ text: String) -> String? {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
        var bytes: ContiguousArray<UInt8> = []
        for scalar in text.unicodeScalars {
            guard let byte = Charset.windows1252Byte(scalar) else { return nil }
            bytes.append(byte)
        }
        return String(validating: bytes.span)
    }
}

/// The findings of a message; of very many only their number.
package struct FindingList {
    private static let limit = 1000

    /// The head of the HTTP message, if the message is in one.
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

    /// The lines to print for a message that was read in a mode.
    package func lines(isStrict: Bool) -> [String] {
        var lines = findings.map { finding in
            guard let code = finding.code else { return "note: \(finding.message)" }
            return "\(isStrict ? "refused" : "tolerated"): \(code): \(finding.message)"
        }
        if count > findings.count { lines.append("note: and \(count - findings.count) more") }
        if let head {
            let line =
                head.startLine.map { " \"\(TerminalText.truncated(TerminalText.escaped($0), toWidth: 60))\"," } ?? ""
            lines.insert("head:\(line) \(head.length.inBytes); offsets begin after it", at: 0)
        }
        return lines
    }

    /// The members of the JSON object: none for a message without a finding.
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
