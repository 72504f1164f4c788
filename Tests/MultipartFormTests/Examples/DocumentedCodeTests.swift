import Foundation
import TestSupport
import Testing

/// All Swift code that the README, the articles and the doc comments show stands in a file that is compiled, or a
/// sentence before it says that it is not. Packages under `Tests` compile the code that needs other libraries, and
/// `.ci/dependent` builds a program by the README's lines of a manifest.
@Suite struct DocumentedCodeTests {
    private static let root = Fixtures.directory.deletingLastPathComponent()

    private static let documents =
        ["README.md"]
        + files(in: "Sources/MultipartForm") { $0.hasSuffix(".md") || $0.hasSuffix(".swift") }.filter {
            (try? String(contentsOf: root.appendingPathComponent($0), encoding: .utf8))?.contains("```swift") ?? true
        }

    /// The code of each file that is compiled.
    private static let compiled = [
        "Tests/MultipartFormTests/Examples", "Tests/Interop/Sources/UploadExamples", "Tests/Guides",
        "Tests/Dependent/Sources",
    ].flatMap { files(in: $0) { $0.hasSuffix(".swift") && !$0.hasSuffix("Package.swift") } }
        .compactMap { try? Code(String(contentsOf: root.appendingPathComponent($0), encoding: .utf8)) }

    /// Code without white space, semicolons and the marks of doc comments, and its imports, which stand elsewhere in a file.
    private struct Code {
        let imports: Set<String>
        let text: String

        init(_ code: String) {
            let lines = code.split(whereSeparator: \.isNewline).map(String.init)
            imports = Set(lines.filter { $0.hasPrefix("import ") })
            text = lines.filter { !$0.hasPrefix("import ") }.joined()
                .replacingOccurrences(of: "///", with: "").filter { !$0.isWhitespace && $0 != ";" }
        }

        func stands(in other: Code) -> Bool {
            imports.isSubset(of: other.imports) && (text.isEmpty || other.text.contains(text))
        }
    }

    @Test(arguments: documents)
    func `a document shows compiled code`(_ document: String) throws {
        let text = try String(contentsOf: Self.root.appendingPathComponent(document), encoding: .utf8)
        for block in Self.blocks(in: text) where !block.saysThatItIsNot && !block.code.hasPrefix(".package(") {
            let shown = Code(block.code)
            #expect(!block.code.isEmpty)
            #expect(Self.compiled.contains { shown.stands(in: $0) }, "\(document): \(block.code)")
        }
    }

    @Test func `the documents with code are found`() throws {
        #expect(Self.compiled.count > 20)
        let blocks = try Self.documents.flatMap {
            try Self.blocks(in: String(contentsOf: Self.root.appendingPathComponent($0), encoding: .utf8))
        }
        #expect(blocks.count > 40)
        #expect(blocks.filter(\.saysThatItIsNot).count * 8 < blocks.count)
    }

    @Test func `code that differs is not found`() {
        let compiled = Code("import A\nfunc f() {\n    let a = 1\n    let b = 2\n}\n")
        #expect(Code("let a = 1; let b = 2").stands(in: compiled))
        #expect(Code("import A").stands(in: compiled))
        #expect(!Code("import B\nlet a = 1").stands(in: compiled))
        #expect(!Code("let a = 1\nlet b = 3").stands(in: compiled))
        let text = "Text.\n\n```swift\nlet a = 1\n```\n\nThis one is not compiled:\n\n```swift\nlet b = 2\n```\n"
        #expect(Self.blocks(in: text).map(\.code) == ["let a = 1\n", "let b = 2\n"])
        #expect(Self.blocks(in: text).map(\.saysThatItIsNot) == [false, true])
    }

    private static func blocks(in text: String) -> [(code: String, saysThatItIsNot: Bool)] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let line = line.drop { $0 == " " }
            return line.hasPrefix("///") ? line.dropFirst(3).drop { $0 == " " } : line
        }
        var blocks: [(code: String, saysThatItIsNot: Bool)] = []
        var paragraph = ""
        var code: String?
        for line in lines {
            if let block = code {
                code = line == "```" ? nil : block + line + "\n"
                if code == nil {
                    let words = paragraph.lowercased()
                    blocks.append((block, words.contains("not compiled") || words.contains("not run")))
                    paragraph = ""
                }
            } else if line == "```swift" {
                code = ""
            } else if !line.isEmpty {
                paragraph = String(line)
            }
        }
        return blocks
    }

    private static func files(in folder: String, where isWanted: (String) -> Bool) -> [String] {
        let found = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
        return (found?.compactMap { $0 as? String } ?? [])
            .filter { !$0.split(separator: "/").contains(".build") && isWanted($0) }.sorted()
            .map { folder + "/" + $0 }
    }
}
