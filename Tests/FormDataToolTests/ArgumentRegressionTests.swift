import Foundation
import TestSupport
import Testing

/// Replays the arguments that the fuzzer found. See `Fixtures/regressions/README.md`.
struct ArgumentRegressionTests {
    static let names = Fixtures.files(in: "regressions/arguments")

    @Test func `there are inputs`() {
        #expect(Self.names.count >= 2)
    }

    @Test(arguments: names, ["encode", "inspect"])
    func `any arguments end the tool with an exit code`(name: String, command: String) throws {
        let bytes = try Fixtures.data("regressions/arguments/\(name)")
        let words = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        let output = try Tool.run([command] + words, in: try TemporaryDirectory())
        #expect([0, 64, 65, 66].contains(output.exitCode))
    }
}
