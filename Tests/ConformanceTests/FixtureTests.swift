import Foundation
import TestSupport
import Testing

/// What `Fixtures/README.md` says of all fixtures: how many there are, and what each states.
@Suite struct FixtureTests {
    private static let regressions = Fixtures.folders(in: "regressions").flatMap {
        Fixtures.files(in: "regressions/\($0)")
    }

    /// A fixture that is lost would be missed by no other test.
    @Test(arguments: [
        ("conformance/parse", Fixtures.names(in: "conformance/parse").count),
        ("conformance/encode", Fixtures.names(in: "conformance/encode").count),
        ("clients", Fixtures.recordings.count),
        ("regressions", regressions.count),
    ])
    func `a folder has as many fixtures as the README says`(folder: String, count: Int) throws {
        let readme = String(decoding: try Fixtures.data("README.md"), as: UTF8.self)
        let sentence = try Regex("`\(folder)/` holds ([0-9]+) ", as: (Substring, Substring).self)
        let stated = try #require(readme.firstMatch(of: sentence)).1
        #expect(stated == "\(count)", "Fixtures/README.md says how many fixtures `\(folder)/` holds: correct it there")
    }

    private struct Reason: Decodable {
        let source: String
        let why: String
    }

    @Test func `every fixture says what it shows, and what decides`() throws {
        let cases = ["conformance/parse", "conformance/encode"].flatMap { folder in
            Fixtures.names(in: folder).map { "\(folder)/\($0)" }
        }
        for name in cases + Fixtures.recordings.map({ "clients/\($0)" }) {
            let reason = try Fixtures.json(Reason.self, "\(name).json")
            #expect(reason.source.contains(/\w/), "the source of \(name)")
            #expect(reason.why.contains(/\w/), "why \(name) is there")
        }
    }
}
