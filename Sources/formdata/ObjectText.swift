/// Recognizes text that a program sends by mistake in place of an object's content. For instance, JavaScript converts a
/// `File` to `[object File]`.
enum ObjectText {
    /// Returns the language of the program; nil if the text is not recognized.
    static func language(of text: String) -> String? {
        all.first { $0.isMatch(text) }?.language
    }

    private static let all: [(language: String, isMatch: @Sendable (String) -> Bool)] = [
        ("JavaScript", { $0 == "undefined" || $0.hasPrefix("[object ") }),
        (".NET", isDotNETClass),
        ("Java", isJavaObject),
        ("Python", { isEnclosed($0, "<_io.", ">") || isEnclosed($0, "<", ">") && hasAddress($0) }),
        ("Python", { isEnclosed($0, "b'", "'") }),
        ("Ruby", { isEnclosed($0, "#<", ">") }),
        ("Swift", { isEnclosed($0, "Optional(", ")") }),
    ]

    /// Whether a text is the name of a class of .NET itself, which may have brackets or type arguments, such as
    /// `System.Byte[]`.
    private static func isDotNETClass(_ text: String) -> Bool {
        guard ["System.", "Microsoft."].contains(where: text.hasPrefix) else { return false }
        let name = text.prefix { $0 != "[" && $0 != "`" }
        let end = text[name.endIndex...]
        return isDottedName(name) && (end.isEmpty || end.hasSuffix("]"))
    }

    /// Whether a text is a class, an at sign and a hash code, such as `[B@6d06d69c` or `java.io.Reader@1b2c`.
    private static func isJavaObject(_ text: String) -> Bool {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return false }
        let words = text.split(separator: "@", omittingEmptySubsequences: false)
        guard words.count == 2, 1...8 ~= words[1].utf8.count, words[1].allSatisfy(\.isHexDigit) else { return false }
        let isArray = words[0] == "[B" || words[0].hasPrefix("[L")
        let isUppercase = words[0].split(separator: ".").last?.first?.isUppercase ?? false
        return isArray || isUppercase && words[0].contains(".") && isDottedName(words[0])
    }

    /// Whether a text is words with dots between them, like the name of a class, such as `java.io.Reader`.
    private static func isDottedName(_ text: Substring) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { word in
            word.first.map { $0.isLetter || $0 == "_" } == true
                && word.allSatisfy { $0.isLetter || $0.isNumber || "_$+".contains($0) }
        }
    }

    private static func isEnclosed(_ text: String, _ start: String, _ end: String) -> Bool {
        text.hasPrefix(start) && text.dropFirst(start.count).hasSuffix(end)
    }

    /// Whether a text has an address, as in `<Upload object at 0x7f6a>`.
    private static func hasAddress(_ text: String) -> Bool {
        text.split(separator: " ").last?.hasPrefix("0x") == true
    }
}
