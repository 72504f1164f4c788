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

    @Test func `the advisories are there, each once`() {
        #expect(Advisory.all.count >= 82)
        #expect(Set(Advisory.all.map(\.id)).count == Advisory.all.count)
    }

    @Test(arguments: Advisory.all)
    func `an advisory does not apply here`(advisory: Advisory) async throws {
        try await advisory.check()
    }

    @Test func `the documentation lists the same advisories, below a link to their checks`() throws {
        let lines = try Self.lines(below: "## What happened elsewhere")
        #expect(lines.filter { $0.hasPrefix("- ") } == Advisory.all.map(\.line))
        var link: Substring = ""
        for line in lines {
            if let found = line.prefixMatch(of: /\[`Advisory[^)]*\)/) { link = found.output }
            guard let advisory = Advisory.all.first(where: { $0.line == line }) else { continue }
            #expect(link == advisory.link, "\(advisory.id)")
        }
    }

    @Test func `strict mode's cases become what the documentation says`() throws {
        let lines = try Self.lines(below: "## What strict mode refuses").filter { $0.hasPrefix("- ") }
        #expect(lines.count >= 18)
        for line in lines {
            let code = try #require(line.firstMatch(of: /Strict mode: `([a-z0-9-]+)`/)).1
            let cases = line.matches(of: /conformance\/parse\/[a-z0-9-]+\.json/).map { String($0.output) }
            #expect(!cases.isEmpty, "\(line)")
            for name in cases {
                let expected = try Fixtures.json(ParseCase.self, name)
                #expect(expected.outcome(.strict).error == String(code), "\(name)")
                #expect(expected.lenient.error == nil, "\(name)")
            }
        }
    }

    @Test func `the figures of the costs are those that were measured`() throws {
        let file = Self.repository.appendingPathComponent("Tests/Deep/Hostile.md")
        let measured = try String(contentsOf: file, encoding: .utf8)
        let figures = try Self.lines(below: "## What it costs").flatMap { line in
            line.matches(of: /×?[0-9]+\.[0-9]+/).map(\.output)
        }
        #expect(figures.count >= 3)
        for figure in figures { #expect(measured.contains(figure), "\(figure)") }
    }
}
