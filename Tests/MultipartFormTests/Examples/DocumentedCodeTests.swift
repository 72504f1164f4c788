import Foundation
import TestSupport
import Testing

/// `Tests/Interop` checks the code of the other articles, which needs clients and servers.
@Suite struct DocumentedCodeTests {
    private static let documents = [
        ("README.md", 4),
        ("Sources/MultipartForm/MultipartForm.docc/MultipartForm.md", 3),
        ("Sources/MultipartForm/MultipartForm.docc/CodingValues.md", 9),
        ("Sources/MultipartForm/MultipartForm.docc/LimitsAndModes.md", 1),
    ]

    @Test(arguments: documents)
    func `a document shows compiled code`(_ document: String, _ count: Int) throws {
        let root = Fixtures.directory.deletingLastPathComponent()
        let compiled = try ["DocumentedCode", "DocumentedCodingTests"].map { file in
            let file = root.appendingPathComponent("Tests/MultipartFormTests/Examples/\(file).swift")
            return try Self.normalized(String(contentsOf: file, encoding: .utf8))
        }
        let text = try String(contentsOf: root.appendingPathComponent(document), encoding: .utf8)
        let snippets = text.components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first.map(Self.normalized) }
            .filter { !$0.isEmpty && !$0.hasPrefix(".package(") }
        #expect(snippets.count == count)
        for snippet in snippets {
            #expect(compiled.contains { $0.contains(snippet) }, "\(document): \(snippet)")
        }
    }

    /// The lines of code, other than imports, with one space wherever there are several.
    private static func normalized(_ code: String) -> String {
        code.split(separator: "\n").filter { !$0.hasPrefix("import ") }
            .map { $0.split(separator: " ").joined(separator: " ") }
            .joined(separator: "\n")
    }
}
