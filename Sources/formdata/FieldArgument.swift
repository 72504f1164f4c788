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
    /// Notes on what curl would do otherwise, and on what is skipped, as curl does.
    var notes: [String] = []

    /// The field that `--form-string` gives, whose text is taken as it is.
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
        // Each pass takes a path with the sign or the comma before it, or all of a text.
        repeat {
            let content = hasPath ? Content.path(try scanner.path()) : .text(scanner.word())
            var field = FieldArgument(name: name, content: content)
            try scanner.readParameters(into: &field)
            if isList, case .path(let path) = content { field.completeFile(at: path) }
            // The type for the file name to send, even if the content is a text.
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

    /// Takes the file name from the path unless it is given, and the type from the name to send or else from the path.
    private mutating func completeFile(at path: String) {
        // Scalars, since a slash and a combining mark after it are one Character.
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
