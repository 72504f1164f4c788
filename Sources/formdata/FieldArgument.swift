/// A field of the form, as `-F` gives it in curl's syntax.
struct FieldArgument: Equatable {
    enum Content: Equatable {
        /// The argument itself.
        case text(String)
        /// A file that is sent as one; `-` is standard input.
        case file(path: String)
        /// A file whose content is a field's value; `-` is standard input.
        case value(path: String)
    }

    let name: String
    let content: Content
    var type: String?
    var filename: String?

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
        return FieldArgument(name: name, content: .text(String(decoding: value, as: UTF8.self)))
    }

    /// Reads the value of `-F`: one field, or one for each file of a list.
    ///
    /// - Throws: ``ToolError`` if it does not follow the syntax.
    static func parse(_ argument: String) throws -> [FieldArgument] {
        let (name, value) = try split(argument)
        let isList = value.first == UInt8(ascii: "@")
        var scanner = FieldScanner(rest: value, isList: isList)
        guard isList || value.first == UInt8(ascii: "<") else {
            let field = FieldArgument(name: name, content: .text(scanner.value()))
            return [try scanner.parameters(of: field)]
        }
        var fields: [FieldArgument] = []
        // Each turn skips the sign or a comma.
        repeat {
            scanner.skip()
            let path = scanner.word()
            guard !path.isEmpty else { throw ToolError.usage("field has no path") }
            guard !path.utf8.contains(0) else { throw ToolError.usage("path has a NUL") }
            let field = FieldArgument(name: name, content: isList ? .file(path: path) : .value(path: path))
            fields.append(try scanner.parameters(of: field))
        } while !scanner.isAtEnd
        return fields
    }

    private static func split(_ argument: String) throws -> (name: String, value: ArraySlice<UInt8>) {
        let bytes = Array(argument.utf8)
        guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else {
            throw ToolError.usage("field \(argument) has no =")
        }
        return (String(decoding: bytes[..<equals], as: UTF8.self), bytes[(equals + 1)...])
    }
}
