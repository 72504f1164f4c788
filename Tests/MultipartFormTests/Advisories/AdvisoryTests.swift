import Foundation
import TestSupport
import Testing

/// Quadratic parsing would exceed the time limit.
@Suite(.timeLimit(.minutes(10))) struct AdvisoryTests {
    static let article = Fixtures.directory.deletingLastPathComponent()
        .appendingPathComponent("Sources/MultipartForm/MultipartForm.docc/HostileInput.md")

    @Test func `the advisories are there, each once`() {
        #expect(Advisory.all.count >= 41)
        #expect(Set(Advisory.all.map(\.id)).count == Advisory.all.count)
    }

    @Test(arguments: Advisory.all)
    func `an advisory does not apply here`(advisory: Advisory) throws {
        try advisory.check()
    }

    @Test func `the documentation has the same table`() throws {
        let text = try String(contentsOf: Self.article, encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }.map(String.init)
        #expect(rows.filter { !$0.hasPrefix("| ---") }.dropFirst().elementsEqual(Advisory.all.map(\.row)))
    }
}
