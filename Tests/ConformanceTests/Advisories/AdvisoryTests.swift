import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Quadratic parsing would exceed the time limit.
@Suite(.timeLimit(.minutes(10))) struct AdvisoryTests {
    static let repository = Fixtures.directory.deletingLastPathComponent()

    /// The article's lines below a heading, up to the next one of the same level.
    private static func lines(below heading: String) throws -> [String] {
        let article =
            repository
            .appendingPathComponent("Sources/MultipartFormCodec/MultipartFormCodec.docc/HostileInput.md")
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

    @Test func `the documentation lists the files of the advisories`() throws {
        let lines = try Self.lines(below: "## Attacks on other parsers and encoders")
        let files = lines.compactMap { $0.firstMatch(of: /^\| `(Advisory\+\w+)` \|/)?.output.1 }
        #expect(Set(files.map(String.init)) == Set(Advisory.all.map(\.source)))
        #expect(files.count == 7)
    }

    @Test func `strict mode's cases become what the documentation says`() throws {
        let lines = try Self.lines(below: "## What strict mode refuses")
            .filter { $0.hasPrefix("| ") && $0.hasSuffix("`) |") }
        #expect(lines.count >= 18)
        for line in lines {
            let (_, code, name) = try #require(line.firstMatch(of: /`([a-z0-9-]+)` \(`([a-z0-9-]+)`\) \|$/)).output
            let expected = try Fixtures.json(ParseCase.self, "conformance/parse/\(name).json")
            #expect(expected.outcome(.strict).error == String(code), "\(name)")
            #expect(expected.lenient.error == nil, "\(name)")
        }
    }
}
