import MultipartFormCodec

/// The outline of a message that `inspect --tree` prints. It shows how ``FormDataDecoder`` reads the parts' names. Each
/// key, array element and unnamed part has one line.
struct NameOutline {
    private var form = MultipartFormData()
    /// For each part of `form`, the index of that part in the message.
    private var indices: [Int] = []
    private var unnamed: [String] = []

    /// Appends a part by its header fields and length, without its content.
    mutating func append(_ headers: HeaderFields, length: UInt64) {
        let name = headers.name.map(OutlineName.encoded)
        let filename = headers.filename.map { "\"\(TerminalText.escaped($0))\"" }
        let contentType = headers.contentType.map(TerminalText.escaped)
        let text = [filename, contentType, length.inBytes].compactMap(\.self).joined(separator: ", ")
        guard let name else { return unnamed.append(text) }
        indices.append(form.count + unnamed.count)
        form.append(BodyPart(reading: { { nil } }, length: length, name: name, filename: text))
    }

    var text: String {
        get throws {
            var decoder = FormDataDecoder()
            decoder.maxParts = .max
            decoder.maxNameBytes = .max
            do {
                let lines = try decoder.decode(Node.self, from: form).lines("") + unnamed.map { "(no name)  \($0)" }
                return lines.map { $0 + "\n" }.joined()
            } catch DecodingError.dataCorrupted(let context) {
                let cause = context.underlyingError as? MultipartError
                let part = cause?.partIndex.map { indices[$0] }
                let place = part.map { "part \($0): " } ?? ""
                let reason = place + OutlineName.shown(context.debugDescription)
                throw ToolError(.malformed, cause?.code.description ?? "", reason, part: part)
            }
        }
    }
}

/// Encodes names in ASCII, because ``MultipartFormData`` would refuse a name with a control character such as NUL.
private enum OutlineName {
    /// Returns a name with an escape for `%` and for each scalar that is not printable ASCII. An escape is `%`, the
    /// scalar's hexadecimal number, and `;`, such as `%e9;` for `é`.
    static func encoded(_ name: String) -> String {
        name.unicodeScalars.map { scalar in
            let isPlain = scalar.isASCII && scalar.isPrintable && scalar != "%"
            return isPlain ? String(scalar) : "%\(String(scalar.value, radix: 16));"
        }
        .joined()
    }

    /// Decodes the encoded names in a text, and escapes them for a terminal.
    static func shown(_ text: String) -> String {
        let pieces = text.split(separator: "%", omittingEmptySubsequences: false)
        let rest = pieces.dropFirst().map { piece in
            let halves = piece.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
            // A long name in the text of an error may be cut off in the middle of an escape.
            guard halves.count == 2, let scalar = UInt32(halves[0], radix: 16).flatMap(Unicode.Scalar.init) else {
                return String(piece.drop(while: \.isHexDigit))
            }
            return TerminalText.escaped(String(scalar)) + halves[1]
        }
        return pieces[0] + rest.joined()
    }
}

/// What the decoder finds at one key of the outline: a single part, an array of parts, or further keys.
private struct Node: Decodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) { nil }
    }

    /// The description of a single part, or the code of the error if nothing can be decoded. Nil for an array of parts
    /// and for further keys.
    private var text: String?
    private var elements: [String] = []
    private var members: [(key: String, node: Node)] = []

    init(from decoder: any Decoder) throws {
        // The file name is the description of the part: `NameOutline.append` has stored it there.
        text = try? decoder.singleValueContainer().decode(BodyPart.self).filename
        guard text == nil else { return }
        do {
            do {
                let container = try decoder.container(keyedBy: Key.self)
                members = try container.allKeys.map { ($0.stringValue, try container.decode(Node.self, forKey: $0)) }
            } catch DecodingError.typeMismatch {
                elements = try [BodyPart](from: decoder).compactMap(\.filename)
            }
        } catch DecodingError.dataCorrupted(let context) {
            text = (context.underlyingError as? MultipartError).map { "(\($0.code))" }
        }
    }

    func lines(_ indentation: String) -> [String] {
        let inner = indentation + "  "
        return members.flatMap { key, node in
            ["\(indentation)\(OutlineName.shown(key))\(node.text.map { "  \($0)" } ?? "")"]
                + node.elements.map { "\(inner)[]  \($0)" } + node.lines(inner)
        }
    }
}
