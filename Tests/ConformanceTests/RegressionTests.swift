import Foundation
import TestSupport
import Testing

/// Replays inputs that fuzzers found. See `Fixtures/regressions/README.md`.
@Suite struct RegressionTests {
    /// A file of a target's folder.
    struct Input: Sendable, CustomTestStringConvertible {
        let target: FuzzTarget
        let name: String
        var path: String { "regressions/\(target.rawValue)/\(name)" }
        var testDescription: String { path }
    }

    static let inputs = FuzzTarget.allCases.flatMap { target in
        Fixtures.files(in: "regressions/\(target.rawValue)").map { Input(target: target, name: $0) }
    }

    @Test(arguments: FuzzTarget.allCases)
    func `every target has inputs`(target: FuzzTarget) {
        #expect(Self.inputs.count { $0.target == target } >= 2)
    }

    @Test(arguments: inputs)
    func `an input that was found passes`(input: Input) throws {
        try input.target.check(Array(try Fixtures.data(input.path)))
    }

    @Test(arguments: FuzzTarget.allCases)
    func `the seeds of the fuzzers pass`(target: FuzzTarget) throws {
        let seeds = try target.seeds()
        #expect(seeds.count >= 40)
        // `ParseConformanceTests` and others have the same fixtures.
        for index in seeds.indices where index.isMultiple(of: 3) { try target.check(seeds[index]) }
    }
}
