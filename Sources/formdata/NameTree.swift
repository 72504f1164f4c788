import Foundation
import MultipartForm

/// The names of a message as a decoder sees them: keys, elements and parts, a line each.
struct NameTree {
    private var form = MultipartFormData()
    private var unnamed: [String] = []

    /// Appends a part, of whose body only the length is kept.
    mutating func append(_ headers: HeaderFields, length: UInt64) {
        // Names of a form to send have no control characters.
        let name = headers.name.map(TerminalText.escaped)
        let filename = headers.filename.map(TerminalText.escaped)
        let contentType = headers.contentType.map(TerminalText.escaped)
        let text = Self.text(filename, contentType, length)
        guard let name else { return unnamed.append(text) }
        form.append(BodyPart(length: length, name: name, filename: text) { InputStream(data: Data()) })
    }

    private static func text(_ filename: String?, _ contentType: String?, _ length: UInt64) -> String {
        let size = length == 1 ? "1 byte" : "\(length) bytes"
        return [filename.map { "\"\($0)\"" }, contentType, size].compactMap(\.self).joined(separator: ", ")
    }

    /// The tree, a line for each name, element and part.
    var text: String {
        get throws {
            var decoder = FormDataDecoder()
            decoder.maxParts = .max
            decoder.maxNameBytes = .max
            do {
                let lines = try decoder.decode(Node.self, from: form).lines("") + unnamed.map { "(no name)  \($0)" }
                return lines.map { $0 + "\n" }.joined()
            } catch DecodingError.dataCorrupted(let context) {
                let issue = context.underlyingError as? FormDataCodingIssue
                let place = issue?.partIndex.map { "part \($0): " } ?? ""
                throw ToolError(
                    .malformed,
                    "\(issue?.code.description ?? "")",
                    "\(place)\(context.debugDescription)",
                    offset: nil
                )
            }
        }
    }
}

/// What any type sees under a name.
private struct Node: Decodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) { nil }
    }

    /// The part under the name, if it is one.
    private var part: BodyPart?
    private var elements: [BodyPart] = []
    private var members: [(key: String, node: Node)] = []
    /// The code of the error that any type gets.
    private var issue: String?

    init(from decoder: any Decoder) throws {
        part = try? decoder.singleValueContainer().decode(BodyPart.self)
        guard part == nil else { return }
        do {
            let container = try decoder.container(keyedBy: Key.self)
            for key in container.allKeys {
                members.append((key.stringValue, try container.decode(Node.self, forKey: key)))
            }
        } catch DecodingError.typeMismatch {
            elements = try [BodyPart](from: decoder)
        } catch DecodingError.dataCorrupted(let context) {
            issue = (context.underlyingError as? FormDataCodingIssue)?.code.description
        }
    }

    func lines(_ indentation: String) -> [String] {
        members.flatMap { key, node in
            let text = [node.part?.filename, node.issue.map { "(\($0))" }].compactMap(\.self).first
            let inner = indentation + "  "
            return ["\(indentation)\(key)\(text.map { "  \($0)" } ?? "")"]
                + node.elements.map { "\(inner)[]  \($0.filename ?? "")" } + node.lines(inner)
        }
    }
}
