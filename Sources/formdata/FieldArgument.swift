/// A field of the form, as `-F` tells it in curl's syntax.
struct FieldArgument: Equatable {
    /// Where the field's bytes come from.
    enum Content: Equatable {
        /// The argument itself.
        case text(String)
        /// A file that is sent as one; `-` is standard input.
        case file(path: String)
        /// A file whose content is a field's value; `-` is standard input.
        case value(path: String)
    }

    /// The name of the form's field.
    let name: String

    /// Where the field's bytes come from.
    let content: Content

    /// The media type, if it was given.
    let type: String?

    /// The file name, if it was given.
    let filename: String?

    /// Whether the content is read from standard input.
    var readsStandardInput: Bool {
        switch content {
        case .text: false
        case .file(let path), .value(let path): ["-", "/dev/stdin"].contains(path)
        }
    }

    /// Reads the value of `--form-string`, whose text is taken as it is.
    static func literal(_ argument: String) throws -> FieldArgument {
        let (name, value) = try split(argument)
        return FieldArgument(
            name: name,
            content: .text(String(decoding: value, as: UTF8.self)),
            type: nil,
            filename: nil
        )
    }

    /// Reads the value of `-F`: one field, or one for each file of a list.
    ///
    /// - Throws: ``ToolError`` if it does not follow the syntax.
    static func parse(_ argument: String) throws -> [FieldArgument] {
        let (name, value) = try split(argument)
        var scanner = FieldScanner(value)
        switch value.first {
        case UInt8(ascii: "@"):
            return try files(named: name, &scanner)
        case UInt8(ascii: "<"):
            scanner.skip(1)
            let path = try path(&scanner, inList: false)
            let parameters = try scanner.parameters(inList: false)
            return [FieldArgument(name: name, content: .value(path: path), parameters)]
        default:
            let text = scanner.value()
            let parameters = try scanner.parameters(inList: false)
            return [FieldArgument(name: name, content: .text(text), parameters)]
        }
    }

    private init(name: String, content: Content, _ parameters: FieldScanner.Parameters) {
        self.init(name: name, content: content, type: parameters.type, filename: parameters.filename)
    }

    private init(name: String, content: Content, type: String?, filename: String?) {
        self.name = name
        self.content = content
        self.type = type
        self.filename = filename
    }

    private static func files(named name: String, _ scanner: inout FieldScanner) throws -> [FieldArgument] {
        var fields: [FieldArgument] = []
        // Each turn skips the at sign or a comma.
        repeat {
            scanner.skip(1)
            let path = try path(&scanner, inList: true)
            let parameters = try scanner.parameters(inList: true)
            fields.append(FieldArgument(name: name, content: .file(path: path), parameters))
        } while !scanner.isAtEnd
        return fields
    }

    private static func path(_ scanner: inout FieldScanner, inList: Bool) throws -> String {
        let path = scanner.word(inList: inList)
        guard !path.isEmpty else { throw ToolError.usage("field has no path") }
        guard !path.utf8.contains(0) else { throw ToolError.usage("path has a NUL") }
        return path
    }

    private static func split(_ argument: String) throws -> (name: String, value: [UInt8]) {
        let bytes = Array(argument.utf8)
        guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else {
            throw ToolError.usage("field \(argument) has no =")
        }
        return (String(decoding: bytes[..<equals], as: UTF8.self), Array(bytes[(equals + 1)...]))
    }
}
