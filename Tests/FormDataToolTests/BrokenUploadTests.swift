import Foundation
import TestSupport
import Testing

/// What `inspect` says first of the captures in `Fixtures/uploads`, whose README has a text for each.
struct BrokenUploadTests {
    /// A row of the table in the README.
    struct Upload: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        var testDescription: String { name }
    }

    static let uploads: [Upload] = {
        let readme = (try? Fixtures.data("uploads/README.md")).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return readme.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
            let cells = row.components(separatedBy: " | ")
            return Upload(
                name: cells[0].trimmingCharacters(in: CharacterSet(charactersIn: "| `")),
                text: cells[2].trimmingCharacters(in: CharacterSet(charactersIn: "| `"))
            )
        }
    }()

    @Test func `the README has each file`() {
        let names = Self.uploads.map(\.name) + ["README.md"]
        #expect(Set(names) == Set(Fixtures.files(in: "uploads")))
    }

    @Test(arguments: uploads)
    func `the first line says what went wrong, however the message is cut`(upload: Upload) throws {
        let input = Tool.Input.path(Fixtures.directory.appendingPathComponent("uploads/\(upload.name)").path)
        let output = try Tool.run(["inspect"], input: input)
        let json = try Tool.run(["inspect", "--json"], input: input)
        let report = try Report(json.standardOutput)
        #expect(output.exitCode == (report.error == nil ? 0 : 65))
        #expect(json.exitCode == output.exitCode)
        let findings = report.findings ?? []
        let isTolerated = findings.first?.code != nil
        let first = report.error.map { [$0.message] } ?? findings.prefix(isTolerated ? 2 : 1).map(\.message)
        #expect(first.contains { $0.contains(upload.text) }, "\(first)")
        for message in first { #expect((output.text + output.standardError).contains(": \(message)\n")) }
        let cut = try Tool.run(["inspect", "--json", "--chunk-size", "1"], input: input)
        #expect(cut.text == json.text)
        #expect(cut.standardError == json.standardError)
    }
}
