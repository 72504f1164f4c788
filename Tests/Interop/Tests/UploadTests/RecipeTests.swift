import Foundation
import Testing

extension UploadTests {
    @Suite struct RecipeTests {
        private static let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()

        private static let recipes = [
            ("Sources/MultipartForm/MultipartForm.docc/UploadingWithURLSession.md", 4),
            ("Sources/MultipartForm/MultipartForm.docc/UploadingWithAsyncHTTPClient.md", 2),
            ("Sources/MultipartForm/MultipartForm.docc/ReceivingInHummingbird.md", 5),
            ("Sources/MultipartForm/MultipartForm.docc/ReceivingInAnyServer.md", 5),
        ]

        @Test(arguments: recipes)
        func `a document shows compiled code`(_ document: String, _ count: Int) throws {
            let directory = Self.root.appendingPathComponent("Tests/Interop/Sources/UploadExamples")
            let examples = try FileManager.default
                .contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
                .map { try Self.withoutIndentation(String(contentsOf: $0, encoding: .utf8)) }
            let text = try String(contentsOf: Self.root.appendingPathComponent(document), encoding: .utf8)
            let snippets = Self.snippets(in: text)
            #expect(snippets.count == count)
            for snippet in snippets {
                let shown = Self.withoutIndentation(snippet)
                #expect(examples.contains { $0.contains(shown) }, "\(document): \(snippet)")
            }
        }

        /// The Swift code of a document.
        private static func snippets(in text: String) -> [String] {
            text.components(separatedBy: "```swift\n").dropFirst().compactMap {
                $0.components(separatedBy: "```").first
            }
        }

        private static func withoutIndentation(_ code: String) -> String {
            code.split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.drop { $0 == " " } }
                .joined(separator: "\n")
        }
    }
}
