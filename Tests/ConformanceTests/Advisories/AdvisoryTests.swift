import Foundation
import MultipartForm
import TestSupport
import Testing

/// Quadratic parsing would exceed the time limit.
@Suite(.timeLimit(.minutes(10))) struct AdvisoryTests {
    static let repository = Fixtures.directory.deletingLastPathComponent()

    /// The article's lines below a heading, up to the next one of the same level.
    private static func lines(below heading: String) throws -> [String] {
        let article = repository.appendingPathComponent("Sources/MultipartForm/MultipartForm.docc/HostileInput.md")
        let lines = try String(contentsOf: article, encoding: .utf8).split(separator: "\n").map(String.init)
        return lines.drop { $0 != heading }.dropFirst().prefix { !$0.hasPrefix("## ") }
    }

    /// The rows of a section's table, without its head.
    private static func rows(below heading: String) throws -> [String] {
        let table = try lines(below: heading).drop { !$0.hasPrefix("| ---") }
        return Array(table.dropFirst().prefix { $0.hasPrefix("| ") })
    }

    @Test func `the advisories are there, each once`() {
        #expect(Advisory.all.count >= 82)
        #expect(Set(Advisory.all.map(\.id)).count == Advisory.all.count)
    }

    @Test(arguments: Advisory.all)
    func `an advisory does not apply here`(advisory: Advisory) async throws {
        try await advisory.check()
    }

    @Test func `the documentation has the same table`() throws {
        #expect(try Self.rows(below: "## What happened elsewhere") == Advisory.all.map(\.row))
    }

    @Test func `strict mode's cases become what the documentation says`() throws {
        let rows = try Self.rows(below: "## Strict or lenient")
        #expect(rows.count >= 18)
        for row in rows {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            try #require(cells.count == 5, "\(row)")
            let code = cells[2].split(separator: "`").first.map(String.init)
            let cases = cells[3].matches(of: /conformance\/parse\/[a-z0-9-]+\.json/).map { String($0.output) }
            #expect(!cases.isEmpty, "\(row)")
            for name in cases {
                let expected = try Fixtures.json(ParseCase.self, name)
                #expect(expected.outcome(.strict).error == code, "\(name)")
                #expect(expected.lenient.error == nil, "\(name)")
            }
            #expect(Advisory.Cost(rawValue: cells[4]) != nil, "\(row)")
        }
    }

    @Test func `the documentation says what each cost is`() throws {
        let costs = try Self.rows(below: "## What it costs").map { $0.split(separator: "|")[0] }
        #expect(costs.map { $0.trimmingCharacters(in: .whitespaces) } == Advisory.Cost.allCases.map(\.rawValue))
    }

    @Test func `the figures of the costs are those that were measured`() throws {
        let readme = Self.repository.appendingPathComponent("Tests/Deep/Hostile.md")
        let measured = try String(contentsOf: readme, encoding: .utf8)
        let figures = try Self.rows(below: "## What it costs").flatMap { row in
            row.matches(of: /[0-9]+\.[0-9]+/).map(\.output)
        }
        #expect(figures.count >= 3)
        for figure in figures { #expect(measured.contains(figure), "\(figure)") }
    }
}
