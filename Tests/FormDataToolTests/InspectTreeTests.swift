import Foundation
import TestSupport
import Testing

/// `formdata inspect --tree`.
struct InspectTreeTests {
    private func tree(_ parts: String...) throws -> Tool.Output {
        let message = parts.map { "--b\r\n\($0)\r\n" }.joined() + "--b--\r\n"
        return try Tool.run(["inspect", "--tree"], input: .file(Data(message.utf8)))
    }

    @Test func `names are shown as a decoder sees them`() throws {
        let output = try tree(
            Message.field("name", "Ada"),
            Message.field("tags[]", "a"),
            Message.field("tags[]", "b"),
            Message.field("items[0][id]", "1"),
            Message.field("items[0][qty]", "20"),
            Message.field("a", "1"),
            Message.field("a[b]", "2"),
            Message.field("x[][y]", "1"),
            Message.file("photo", "a.jpg", "12345"),
            Message.field("d", ""),
            Message.field("d", "1")
        )
        #expect(output.exitCode == 0)
        let expected = """
            name  3 bytes
            tags
              []  1 byte
              []  1 byte
            items
              0
                id  1 byte
                qty  2 bytes
            a  (mixed-shapes)
            x  (ambiguous-array)
            photo  "a.jpg", 5 bytes
            d
              []  0 bytes
              []  1 byte

            """
        #expect(output.text == expected)
    }

    @Test func `a name that is a value and a list hides none of its neighbours`() throws {
        let output = try tree(
            Message.field("x", "0"),
            Message.field("a", "1"),
            Message.field("a[]", "2"),
            Message.field("p[x]", "0"),
            Message.field("p[a]", "1"),
            Message.field("p[a][]", "2"),
            Message.field("p[y]", "3"),
            Message.field("y", "3")
        )
        let expected = """
            x  1 byte
            a  (mixed-shapes)
            p
              x  1 byte
              a  (mixed-shapes)
              y  1 byte
            y  1 byte

            """
        #expect(output.text == expected)
    }

    @Test func `names that differ only in their Unicode form are shown, and hide none of their neighbours`() throws {
        let names = ["x", "e\u{301}", "\u{E9}", "p[e\u{301}]", "p[\u{E9}]", "p[y]", "y"]
        let message = names.map { "--b\r\n\(Message.field($0, "1"))\r\n" }.joined() + "--b--\r\n"
        let output = try Tool.run(["inspect", "--tree"], input: .file(Data(message.utf8)))
        #expect(output.exitCode == 0)
        let expected = """
            x  1 byte
            e\u{301}  1 byte
            \u{E9}  1 byte
            p
              e\u{301}  1 byte
              \u{E9}  1 byte
              y  1 byte
            y  1 byte

            """
        #expect(output.standardOutput == Data(expected.utf8), "\(output.text)")
    }

    @Test(arguments: ["%", "100%25;", "%41;", "\\u{1B}", "ü;%", "[ü]", "日本語", "a;b%"])
    func `a name of any characters is shown as it is`(name: String) throws {
        #expect(try tree(Message.field(name, "1")).text.hasPrefix("\(name)  1 byte\n"))
        let deep = "ü%" + String(repeating: "[b]", count: 16)
        #expect(try tree(Message.field(deep, "1")).standardError.contains("part 0: \"\(deep)\": "))
    }

    @Test func `a part without a name, and no part`() throws {
        let output = try tree("Content-Disposition: form-data\r\n\r\n1")
        #expect(output.text.hasPrefix("(no name)  1 byte\n\ntolerated: ambiguous-header: part 0: header line 1 "))
        #expect(try tree().text.isEmpty)
    }

    @Test func `a tree has as many names as the message, of any length`() throws {
        let long = String(repeating: "n", count: 3000)
        let names = (0..<3000).map { "a[\($0)]" } + [long]
        let message = names.map { "--b\r\n\(Message.field($0, "1"))\r\n" }.joined() + "--b--\r\n"
        let words = ["inspect", "--tree", "--max-parts", "3001"]
        let output = try Tool.run(words, input: .file(Data(message.utf8)))
        #expect(output.exitCode == 0)
        let lines = ["a"] + (0..<3000).map { "  \($0)  1 byte" } + ["\(long)  1 byte"]
        let isWhole = output.text.hasPrefix(lines.map { "\($0)\n" }.joined())
        #expect(isWhole)
    }

    @Test func `a message that is cut off has no tree`() throws {
        let output = try Tool.run(["inspect", "--tree"], input: .file(Message.cutOff))
        #expect(output.exitCode == 65)
        #expect(output.text.isEmpty)
    }

    @Test func `a name that is too deep is an error`() throws {
        let output = try tree(Message.field("a" + String(repeating: "[b]", count: 16), "1"))
        #expect(output.exitCode == 65)
        #expect(output.standardError.contains("part 0"))
    }

    @Test func `what was found before an error of the names is printed`() throws {
        let deep = Message.field("a" + String(repeating: "[b]", count: 16), "1")
        let output = try tree(Message.field("x\\\\", "1"), deep)
        #expect(output.exitCode == 65)
        #expect(output.text.hasPrefix("tolerated: ambiguous-header: part 0: "))
        #expect(output.standardError.hasPrefix("formdata: too-deep: part 1: "))
    }

    @Test func `an error has the number of its part in the message, where other parts have no name`() throws {
        let deep = Message.field("a" + String(repeating: "[b]", count: 16), "1")
        let output = try tree("X: y\r\n\r\n1", Message.field("x", "1"), "X: y\r\n\r\n2", deep)
        #expect(output.standardError.hasPrefix("formdata: too-deep: part 3: "))
    }

    @Test(arguments: 8...13)
    func `an error is whole although its long name is cut`(count: Int) throws {
        let name = String(repeating: "\u{1F600}", count: count) + String(repeating: "[1]", count: 19)
        let output = try tree(Message.field(name, "1"))
        #expect(output.exitCode == 65)
        #expect(output.standardError.hasPrefix("formdata: too-deep: part 0: \"\u{1F600}"))
        #expect(output.standardError.contains("\": nested deeper than "))
    }

    @Test func `a hostile name cannot reach the terminal`() throws {
        let output = try tree(Message.field("\u{1B}[2J\u{202E}x", "1"))
        #expect(output.exitCode == 0)
        #expect(output.text.hasPrefix("\\u{1B}[2J\\u{202E}x  1 byte\n\ntolerated: ambiguous-header: "))
        #expect(!output.standardOutput.contains(0x1B))
    }

    @Test func `a tree is not JSON`() throws {
        let output = try Tool.run(["inspect", "--tree", "--json"], input: .file(Message.text()))
        #expect(output.exitCode == 64)
    }
}
