import MultipartForm

/// A field of the form, as `-F` gives it in curl's syntax.
struct FieldArgument {
    enum Content: Equatable {
        case text(String)
        /// The path of a file whose content is sent; `-` is standard input.
        case path(String)
    }

    let name: String
    let content: Content
    var type: String?
    /// The file name to send; nil if the content is a field's value.
    var filename: String?
    /// Notes on what curl would do differently, and on text that is skipped, as curl skips it.
    var notes: [String] = []

    /// The field that `--form-string` gives. Its text is taken unchanged.
    static func literal(_ argument: String) throws -> FieldArgument {
        let (name, value) = try split(argument)
        return FieldArgument(name: name, content: .text(String(value)))
    }

    /// The fields that `-F` gives: one, or one for each file of a list.
    static func parse(_ argument: String) throws -> [FieldArgument] {
        let (name, value) = try split(argument)
        let isList = value.first == "@"
        let hasPath = isList || value.first == "<"
        var scanner = FieldScanner(rest: value, isList: isList)
        var fields: [FieldArgument] = []
        // Each pass reads one path, with the `@`, `<` or comma before it, or the whole value of a text field.
        repeat {
            let content = hasPath ? Content.path(try scanner.path()) : .text(scanner.word())
            var field = FieldArgument(name: name, content: content)
            try scanner.readParameters(into: &field)
            if isList, case .path(let path) = content { field.completeFile(at: path) }
            // If there is no type, uses the type for the file name to send, even if the content is a text.
            field.type = field.type ?? field.filename.flatMap(Self.type)
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

    /// Fills in what is not given: the file name, from the path; the type, from the file name to send, else from the
    /// path.
    private mutating func completeFile(at path: String) {
        // Splits scalars, not characters, because a slash and a combining mark after it are one Character.
        let last = path.unicodeScalars.split(separator: "/").last.map { String($0) } ?? path
        let sent = filename ?? last
        filename = sent
        type = type ?? Self.type(ofFile: sent) ?? Self.type(ofFile: last)
    }

    private static func type(ofFile name: String) -> String? {
        // A dot at the start does not begin an extension.
        guard let dot = name.dropFirst().lastIndex(of: ".") else { return nil }
        return BodyPart.contentType(ofPathExtension: String(name[dot...].dropFirst()))
    }
}
