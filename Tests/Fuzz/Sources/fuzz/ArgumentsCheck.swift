import TestSupport

/// Checks the tool's argument parser for `inspect` and `encode`; NULs separate the words.
enum ArgumentsCheck {
    static func run(_ bytes: [UInt8]) throws {
        let words = bytes.split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        try parse(words)
        for word in words { try checkField(word) }
    }

    static func seeds() -> [[UInt8]] {
        [
            "--boundary=b\0--strict\0-", "--max-parts\01000\0--content-type\0a/b; c=\"d\"", "--\0-x",
            "-F\0a=b;type=c/d",
            "-Fa=@b,c;type=text/plain;filename=\"x\\\"\"", "-F\0n=<path;type=a/b; c=d", "--form-string=a=b;type=c/d",
            "-F\0n=\"a;b\\\\\";headers=x", "-F\0n=@\"a,b\";filename=c,d",
        ].map { Array($0.utf8) }
    }

    /// Words are parsed, or refused with a `ToolError`.
    private static func parse(_ words: [String]) throws {
        do {
            let arguments = try Arguments(words, values: ["--boundary", "--max-parts"], flags: ["--strict"])
            try arguments.checkOperands(atMost: 1)
            _ = try arguments.value("--boundary")
            _ = try arguments.number("--max-parts", atLeast: 1) as Int?
        } catch is ToolError {}
        do {
            let arguments = try Arguments(words, values: ["-F", "--form-string", "-o"], flags: ["--force"])
            for (name, value) in arguments.options {
                if name == "-F" { _ = try FieldArgument.parse(value) }
                if name == "--form-string" { _ = try FieldArgument.literal(value) }
            }
        } catch is ToolError {}
    }

    /// Any word can be sent literally, and in quotes as a value, a path and a file name.
    private static func checkField(_ word: String) throws {
        do { _ = try FieldArgument.parse(word) } catch is ToolError {}
        guard try FieldArgument.literal("n=\(word)").content == .text(word) else {
            throw FuzzTarget.Failure("a literal text is changed")
        }
        // By bytes: a quote and a combining character after it are one Character.
        let escaped = word.utf8.flatMap { $0 == 34 || $0 == 92 ? [92, $0] : [$0] }
        let quoted = "\"\(String(decoding: escaped, as: UTF8.self))\""
        guard try FieldArgument.parse("n=\(quoted)").map(\.content) == [.text(word)] else {
            throw FuzzTarget.Failure("a quoted text is changed")
        }
        guard !word.isEmpty else { return }
        let fields = try FieldArgument.parse("n=@\(quoted);filename=\(quoted);type=a/b,\(quoted)")
        let last = word.unicodeScalars.split(separator: "/").last.map { String($0) } ?? word
        guard fields.map(\.content) == [.path(word), .path(word)], fields.map(\.filename) == [word, last],
            fields[0].type == "a/b"
        else { throw FuzzTarget.Failure("a quoted path is changed") }
    }
}
