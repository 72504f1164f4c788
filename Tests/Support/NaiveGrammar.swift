import Foundation

/// Strict mode's grammar as regular expressions, in which a byte is a character.
enum NaiveGrammar {
    private static let token = "[0-9A-Za-z._-]+"
    private static let value = "(?:\(token)|\"[^\\x00-\\x1F\\x7F\"\\\\]*\")"
    private static let restricted = "[0-9A-Za-z!#$&^_.+-]+"
    private static let names = "(?:; name=(?<name>\(value)))?(?:; filename=(?<filename>\(value)))?"
    private static let contentType = "multipart/form-data; ?boundary=\(value)"
    private static let type = "\(restricted)/\(restricted)(?:; ?\(token)=\(value))*"
    private static let name = "[^]\\[,:;=]+(?:\\[(?! )[^]\\[,:;=]*\\]){0,64}"
    /// Text that no value has, in any letter case.
    private static let pattern = "(?i)name=|content-disposition|content-[a-z-]*:"
    private static let charset = "(?i); ?charset=(?!\"?utf-8(?:[;\"]|\\z))"

    private static func matches(_ pattern: String, _ text: String) -> NSTextCheckingResult? {
        guard let expression = try? NSRegularExpression(pattern: pattern) else { preconditionFailure(pattern) }
        return expression.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count))
    }

    private static func isWhole(_ pattern: String, _ text: String) -> Bool {
        matches("\\A(?:\(pattern))\\z", text) != nil
    }

    private static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// Whether the lines of a section are in the grammar, in a message with a dash-boundary.
    static func accepts(_ lines: [[UInt8]], dash: [UInt8], isNested: Bool = false) -> Bool {
        var fields: [String: String] = [:]
        for line in lines {
            let pieces = text(line).split(separator: ":", maxSplits: 1).map(String.init)
            let isText = line.count <= 1500 && NaiveHeaders.isUTF8(line) && !text(line).contains(text(dash))
            let usual = ["Content-Disposition", "Content-Type", "Content-Transfer-Encoding", "Content-Length"]
            guard isText, pieces.count == 2,
                usual.contains(pieces[0]) || usual.map({ $0.lowercased() }).contains(pieces[0]),
                fields.updateValue(pieces[1], forKey: pieces[0].lowercased()) == nil
            else { return false }
        }
        guard let disposition = fields["content-disposition"], let names = names(disposition, isNested: isNested) else {
            return false
        }
        let others = [
            ("content-type", type), ("content-transfer-encoding", "(?i)7bit|8bit|binary"),
            ("content-length", "[0-9]{1,19}"),
        ]
        for (field, pattern) in others {
            if let text = fields[field], !isWhole(" ?(?:\(pattern))", text) { return false }
        }
        let type = fields["content-type"]?.lowercased() ?? ""
        let isBinary = isWhole(" ?application/octet-stream(?:;[^\\x00]*)?", type)
        return matches(pattern, type) == nil && matches("multipart/|\\A ?message/", type) == nil
            && matches("\\A ?application/x-www-form-urlencoded(?:;|\\z)", type) == nil && matches(charset, type) == nil
            && !(isBinary && names.filename == nil)
    }

    /// The name and the file name, if the value is in the grammar.
    private static func names(_ value: String, isNested: Bool) -> (name: String?, filename: String?)? {
        let type = isNested ? token : "form-data(?=; name=)"
        guard let match = matches("\\A \(type)\(names)\\z", value) else { return nil }
        func text(_ group: String) -> String? {
            let range = Range(match.range(withName: group), in: value)
            return range.map { String(value[$0]) }.map { $0.first == "\"" ? String($0.dropFirst().dropLast()) : $0 }
        }
        let (name, filename) = (text("name"), text("filename"))
        for text in [name, filename].compactMap(\.self) {
            guard text.first != " ", text.last != " ", matches(pattern, text) == nil,
                matches("\\A\\xEF\\xBB\\xBF|\\xE2\\x80[\\xA8\\xA9]", text) == nil
            else { return nil }
        }
        if let name { guard isWhole(Self.name, name), name.first != "/" else { return nil } }
        if let filename {
            guard filename.filter({ $0 == ";" }).count < 2, !filename.contains("=?"),
                filename == "" || namesFile(filename)
            else { return nil }
        }
        return (name, filename)
    }

    /// Whether the last component is a name for a parser that removes what cannot be seen.
    private static func namesFile(_ filename: String) -> Bool {
        let bytes = filename.unicodeScalars.map { UInt8($0.value) }
        let component = bytes.split(separator: 47, omittingEmptySubsequences: false).last ?? []
        let invisible: [Unicode.GeneralCategory] = [
            .control, .format, .privateUse, .surrogate, .spaceSeparator, .lineSeparator, .paragraphSeparator,
        ]
        let visible = String(decoding: component, as: UTF8.self).unicodeScalars.filter {
            !invisible.contains($0.properties.generalCategory)
        }
        return !["", ".", ".."].contains(String(String.UnicodeScalarView(visible)))
    }

    /// Whether a form's Content-Type field is in the grammar.
    static func accepts(contentType: [UInt8]) -> Bool {
        let field = text(contentType)
        guard isWhole(Self.contentType, field) else { return false }
        return matches("(?i)boundary *=.*boundary *=", field) == nil && matches(" \"\\z", field) == nil
    }
}
