import Foundation
import TestSupport
import Testing

/// The lines that `MigratingOtherCode.md` counts for the ten ports are those that it shows.
@Suite struct TenPortsTests {
    private static let article = Fixtures.directory.deletingLastPathComponent()
        .appendingPathComponent("Sources/MultipartForm/MultipartForm.docc/MigratingOtherCode.md")

    @Test func `the table counts the lines of each example`() throws {
        let article = try String(contentsOf: Self.article, encoding: .utf8)
        let text = try #require(article.components(separatedBy: "\n## Compare ten ports\n").last)
        let counted = text.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.contains("`") }
            .map { row in row.split(separator: "|").suffix(2).compactMap { Int($0.filter(\.isNumber)) } }
        let sections = text.components(separatedBy: "\n### ").dropFirst()
        #expect(counted.count == 10 && sections.count == 10)
        for (section, counts) in zip(sections, counted) {
            let name = section.prefix { $0 != "\n" }
            // The type of Telegram's files is a value's: both versions have it.
            let blocks = section.components(separatedBy: "```swift\n").dropFirst()
                .map { $0.components(separatedBy: "\n```")[0] }.filter { !$0.hasPrefix("enum InputFile") }
            let shown = blocks.flatMap { $0.split(separator: "\n") }.filter { !$0.allSatisfy(\.isWhitespace) }
            #expect(counts.count == 2 && counts.last == shown.count, "\(name)")
            #expect(counts.last ?? 0 < counts.first ?? 0, "\(name)")
        }
    }
}
