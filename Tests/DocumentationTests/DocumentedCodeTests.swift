import Foundation
import TestSupport
import Testing

/// All code that the README, the articles and the doc comments show stands in a file that is compiled or run, or a
/// sentence before it says that it is not. Packages under `Tests` compile the code that needs other libraries, and
/// `Tests/Programs/Dependent/run` builds a program by the README's lines of a manifest. `DocumentedCommandTests` runs
/// what `console` shows; `text` is no code.
@Suite struct DocumentedCodeTests {
    private static let root = Fixtures.directory.deletingLastPathComponent()

    private static let documents =
        ["README.md"]
        + files(in: "Sources/MultipartFormCodec") { $0.hasSuffix(".md") || $0.hasSuffix(".swift") }.filter {
            (try? String(contentsOf: root.appendingPathComponent($0), encoding: .utf8))?.contains("```") ?? true
        }

    /// The code of each file that is compiled or run, by the language of a block.
    private static let files: [Substring: [Code]] = [
        "swift": code(
            ".swift",
            in: [
                "Tests/DocumentationTests", "Tests/Interop/Sources/UploadExamples", "Tests/Interop/Guides",
                "Tests/Interop/Sources/Tutorial", "Tests/Interop/Tutorial", "Tests/Programs/Dependent/Sources",
                "Tests/Programs/Linkage/Sources",
            ]
        ),
        "html": code(".html", in: ["Tests/Interop/Tutorial"]),
        "python": code(".py", in: ["Tests/Interop/Recipes"]),
        "yaml": code(".py", in: ["Tests/Interop/Recipes"]),
        "sh": code("run", in: [".ci"]),
    ]

    private static func code(_ suffix: String, in folders: [String]) -> [Code] {
        folders.flatMap { files(in: $0) { $0.hasSuffix(suffix) && !$0.hasSuffix("Package.swift") } }
            .compactMap { try? Code(String(contentsOf: root.appendingPathComponent($0), encoding: .utf8)) }
    }

    private struct Block {
        var language: Substring
        var code = ""
        var saysThatItIsNot: Bool
    }

    /// Code without white space, semicolons and the marks of doc comments, and its imports, which stand elsewhere in a
    /// file.
    private struct Code {
        let imports: Set<String>
        let text: String

        init(_ code: String) {
            // The imports of a condition are indented.
            let lines = code.split(whereSeparator: \.isNewline).map { String($0.drop { $0 == " " }) }
            // Examples are `package` for the tests in other modules. Few programs need that, and articles do not show
            // it.
            let shown = lines.map { $0.hasPrefix("package ") ? String($0.dropFirst("package ".count)) : $0 }
            imports = Set(shown.filter { $0.hasPrefix("import ") })
            text = shown.filter { !$0.hasPrefix("import ") }.joined()
                .replacingOccurrences(of: "///", with: "").filter { !$0.isWhitespace && $0 != ";" }
        }

        func stands(in other: Code) -> Bool {
            imports.isSubset(of: other.imports) && (text.isEmpty || other.text.contains(text))
        }
    }

    @Test(arguments: documents)
    func `a document shows code that is compiled or run`(_ document: String) throws {
        let text = try String(contentsOf: Self.root.appendingPathComponent(document), encoding: .utf8)
        for block in Self.blocks(in: text) where !block.saysThatItIsNot && !block.code.hasPrefix(".package(") {
            #expect(!block.code.isEmpty)
            for (open, close) in [("{", "}"), ("(", ")"), ("[", "]")] as [(Character, Character)] {
                let counts = [open, close].map { bracket in block.code.count { $0 == bracket } }
                #expect(counts[0] == counts[1], "\(document) cuts off: \(block.code)")
            }
            // A line of a shell is a program of its own; a comment may follow it.
            let pieces =
                block.language == "sh"
                ? block.code.split(separator: "\n").map { $0.components(separatedBy: "   #")[0] } : [block.code]
            for piece in pieces {
                let shown = Code(piece)
                #expect(
                    Self.files[block.language]?.contains { shown.stands(in: $0) } ?? false,
                    "\(document): \(piece)"
                )
            }
        }
    }

    @Test func `the documents with code are found`() throws {
        #expect(Self.files.values.allSatisfy { !$0.isEmpty })
        let blocks = try Self.documents.flatMap {
            try Self.blocks(in: String(contentsOf: Self.root.appendingPathComponent($0), encoding: .utf8))
        }
        #expect(blocks.count > 100)
        #expect(blocks.filter(\.saysThatItIsNot).count <= 3)
    }

    @Test func `code that differs is not found`() {
        let compiled = Code("import A\nfunc f() {\n    let a = 1\n    let b = 2\n}\n")
        #expect(Code("let a = 1; let b = 2").stands(in: compiled))
        #expect(Code("import A").stands(in: compiled))
        #expect(Code("import A").stands(in: Code("package import A\nlet a = 1")))
        #expect(Code("func f() {}").stands(in: Code("    package func f() {}")))
        #expect(!Code("import B\nlet a = 1").stands(in: compiled))
        #expect(!Code("let a = 1\nlet b = 3").stands(in: compiled))
        let text = "Text.\n\n```swift\nlet a = 1\n```\n\nThis one is not compiled:\n\n```swift\nlet b = 2\n```\n"
        #expect(Self.blocks(in: text).map(\.language) == ["swift", "swift"])
        #expect(Self.blocks(in: text).map(\.code) == ["let a = 1\n", "let b = 2\n"])
        #expect(Self.blocks(in: text).map(\.saysThatItIsNot) == [false, true])
    }

    /// The blocks of code, other than those that `DocumentedCommandTests` runs.
    private static func blocks(in text: String) -> [Block] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let line = line.drop { $0 == " " }
            return line.hasPrefix("///") ? line.dropFirst(3).drop { $0 == " " } : line
        }
        var blocks: [Block] = []
        var paragraph = ""
        var block: Block?
        for line in lines {
            if var open = block {
                if line != "```" { open.code += line + "\n" } else { blocks.append(open) }
                block = line == "```" ? nil : open
            } else if line.hasPrefix("```") {
                let isNot = paragraph.contains("not compiled")
                block = Block(language: line.dropFirst(3), saysThatItIsNot: isNot)
                paragraph = ""
            } else if !line.isEmpty {
                paragraph = line.lowercased()
            }
        }
        return blocks.filter { !["console", "text"].contains($0.language) }
    }

    private static func files(in folder: String, where isWanted: (String) -> Bool) -> [String] {
        let found = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
        return (found?.compactMap { $0 as? String } ?? [])
            .filter { !$0.split(separator: "/").contains(".build") && isWanted($0) }.sorted()
            .map { folder + "/" + $0 }
    }
}
