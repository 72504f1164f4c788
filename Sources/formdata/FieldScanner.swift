/// Scans the text after the `=` of an `-F` argument, in curl's syntax.
///
/// - Input: a text, a path or a list of paths, each with optional parameters.
/// - Output: words without their quotes, the parameters `type` and `filename`, and notes on skipped text.
/// - Cost: linear. Each step shortens `rest`.
struct FieldScanner {
    private(set) var rest: Substring.UnicodeScalarView
    /// Whether commas separate paths.
    let isList: Bool
    private(set) var notes: [String] = []

    mutating func path() throws -> String {
        rest.removeFirst()
        let path = word()
        guard !path.isEmpty else { throw ToolError.usage("field has no path") }
        return path
    }

    /// Reads the parameters that follow a text or a path, such as `;type=text/plain`. In a list, the parameters end at
    /// a comma.
    mutating func readParameters(into field: inout FieldArgument) throws {
        // Each pass removes at least a semicolon from `rest`.
        while rest.first == ";" {
            let parameter = parameter(at: rest.startIndex)
            rest = parameter?.value ?? rest.dropFirst()
            switch parameter?.name {
            case "type=": field.type = try mediaType()
            case "filename=": field.filename = word()
            case let name?: throw ToolError.usage("field parameter ;\(name) is not supported")
            case nil:
                let word = word()
                if !word.isEmpty { notes.append("skipped ;\(word), which is no parameter") }
            }
        }
    }

    /// Reads a text, a path or a file name. A quoted word ends at its closing quote. Any other word ends at a semicolon
    /// or, in a list, at a comma.
    mutating func word() -> String {
        rest = rest.drop(while: Self.isSpace)
        return quotedWord() ?? takeTrimmed(upTo: rest.firstIndex(where: isEnd))
    }

    /// Reads the media type after `;type=`, with its own parameters, such as `text/plain; charset=utf-8`.
    ///
    /// The media type ends before another of curl's parameters, such as `;filename=`, but not before a second `;type=`.
    /// In a list, the media type also ends before a comma.
    private mutating func mediaType() throws -> String {
        var isQuoted = false
        let end = rest.indices.first { index in
            if rest[index] == "\"" { isQuoted.toggle() }
            let isComma = isList && rest[index] == ","
            let isOwn = parameter(at: index).map { $0.name == "type=" } ?? true
            return !isQuoted && (isComma || !isOwn)
        }
        let type = takeTrimmed(upTo: end)
        let halves = type.prefix { $0 != ";" }.split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2, halves.allSatisfy({ !$0.isEmpty }) else {
            throw ToolError.usage("field has a malformed type \(type)")
        }
        return type
    }

    /// Reads a quoted word. Skips any text between its closing quote and the next semicolon or, in a list, the next
    /// comma. Returns nil and reads nothing if the opening or the closing quote is missing.
    private mutating func quotedWord() -> String? {
        guard rest.first == "\"" else { return nil }
        var tail = rest.dropFirst()
        var word = String.UnicodeScalarView()
        while let scalar = tail.popFirst() {
            if scalar == "\"" {
                rest = tail
                let text = takeTrimmed(upTo: rest.firstIndex(where: isEnd))
                if !text.isEmpty { notes.append("skipped \(text) after a closing quote") }
                return String(word)
            }
            let isEscape = scalar == "\\" && (tail.first == "\"" || tail.first == "\\")
            word.append(isEscape ? tail.removeFirst() : scalar)
        }
        return nil
    }

    /// Parses the parameter that begins with the semicolon at `index`. Returns the name with `=`, such as `type=`, and
    /// all text after `=`. Returns nil if there is no semicolon at `index`, or if curl has no such parameter.
    private func parameter(at index: String.Index) -> (name: String, value: Substring.UnicodeScalarView)? {
        guard rest[index] == ";" else { return nil }
        let text = rest[index...].dropFirst().drop(while: Self.isSpace)
        let names = ["type=", "filename=", "headers=", "encoder="]
        let name = names.first { String(text.prefix($0.count)).lowercased() == $0 }
        return name.map { ($0, text.dropFirst($0.count)) }
    }

    private mutating func takeTrimmed(upTo end: String.Index?) -> String {
        let end = end ?? rest.endIndex
        defer { rest = rest[end...] }
        let text = rest[..<end].drop(while: Self.isSpace)
        let last = text.lastIndex { !Self.isSpace($0) }
        return last.map { String(text[...$0]) } ?? ""
    }

    private func isEnd(_ scalar: Unicode.Scalar) -> Bool {
        scalar == ";" || (isList && scalar == ",")
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || ("\t"..."\r").contains(scalar)
    }
}
