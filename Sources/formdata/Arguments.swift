/// A command's words, sorted into options and operands.
///
/// An option's value follows it (`--boundary x`, `-o x`) or is joined to it (`--boundary=x`, `-ox`). Behind `--` all
/// words are operands; `-` is one anywhere.
struct Arguments {
    /// An option a command knows.
    struct Option: Sendable {
        /// The spellings; the first is the one messages and lookups use.
        let names: [String]
        /// Whether it takes a value.
        let takesValue: Bool

        /// An option with a value.
        static func value(_ names: String...) -> Option { Option(names: names, takesValue: true) }

        /// An option without a value.
        static func flag(_ names: String...) -> Option { Option(names: names, takesValue: false) }
    }

    /// The options that were given, by their first spelling, in order; the value is empty for a flag.
    private(set) var options: [(name: String, value: String)] = []

    /// The words that are no options.
    private(set) var operands: [String] = []

    /// Whether help was asked for.
    var wantsHelp: Bool { has("--help") }

    /// Sorts words.
    ///
    /// - Parameters:
    ///   - words: The words behind the command's name.
    ///   - known: The options the command knows; `--help` is always among them.
    /// - Throws: ``ToolError`` for an unknown option, a missing value, or a value too many.
    init(_ words: [String], _ known: [Option]) throws {
        let known = known + [.flag("--help", "-h")]
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                return
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let (option, joined) = try Self.option(word, known)
            let name = option.names[0]
            guard option.takesValue else {
                guard joined == nil else { throw ToolError.usage("option \(name) takes no value") }
                options.append((name, ""))
                continue
            }
            guard let value = joined ?? rest.popFirst() else { throw ToolError.usage("option \(name) wants a value") }
            options.append((name, value))
        }
    }

    private static func option(_ word: String, _ known: [Option]) throws -> (Option, joined: String?) {
        let isLong = word.hasPrefix("--")
        let split = isLong ? word.firstIndex(of: "=") : word.index(word.startIndex, offsetBy: 2)
        let name = split.map { String(word[..<$0]) } ?? word
        guard let option = known.first(where: { $0.names.contains(name) }) else {
            throw ToolError.usage("unknown option \(name)")
        }
        guard let split, split < word.endIndex else { return (option, nil) }
        return (option, String(word[split...].dropFirst(isLong ? 1 : 0)))
    }

    /// Whether an option was given.
    func has(_ name: String) -> Bool {
        options.contains { $0.name == name }
    }

    /// The value of an option; nil when it was not given.
    ///
    /// - Throws: ``ToolError`` if it was given more than once.
    func value(_ name: String) throws -> String? {
        let values = options.filter { $0.name == name }
        guard values.count <= 1 else { throw ToolError.usage("option \(name) is given more than once") }
        return values.first?.value
    }

    /// The value of an option as a number; nil when it was not given.
    ///
    /// - Parameters:
    ///   - name: The option.
    ///   - least: The smallest number allowed.
    /// - Returns: The number.
    /// - Throws: ``ToolError`` if it is not a decimal number, or too small or too large.
    func number<Number: FixedWidthInteger>(_ name: String, atLeast least: Number) throws -> Number? {
        guard let text = try value(name) else { return nil }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Number(text), number >= least else {
            throw ToolError.usage("option \(name) wants a number from \(least) to \(Number.max)")
        }
        return number
    }

    /// Refuses operands beyond the first few.
    func checkOperands(atMost count: Int) throws {
        guard operands.count > count else { return }
        throw ToolError.usage("unexpected argument \(operands[count])")
    }
}
