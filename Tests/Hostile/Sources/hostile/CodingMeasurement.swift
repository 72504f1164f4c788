import Foundation
import MultipartForm
import TestSupport

/// Measures what decoding forms with hostile names costs, and encodes and decodes random values.
enum CodingMeasurement {
    /// Sixteen keys and indices.
    private struct Deep: Decodable {
        let a: [[[[[[[[[[[[[[[String]]]]]]]]]]]]]]]
    }

    /// The most processor time for 1,000 parts, in seconds.
    private static let timeBar = 0.02
    /// The same for a type that tries at each name what it is, and catches an error.
    private static let guessingTimeBar = 0.2
    /// The most that twice the parts may take, as a ratio.
    private static let growthBar = 2.3
    /// The most memory for 1,000 parts, in bytes.
    private static let memoryBar = 16 << 20

    private struct Case: Sendable {
        let name: String
        /// The names of so many parts.
        let names: @Sendable (Int) -> [String]
    }

    private static let cases = [
        Case(name: "one path of 16 elements") {
            Array(repeating: "a" + String(repeating: "[0]", count: 15), count: $0)
        },
        Case(name: "paths of 16 elements that differ in the first") { count in
            (0..<count).map { "a[\($0)]" + String(repeating: "[0]", count: 14) }
        },
        Case(name: "names of 2,048 bytes") { count in
            (0..<count).map { String(repeating: "x", count: 2042) + String(100_000 + $0) }
        },
        Case(name: "keys of 2,048 bytes in one container") { count in
            (0..<count).map { "a[" + String(repeating: "x", count: 2039) + "\(100_000 + $0)]" }
        },
        Case(name: "keys that are equal by Unicode") { count in
            (0..<count).map { number in
                let bits = String(number, radix: 2)
                return "k" + bits.map { $0 == "0" ? "é" : "e\u{301}" }.joined() + "\(bits.count)"
            }
        },
        Case(name: "repeated names") { Array(repeating: "name", count: $0) },
        Case(name: "sparse indices") { count in (0..<count).map { "a[\(count - $0)99999999999999999999]" } },
    ]

    /// Measures the cases, then encodes and decodes so many random values.
    static func run(count: Int) throws {
        print("| names | ms for 1,000 | 2,000 | 4,000 | growth | MiB |")
        print("| --- | ---: | ---: | ---: | ---: | ---: |")
        for hostile in cases { try measure(hostile) }
        try runRoundTrips(count)
    }

    private static func measure(_ hostile: Case) throws {
        let types: [any Decodable.Type] = [
            [String: String].self, CodingSample.self, [String: [Int]].self, [Int: Int].self, Deep.self,
        ]
        try measure(hostile, "", types, timeBar)
        try measure(hostile, ", by a type that guesses", [Everything.self], guessingTimeBar)
    }

    private static func measure(
        _ hostile: Case,
        _ suffix: String,
        _ types: [any Decodable.Type],
        _ timeBar: Double
    ) throws {
        let idle = ProcessStatus.residentBytes
        var times = [try time(hostile.names(1000), types)]
        let memory = max(0, ProcessStatus.peakResidentBytes - idle)
        times += try [2000, 4000].map { try time(hostile.names($0), types) }
        let growth = max(times[1] / times[0], times[2] / times[1])
        print(
            "| \(hostile.name)\(suffix) | " + times.map { "\(rounded($0 * 1000)) |" }.joined(separator: " ")
                + " ×\(rounded(growth)) | \(memory >> 20) |"
        )
        guard times[0] <= timeBar else { Hostile.fail("more than \(timeBar) s") }
        guard growth <= growthBar || times[2] < 0.005 else { Hostile.fail("more than ×\(growthBar)") }
        guard memory <= memoryBar else { Hostile.fail("more than \(memoryBar) bytes") }
    }

    /// The processor time of decoding a form as the slowest of some types, at its best.
    private static func time(_ names: [String], _ types: [any Decodable.Type]) throws -> Double {
        var form = MultipartFormData()
        for name in names { form.append("1", withName: name) }
        var decoder = FormDataDecoder()
        decoder.maxParts = names.count
        return types.map { type in
            (0..<7).map { _ in
                let start = clock()
                _ = try? decoder.decode(type, from: form)
                return Double(clock() - start) / Double(CLOCKS_PER_SEC)
            }.min() ?? 0
        }.max() ?? 0
    }

    private static func runRoundTrips(_ count: Int) throws {
        for seed in 0..<UInt64(count) {
            var generator = SeededGenerator(seed: seed)
            let style = CodingStyle.random(seed, &generator)
            let sample = CodingSample.random(&generator, style)
            let form = try style.encoder.encode(sample)
            let received = try MultipartFormData(parsing: form.encode(), contentType: form.contentType)
            for form in [form, received] {
                let decoded = try style.decoder.decode(CodingSample.self, from: form)
                guard decoded == sample else { Hostile.fail("seed \(seed) in style \(style) came back changed") }
            }
        }
        print("\(count) random values came back as they were, in \(CodingStyle.all.count) styles")
    }

    private static func rounded(_ number: Double) -> String { String(format: "%.2f", number) }
}
