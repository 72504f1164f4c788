import MultipartForm

/// The JSON that `inspect` prints and `decode` writes to its manifest.
enum Report {
    static func members(_ headers: HeaderFields) -> [String: JSONValue] {
        [
            "name": JSONValue(headers.name), "filename": JSONValue(headers.filename),
            "contentType": JSONValue(headers.contentType),
            "headers": .array(headers.map { .array([.text($0.name), .text($0.value)]) }),
        ]
    }

    /// An object as JSON, on one line, with its keys in alphabetical order, fit for a terminal.
    static func json(_ object: [String: JSONValue]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(object)
        // Outside of texts JSON has plain characters only.
        return TerminalText.escaped(String(decoding: data, as: UTF8.self)) { scalar in
            String(scalar).utf16.map { "\\u\(String(0x1_0000 + Int($0), radix: 16).dropFirst())" }.joined()
        }
    }
}
