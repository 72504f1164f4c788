import Foundation
import TestSupport
import Testing

/// The figures of `WhatWePromise.md`, and that each promise has a test.
@Suite struct PromiseTests {
    private static let page = "Sources/MultipartFormCodec/MultipartFormCodec.docc/WhatWePromise.md"

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: AdvisoryTests.repository.appendingPathComponent(path), encoding: .utf8)
    }

    /// The names of files are those of types, which stand without a folder and an ending.
    @Test func `each promise names files of the repository`() throws {
        let root = AdvisoryTests.repository
        let folder = root.appendingPathComponent("Tests")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [])?.allObjects as? [URL]
        let types = Set((files ?? []).map(\.lastPathComponent).filter { $0.hasSuffix(".swift") })
        let rows = try Self.text(Self.page).split(separator: "\n").filter {
            $0.hasPrefix("| ") && !$0.hasPrefix("| promise") && !$0.hasPrefix("| ---")
        }
        #expect(rows.count >= 25)
        for row in rows {
            let test = try #require(row.split(separator: "|").dropFirst().last { $0 != " " })
            let names = test.matches(of: /`([^`]+)`/).map { String($0.1) }
            #expect(!names.isEmpty, "\(row)")
            for name in names {
                let isPath = FileManager.default.fileExists(atPath: root.appendingPathComponent(name).path)
                #expect(isPath || types.contains("\(name).swift"), "\(name)")
            }
        }
    }

    @Test func `the figures of fixtures are not too high`() throws {
        let page = try Self.text(Self.page)
        let cases = Fixtures.names(in: "conformance/parse").count
        let figures = [
            (page.firstMatch(of: /more than ([0-9]+) messages, whole/)?.1, cases),
            (page.firstMatch(of: /([0-9]+) recorded bodies/)?.1, Recording.all.count),
            (page.firstMatch(of: /recorded bodies of ([0-9]+) clients/)?.1, Recording.clients.count),
            (page.firstMatch(of: /more than ([0-9]+) advisories/)?.1, Advisory.all.count - 1),
        ]
        for (figure, count) in figures {
            let number = try #require(figure.flatMap { Int($0) })
            #expect(number <= count && number > count * 9 / 10, "\(number) of \(count)")
        }
    }

    @Test func `the figures of clients are those of the recorded bodies`() throws {
        let counts = Recording.clients.map { Recording.recordings(of: $0).count }
        let total = counts.reduce(0, +)
        for path in [Self.page, "Fixtures/README.md", "Tests/Interop/Details.md"] {
            #expect(try Self.text(path).states("\(total)"), "\(path)")
        }
        let range = "\(counts.min() ?? 0) to \(counts.max() ?? 0)"
        #expect(try Self.text("Tests/Interop/Details.md").states(range))
    }

    @Test func `the figures that were measured are those of the file that is linked`() throws {
        let measured = try Self.text("Tests/Deep/Hostile.md")
        let rows = try Self.text(Self.page).split(separator: "\n").filter { $0.contains("Tests/Deep/Hostile.md") }
        let figures = rows.flatMap { row in
            row.matches(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]+[.,][0-9]+|[0-9]{3,}/).map { String($0.output) }
        }
        #expect(figures.count >= 8)
        for figure in figures { #expect(measured.states(figure), "\(figure)") }
    }
}
