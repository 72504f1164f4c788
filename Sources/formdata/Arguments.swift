import MultipartForm

/// A command's words, sorted into options and operands.
///
/// An option's value follows it (`--boundary x`, `-o x`) or is joined to it (`--boundary=x`, `-ox`). After `--` all
/// words are operands; `-` is an operand anywhere.
struct Arguments {
    /// Other spellings of options, each with the spelling that messages and the methods below use.
    private static let names = ["--form": "-F", "--output": "-o", "-h": "--help"]

    /// The options that were given, in order; the value is empty for a flag.
    private(set) var options: [(name: String, value: String)] = []
    private(set) var operands: [String] = []

    /// Sorts the words after a command's name by the options it knows: those with a value, and flags.
    init(_ words: [String], values: [String], flags: [String]) throws {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                return
            }
            // Splits scalars, not characters, because a hyphen or an equals sign and a combining mark after it are one
            // Character.
            let scalars = word.unicodeScalars
            guard scalars.first == "-", scalars.count > 1 else {
                operands.append(word)
                continue
            }
            let isLong = scalars.starts(with: "--".unicodeScalars)
            let letters = isLong ? scalars.prefix { $0 != "=" } : scalars.prefix(2)
            let spelling = String(letters)
            let isJoined = letters.endIndex < scalars.endIndex
            let joined = isJoined ? String(scalars[letters.endIndex...].dropFirst(isLong ? 1 : 0)) : nil
            let name = Self.names[spelling] ?? spelling
            let takesValue = values.contains(name)
            guard takesValue || flags.contains(name) || name == "--help" else {
                throw ToolError.usage("unknown option \(spelling); see formdata --help")
            }
            guard takesValue || joined == nil else { throw ToolError.usage("option \(name) takes no value") }
            guard let value = takesValue ? joined ?? rest.popFirst() : "" else {
                throw ToolError.usage("option \(name) wants a value")
            }
            options.append((name, value))
        }
    }

    func has(_ name: String) -> Bool {
        options.contains { $0.name == name }
    }

    /// The value of an option, which may be given once.
    func value(_ name: String) throws -> String? {
        let values = options.filter { $0.name == name }
        guard values.count <= 1 else { throw ToolError.usage("option \(name) is given more than once") }
        return values.first?.value
    }

    func number<Number: FixedWidthInteger>(_ name: String, atLeast least: Number = 0) throws -> Number? {
        guard let text = try value(name) else { return nil }
        guard text.utf8.allSatisfy(ASCII.isDigit), let number = Number(text), number >= least else {
            throw ToolError.usage("option \(name) wants a number from \(least) to \(Number.max)")
        }
        return number
    }

    func checkOperands(atMost count: Int) throws {
        if operands.count > count { throw ToolError.usage("unexpected argument \(operands[count])") }
    }
}
