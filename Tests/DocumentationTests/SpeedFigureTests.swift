import Foundation
import TestSupport
import Testing

/// The figures of speed in the README. `.ci/documentation` checks the tables that they are from.
@Suite struct SpeedFigureTests {
    private static func text(_ path: String) throws -> String {
        let root = Fixtures.directory.deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test func `the README repeats figures of the tables that it links to`() throws {
        let readme = try Self.text("README.md").components(separatedBy: "\n## ")
        let section = try #require(readme.first { $0.hasPrefix("Speed\n") })
        var count = 0
        for group in section.matches(of: /\[(?:Parsers|Servers)\]\(([^)]+)\)([^\[]*)/) {
            let tables = try Self.text(String(group.output.1.prefix { $0 != "#" }))
            for figure in group.output.2.matches(of: /20[0-9-]{8}|[0-9]+,[0-9]{3}|[0-9]+ ns|[0-9]+ connections/) {
                count += 1
                let figure = figure.output.replacingOccurrences(of: " connections", with: " |")
                #expect(tables.contains(figure), "\(figure)")
            }
        }
        #expect(count >= 15)
    }
}
