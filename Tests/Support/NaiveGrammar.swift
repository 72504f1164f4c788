import Foundation

/// Strict mode's grammar as regular expressions, in which a byte is a character.
enum NaiveGrammar {
    private static let token = "[!#$%&*+.^_`|~0-9A-Za-z-]+"
    private static let quotable = "(?!(?i:name=))[^\\x00-\\x1F\\x7F\"\\\\]"
    private static let value = "(?:\(token)|\"(?:\(quotable))*\")"
    /// In a message's Content-Type, no name could be confused with another.
    private static let anyValue = "(?:\(token)|\"[^\\x00-\\x1F\\x7F\"\\\\]*\")"
    /// Quoted text without a space at an edge or a byte order mark.
    private static let trimmed = "(?! |\\xEF\\xBB\\xBF)(?:\(quotable))+(?<! )\""
    private static let name = "name=(?:\(token)|\"(?![^\"]*;)\(trimmed))"
    private static let filename =
        "filename=(?:(?!\\.\\.?(?:;|\\z))\(token)|\"\"|\"(?!(?:[^\"]*/)?\\.{0,2}\")\(trimmed))"
    private static let line = expression(
        "\(field("Content-Disposition"))form-data(?:; (?:\(name)|\(filename)))*",
        "\(field("Content-Type")) ?(?![^\\x00]*(?i:multipart/))\(token)/\(token)(?:; ?(?!(?i:\\S*name=))\(token)=\(value))*",
        "\(field("Content-Transfer-Encoding")) ?(?i:7bit|8bit|binary)",
        "\(field("Content-Length")) ?[0-9]{1,19}",
        "(?!(?i:content-))[0-9A-Za-z-]+: ?(?! )(?:(?!(?i:name=))[^\\x00-\\x1F\\x7F])+(?<! )"
    )
    private static let contentType = expression(
        "multipart/form-data(?!.*charset=.*charset=)(?:; ?(?:boundary=\(anyValue)|charset=(?i:utf-8|\"utf-8\")))+"
    )

    /// A field's name in the two spellings that are allowed, and the colon.
    private static func field(_ name: String) -> String {
        "(?:\(name)|\(name.lowercased())):" + (name == "Content-Disposition" ? " " : "")
    }

    /// Any of the patterns, as the whole text.
    private static func expression(_ patterns: String...) -> NSRegularExpression {
        let pattern = "\\A(?:\(patterns.joined(separator: "|")))\\z"
        guard let expression = try? NSRegularExpression(pattern: pattern) else { preconditionFailure(pattern) }
        return expression
    }

    private static func matches(_ expression: NSRegularExpression, _ text: String) -> Bool {
        expression.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil
    }

    private static func text(_ bytes: [UInt8]) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// Whether a header line is in the grammar, in a message with a dash-boundary.
    static func accepts(_ line: [UInt8], dash: [UInt8]) -> Bool {
        let text = text(line)
        return line.count <= 1500 && !text.contains(Self.text(dash))
            && !text.dropFirst().lowercased().contains("content-disposition") && matches(Self.line, text)
    }

    /// Whether a form's Content-Type field is in the grammar.
    static func accepts(contentType: [UInt8]) -> Bool {
        matches(Self.contentType, text(NaiveHeaders.trim(contentType)))
    }
}
