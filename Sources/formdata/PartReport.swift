import Foundation
import MultipartForm

/// What is reported of a part: its identity, its headers, and what became of its body.
struct PartReport {
    let name: String?
    let filename: String?
    let contentType: String?
    var members: [String: Any]

    init(_ headers: HeaderFields) {
        name = headers.name
        filename = headers.filename
        contentType = headers.contentType
        members = [
            "name": name ?? NSNull(), "filename": filename ?? NSNull(), "contentType": contentType ?? NSNull(),
            "headers": headers.map { [$0.name, $0.value] },
        ]
    }

    /// The name of a file for the part: its file name or else its field's name, made safe.
    var wantedName: String {
        [filename, name].lazy.compactMap { BodyPart(Data(), name: "", filename: $0).safeFilename }.first ?? "part"
    }

    /// An object as JSON, on one line, with its keys in alphabetical order, fit for a terminal.
    static func json(_ object: [String: Any]) throws -> String {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        let data = try JSONSerialization.data(withJSONObject: object, options: options)
        // Outside of texts JSON has plain characters only.
        return TerminalText.escaped(String(decoding: data, as: UTF8.self)) { scalar in
            String(scalar).utf16.map { "\\u" + String(0x1_0000 + UInt32($0), radix: 16).dropFirst() }.joined()
        }
    }
}
