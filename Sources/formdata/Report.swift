import Foundation
import MultipartForm

/// The JSON that `inspect` prints and `decode` writes to its manifest.
enum Report {
    static func members(_ headers: HeaderFields) -> [String: Any] {
        [
            "name": headers.name ?? NSNull(), "filename": headers.filename ?? NSNull(),
            "contentType": headers.contentType ?? NSNull(), "headers": headers.map { [$0.name, $0.value] },
        ]
    }

    /// An object as JSON, on one line, with its keys in alphabetical order, fit for a terminal.
    static func json(_ object: [String: Any]) throws -> String {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        let data = try JSONSerialization.data(withJSONObject: object, options: options)
        // Outside of texts JSON has plain characters only.
        return TerminalText.escaped(String(decoding: data, as: UTF8.self)) { scalar in
            String(scalar).utf16.map { "\\u\(String(0x1_0000 + Int($0), radix: 16).dropFirst())" }.joined()
        }
    }
}
