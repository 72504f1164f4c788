import Foundation
import TestSupport
import Testing

/// The code of the reference is compiled: that of its pages, and that in the documentation comments of the library.
@Suite struct ReferenceCodeTests {
    private static let sources = Fixtures.directory.deletingLastPathComponent()
        .appendingPathComponent("Sources/MultipartForm")

    private static let catalogue = sources.appendingPathComponent("MultipartForm.docc")

    private static let pages: [String] = {
        let folder = catalogue.appendingPathComponent("Reference")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".md") }.sorted().map { "Reference/\($0)" } + ["AnatomyOfAMessage.md"]
    }()

    @Test func `there is code in the reference`() {
        #expect(Self.pages.count > 40)
    }

    @Test(arguments: pages)
    func `a page of the reference shows compiled code`(page: String) throws {
        let names = ["ReferenceFormTests", "ReferenceParsingTests", "ReferenceCodingTests"]
        let text = try String(contentsOf: Self.catalogue.appendingPathComponent(page), encoding: .utf8)
        try Self.check(text, page, names)
    }

    @Test func `documentation comments show compiled code`() throws {
        var count = 0
        let files = FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                .map { $0.drop { $0 == " " } }
                .filter { $0.hasPrefix("///") }
                .map { $0.dropFirst(3).drop { $0 == " " } }
            count += try Self.check(lines.joined(separator: "\n"), file.lastPathComponent, ["DocumentedDeclarations"])
        }
        #expect(count >= 15)
    }

    /// Checks the code of a text against the files that compile it, and returns how many blocks there are.
    @discardableResult
    private static func check(_ text: String, _ place: String, _ names: [String]) throws -> Int {
        let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let compiled = try names.map { name in
            normalized(try String(contentsOf: examples.appendingPathComponent("\(name).swift"), encoding: .utf8))
        }
        let blocks = text.components(separatedBy: "```swift\n").dropFirst()
        for block in blocks {
            let code = normalized(block.components(separatedBy: "```")[0])
            #expect(compiled.contains { $0.contains(code) }, "\(place): \(code)")
        }
        return blocks.count
    }

    /// The lines of code, with one space wherever there are several.
    private static func normalized(_ code: String) -> String {
        code.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }.joined(separator: "\n")
    }
}
