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
        ("clients", Recording.all.count),
        ("regressions", regressions.count),
        // All files but the README.
        ("uploads", Fixtures.files(in: "uploads").count - 1),
    ])
    func `a folder has as many fixtures as the README says`(folder: String, count: Int) throws {
        let readme = String(decoding: try Fixtures.data("README.md"), as: UTF8.self)
        let sentence = try Regex("`\(folder)/` holds ([0-9]+) ", as: (Substring, Substring).self)
        let stated = try #require(readme.firstMatch(of: sentence)).1
        #expect(stated == "\(count)", "Fixtures/README.md says how many fixtures `\(folder)/` holds: correct it there")
    }

    @Test func `a recording has the bytes that the client sent`() {
        for recording in Recording.all {
            #expect(recording.body.count == recording.length, "\(recording)")
            #expect(Self.crc32(recording.body) == recording.crc32, "\(recording)")
        }
    }

    /// The CRC-32 of zip archives, in hexadecimal digits.
    private static func crc32(_ bytes: Data) -> String {
        var remainder = UInt32.max
        for byte in bytes {
            remainder ^= UInt32(byte)
            for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        let digits = String(~remainder, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    private struct Reason: Decodable {
        let source: String
        let why: String
    }

    @Test func `every fixture says what it shows, and what decides`() throws {
        let cases = ["conformance/parse", "conformance/encode"].flatMap { folder in
            Fixtures.names(in: folder).map { "\(folder)/\($0)" }
        }
        for name in cases {
            let reason = try Fixtures.json(Reason.self, "\(name).json")
            #expect(reason.source.contains(/\w/), "the source of \(name)")
            #expect(reason.why.contains(/\w/), "why \(name) is there")
        }
    }
}
