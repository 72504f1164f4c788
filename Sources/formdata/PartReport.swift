import Foundation
import MultipartForm

/// What is reported of a part: its identity, its headers, and where its body went.
struct PartReport {
    /// The name of the form's field.
    let name: String?
    /// The file name as it was sent.
    let filename: String?
    /// The media type as it was sent.
    let contentType: String?
    /// The header fields, in order.
    let headers: HeaderFields
    /// The length of the body in bytes, once it is known.
    var length: UInt64?
    /// The name of the file that has the body.
    var file: String?
    /// Whether the part ended with a delimiter; nil if all parts did.
    var isComplete: Bool?

    init(_ headers: HeaderFields) {
        self.name = headers.name
        self.filename = headers.filename
        self.contentType = headers.contentType
        self.headers = headers
    }
}

extension PartReport: Encodable {
    private enum CodingKeys: String, CodingKey {
        case name, filename, contentType, headers, length, file
        case isComplete = "complete"
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        // Null for what was not sent.
        try members.encode(name, forKey: .name)
        try members.encode(filename, forKey: .filename)
        try members.encode(contentType, forKey: .contentType)
        try members.encode(headers.map { [$0.name, $0.value] }, forKey: .headers)
        try members.encodeIfPresent(length, forKey: .length)
        try members.encodeIfPresent(file, forKey: .file)
        try members.encodeIfPresent(isComplete, forKey: .isComplete)
    }
}

extension Encodable {
    /// The value as JSON, on one line, with its keys in alphabetical order. What a
    /// terminal might obey is escaped.
    var json: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            var escaped = ""
            // Outside of texts JSON has plain characters only.
            for scalar in String(decoding: try encoder.encode(self), as: UTF8.self).unicodeScalars {
                if TerminalText.isPlain(scalar) {
                    escaped.unicodeScalars.append(scalar)
                } else {
                    for unit in String(scalar).utf16 {
                        escaped += "\\u" + String(UInt32(unit) + 0x1_0000, radix: 16).dropFirst()
                    }
                }
            }
            return Array(escaped.utf8)
        }
    }
}
