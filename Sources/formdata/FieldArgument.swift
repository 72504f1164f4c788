import MultipartFormCodec

/// A field of the form, parsed from an argument of `-F` or `--form-string`.
struct FieldArgument {
    enum Content: Equatable {
        case text(String)
        /// The path of a file whose content is sent; `-` is standard input.
        case path(String)
    }

    let name: String
    let content: Content
    var type: String?
    /// The file name that the part is sent with; nil for a part without a file name.
    var filename: String?
    /// Notes to print: where curl behaves differently, and which text was skipped.
    var notes: [String] = []

    /// Parses an argument of `--form-string`. The text after the first `=` is the value, unchanged.
    static func literal(_ argument: String) throws -> FieldArgument {
        let (name, value) = try split(argument)
        return FieldArgument(name: name, content: .text(String(value)))
    }

    /// Parses an argument of `-F` into one field, or into one field for each file of a list.
    static func parse(_ argument: String) throws -> [FieldArgument] {
        let (name, value) = try split(argument)
        let isList = value.first == "@"
        let hasPath = isList || value.first == "<"
        var scanner = FieldScanner(rest: value, isList: isList)
        var fields: [FieldArgument] = []
        // Each pass reads one path or one text, with its parameters.
        repeat {
            let content = hasPath ? Content.path(try scanner.path()) : .text(scanner.word())
            var field = FieldArgument(name: name, content: content)
            try scanner.readParameters(into: &field)
            if isList, case .path(let path) = content { field.completeFile(at: path) }
            fields.append(field)
        } while !scanner.rest.isEmpty
        if value.first == "(" { fields[0].notes.append("sent as text, though curl begins a group with (") }
        fields[0].notes += scanner.notes
        return fields
    }

    private static func split(_ argument: String) throws -> (name: String, value: Substring.UnicodeScalarView) {
        let halves = argument.unicodeScalars.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2 else { throw ToolError.usage("field \(argument) has no =") }
        return (String(halves[0]), halves[1])
    }

    /// Fills in a missing file name and a missing type. The file name is the last component of the path. The extension
    /// of the file name gives the type. If that extension is unknown, the extension of the path gives the type, as in
    /// curl.
    private mutating func completeFile(at path: String) {
        // Splits scalars, not characters: a slash with a combining mark after it is one `Character`, which does not
        // equal a slash.
        let last = path.unicodeScalars.split(separator: "/").last.map { String($0) } ?? path
        let sent = filename ?? last
        filename = sent
        type = type ?? MediaType.forFilename(sent) ?? MediaType.forFilename(last)
    }
}
