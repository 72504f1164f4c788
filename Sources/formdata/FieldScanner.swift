/// Scans what follows the `=` of a field in curl's syntax.
///
/// - Input: the bytes of a value, or of paths, with parameters after them.
/// - Output: words with their quotes undone, and the parameters `type` and `filename`.
/// - Cost: linear; `rest` only gets shorter, and each semicolon looks a few bytes ahead.
struct FieldScanner {
    var rest: ArraySlice<UInt8>
    /// Whether a comma separates paths.
    let isList: Bool

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip() {
        rest = rest.dropFirst()
    }

    /// A text field's value: a quoted word, or all up to the first known parameter.
    mutating func value() -> String {
        quotedWord() ?? String(decoding: take { $0.parameter(at: $1) != nil }, as: UTF8.self)
    }

    /// A path or file name: a quoted word, or all up to a semicolon, or to a comma in a list.
    mutating func word() -> String {
        rest = rest.drop(while: Self.isSpace)
        return quotedWord() ?? Self.trimmed(take { $0.isEnd($0.rest[$1]) })
    }

    /// A field with its parameters up to the end, or to a comma in a list.
    ///
    /// - Throws: ``ToolError`` for a parameter that is unknown or malformed.
    mutating func parameters(of field: FieldArgument) throws -> FieldArgument {
        var field = field
        // Each turn scans a semicolon at least.
        while rest.first == UInt8(ascii: ";") {
            guard let (name, value) = parameter(at: rest.startIndex) else {
                skip()
                let word = word()
                guard word.isEmpty else { throw ToolError.usage("field has an unknown parameter ;\(word)") }
                continue
            }
            rest = value
            switch name {
            case "type=": field.type = try mediaType()
            case "filename=": field.filename = word()
            default: throw ToolError.usage("field parameter ;\(name) is not supported")
            }
        }
        return field
    }

    /// A media type with its own parameters, up to the next parameter of the field.
    private mutating func mediaType() throws -> String {
        var isQuoted = false
        let bytes = take { scanner, index in
            let byte = scanner.rest[index]
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            let isComma = scanner.isList && byte == UInt8(ascii: ",")
            return !isQuoted && (isComma || scanner.parameter(at: index) != nil)
        }
        let type = Self.trimmed(bytes)
        let halves = type.prefix { $0 != ";" }.split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2, halves.allSatisfy({ !$0.isEmpty }) else {
            throw ToolError.usage("field has a malformed type \(type)")
        }
        return type
    }

    /// A word in quotes with nothing but white space between it and its end; otherwise its quotes mean nothing.
    private mutating func quotedWord() -> String? {
        guard rest.first == UInt8(ascii: "\"") else { return nil }
        var tail = rest.dropFirst()
        var word: [UInt8] = []
        while let byte = tail.popFirst() {
            if byte == UInt8(ascii: "\"") {
                tail = tail.drop(while: Self.isSpace)
                guard tail.first.map(isEnd) ?? true else { return nil }
                rest = tail
                return String(decoding: word, as: UTF8.self)
            }
            let isEscape = byte == UInt8(ascii: "\\") && tail.first.map("\"\\".utf8.contains) == true
            word.append(isEscape ? tail.removeFirst() : byte)
        }
        return nil
    }

    /// The name of the parameter at a semicolon, with its `=`, and what follows it; nil if curl has none of that name.
    private func parameter(at semicolon: Int) -> (name: String, value: ArraySlice<UInt8>)? {
        guard rest[semicolon] == UInt8(ascii: ";") else { return nil }
        let text = rest[(semicolon + 1)...].drop(while: Self.isSpace)
        for name in ["type=", "filename=", "headers=", "encoder="] {
            let found = text.prefix(name.utf8.count)
            guard String(decoding: found, as: UTF8.self).lowercased() == name else { continue }
            return (name, text.dropFirst(found.count))
        }
        return nil
    }

    /// Takes the bytes up to the first index that is an end.
    private mutating func take(upTo isEnd: (FieldScanner, Int) -> Bool) -> ArraySlice<UInt8> {
        let end = rest.indices.first { isEnd(self, $0) } ?? rest.endIndex
        defer { rest = rest[end...] }
        return rest[..<end]
    }

    private func isEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ";") || (isList && byte == UInt8(ascii: ","))
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        var bytes = bytes.drop(while: isSpace)
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
