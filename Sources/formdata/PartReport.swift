import Foundation
import MultipartForm

/// What is reported of a part: its identity, its headers, and where its body went.
struct PartReport: Encodable {
    /// The name of the form's field.
    @OrNull private(set) var name: String?
    /// The file name as it was sent.
    @OrNull private(set) var filename: String?
    /// The media type as it was sent.
    @OrNull private(set) var contentType: String?
    /// The names and values of the header fields, in order.
    let headers: [[String]]
    /// The length of the body in bytes, once it is known.
    var length: UInt64?
    /// The name of the file that has the body.
    var file: String?
    /// Whether the part ended with a delimiter; nil if all parts did.
    var complete: Bool?

    init(_ headers: HeaderFields) {
        self.name = headers.name
        self.filename = headers.filename
        self.contentType = headers.contentType
        self.headers = headers.map { [$0.name, $0.value] }
    }
}

/// What is reported of an error of the message.
struct ErrorReport: Encodable {
    private let code: String
    @OrNull private var offset: UInt64?
    @OrNull private var part: Int?
    private let message: String

    init(_ error: ToolError) {
        self.code = error.code
        self.offset = error.offset
        self.part = error.part
        self.message = error.message
    }
}

/// A member of a JSON object that is null when it has no value, and not left out.
@propertyWrapper
struct OrNull<Value: Encodable>: Encodable {
    var wrappedValue: Value?

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
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
