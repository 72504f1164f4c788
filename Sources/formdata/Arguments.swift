import MultipartFormCodec

/// The arguments of a command, sorted into options and operands.
///
/// - An option's value is the next argument, as in `-o x`, or part of the same argument, as in `--boundary=x` and
///   `-ox`.
/// - After `--`, all arguments are operands.
/// - The argument `-` is an operand, unless it is the value of an option.
struct Arguments {
    /// Maps alternative spellings to the names of options.
    private static let names = ["--form": "-F", "--output": "-o", "-h": "--help"]

    /// The given options, in order. The value of a flag is empty.
    private(set) var options: [(name: String, value: String)] = []
    private(set) var operands: [String] = []

    /// Sorts the arguments of a command into options and operands. `values` are the names of the options that take a
    /// value, and `flags` are the names of the other options.
    init(_ words: [String], values: [String], flags: [String]) throws {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                return
            }
            // Looks at scalars, not at characters: a hyphen with a combining mark after it is one `Character`, which
            // does not equal a hyphen.
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

    /// Returns the value of an option, or nil if the option is absent. Throws if the option is given more than once.
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
