import Foundation
import LibFuzzer
import TestSupport

/// `fuzz list` prints the targets, `fuzz seeds TARGET DIR` writes inputs to start from, and `fuzz TARGET …` passes the
/// rest of the command line to libFuzzer.
@main
enum Fuzz {
    /// The check of every target.
    static let checks: [String: @Sendable ([UInt8]) throws -> Void] = {
        var checks: [String: @Sendable ([UInt8]) throws -> Void] = ["arguments": ArgumentsCheck.run]
        for target in FuzzTarget.allCases { checks[target.rawValue] = target.check }
        return checks
    }()

    /// The chosen target's check; libFuzzer takes a function without a context.
    nonisolated(unsafe) static var check: @Sendable ([UInt8]) throws -> Void = { _ in }

    static func main() throws {
        let words = CommandLine.arguments.dropFirst()
        switch (words.first, words.dropFirst().first) {
        case ("list", _):
            print(checks.keys.sorted().joined(separator: "\n"))
        case ("seeds", .some(let target)) where words.count == 3:
            try writeSeeds(of: target, to: URL(fileURLWithPath: words.last ?? ""))
        case (.some(let target), _):
            guard let check = checks[target] else { fatalError("no target \(target)") }
            self.check = check
            exit(run())
        default:
            fatalError("a target, list, or seeds TARGET DIR")
        }
    }

    /// Runs libFuzzer's loop with the arguments after the target.
    private static func run() -> CInt {
        var arguments = ([CommandLine.arguments[0]] + CommandLine.arguments.dropFirst(2)).map { strdup($0) }
        var count = CInt(arguments.count)
        return arguments.withUnsafeMutableBufferPointer { buffer in
            var start = buffer.baseAddress
            return LLVMFuzzerRunDriver(&count, &start) { start, count in
                do {
                    try Fuzz.check(Array(UnsafeBufferPointer(start: start, count: count)))
                } catch {
                    fatalError("\(error)")
                }
                return 0
            }
        }
    }

    private static func writeSeeds(of target: String, to directory: URL) throws {
        let seeds = try FuzzTarget(rawValue: target)?.seeds() ?? ArgumentsCheck.seeds()
        let found = try Fixtures.files(in: "regressions/\(target)").map {
            Array(try Fixtures.data("regressions/\(target)/\($0)"))
        }
        precondition(!seeds.isEmpty && !found.isEmpty, "the fixtures are missing")
        for (index, seed) in (seeds + found).enumerated() {
            try Data(seed).write(to: directory.appendingPathComponent("seed-\(index)"))
        }
    }
}
