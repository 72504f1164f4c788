/// A command's words, sorted into options and operands.
///
/// An option's value follows it (`--boundary x`, `-o x`) or is joined to it (`--boundary=x`, `-ox`). After `--` all
/// words are operands; `-` is one anywhere.
struct Arguments {
    /// An option a command knows.
    struct Option: Sendable {
        /// The spellings; the first is the one messages and lookups use.
        let names: [String]
        let takesValue: Bool

        static func value(_ names: String...) -> Option { Option(names: names, takesValue: true) }
        static func flag(_ names: String...) -> Option { Option(names: names, takesValue: false) }
    }

    /// The options that were given, by their first spelling, in order; the value is empty for a flag.
    private(set) var options: [(name: String, value: String)] = []
    /// The words that are no options.
    private(set) var operands: [String] = []
    var wantsHelp: Bool { has("--help") }

    /// Sorts the words after a command's name by the options it knows; `--help` is always among them.
    ///
    /// - Throws: ``ToolError`` for an unknown option, a missing value, or a value too many.
    init(_ words: [String], _ known: [Option]) throws {
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
            let (option, joined) = try Self.option(word, known + [.flag("--help", "-h")])
            let name = option.names[0]
            guard option.takesValue || joined == nil else { throw ToolError.usage("option \(name) takes no value") }
            let value = option.takesValue ? joined ?? rest.popFirst() : ""
            guard let value else { throw ToolError.usage("option \(name) wants a value") }
            options.append((name, value))
        }
    }

    private static func option(_ word: String, _ known: [Option]) throws -> (Option, joined: String?) {
        let isLong = word.hasPrefix("--")
        let end = (isLong ? word.firstIndex(of: "=") : word.index(word.startIndex, offsetBy: 2)) ?? word.endIndex
        guard let option = known.first(where: { $0.names.contains(String(word[..<end])) }) else {
            throw ToolError.usage("unknown option \(word[..<end])")
        }
        return (option, end < word.endIndex ? String(word[end...].dropFirst(isLong ? 1 : 0)) : nil)
    }

    func has(_ name: String) -> Bool {
        options.contains { $0.name == name }
    }

    /// The value of an option, which may be given once; nil when it was not given.
    func value(_ name: String) throws -> String? {
        let values = options.filter { $0.name == name }
        guard values.count <= 1 else { throw ToolError.usage("option \(name) is given more than once") }
        return values.first?.value
    }

    /// The value of an option as a decimal number that is not too small or too large; nil when it was not given.
    func number<Number: FixedWidthInteger>(_ name: String, atLeast least: Number) throws -> Number? {
        guard let text = try value(name) else { return nil }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Number(text), number >= least else {
            throw ToolError.usage("option \(name) wants a number from \(least) to \(Number.max)")
        }
        return number
    }

    /// Refuses operands beyond the first few.
    func checkOperands(atMost count: Int) throws {
        if operands.count > count { throw ToolError.usage("unexpected argument \(operands[count])") }
    }
}
