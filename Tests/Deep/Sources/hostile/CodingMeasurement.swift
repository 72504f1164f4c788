import Foundation
import MultipartFormCodec
import TestSupport

/// Measures what decoding forms with hostile names costs, and encodes and decodes random values.
enum CodingMeasurement {
    /// Sixteen keys and indices.
    private struct Deep: Decodable {
        let a: [[[[[[[[[[[[[[[String]]]]]]]]]]]]]]]
    }

    /// The most processor time for 1,000 parts, as a ratio to that of 1,000 parts of an honest form, read as a
    /// dictionary.
    private static let timeBar = 20.0
    /// The same for a type that tries at each name what it is, and catches an error.
    private static let guessingTimeBar = 150.0
    /// The most that four times the parts may take, as a ratio: 4 is linear, 16 is quadratic, 8 where a third of the
    /// time for the first parts grows with their square, and up to 6.6 are measured where long names outgrow the
    /// processor's caches.
    private static let growthBar = 8.0
    /// The most that a hostile form may take, as a ratio to an honest one of the same size.
    private static let honestBar = 10.0
    /// How long and how often a case above a bar is measured again, in seconds of processor time; the fastest times
    /// count.
    private static let offsetsBeforeSampling = 20.0
    private static let attempts = 6
    /// The most memory for 1,000 parts, in bytes: 14 to 16 MiB are measured, the whole heap included.
    private static let memoryBar = 20 << 20

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
                let bits = String(1 << 13 | number, radix: 2)
                return bits.map { $0 == "0" ? "é" : "e\u{301}" }.joined()
            }
        },
        Case(name: "repeated names") { Array(repeating: "name", count: $0) },
        Case(name: "sparse indices") { count in (0..<count).map { "a[\(count - $0)99999999999999999999]" } },
    ]

    /// The names of a form with 250 rows of four fields.
    private static let honestNames = (0..<1000).map { "rows[\($0 / 4)][field\($0 % 4)]" }

    private static let types: [any (Decodable & Sendable).Type] = [
        [String: String].self, CodingSample.self, [String: [Int]].self, [Int: Int].self, Deep.self,
    ]

    /// Measures the cases, then encodes and decodes so many random values.
    static func run(count: Int) throws {
        // First, since the highest memory of a process never falls.
        let idle = ProcessStatus.residentBytes
        for hostile in cases { _ = try time(hostile.names(1000), types + [Everything.self]) }
        let memory = ProcessStatus.peakResidentBytes - idle
        print("at most \(memory >> 20) MiB for 1,000 parts")
        guard memory <= memoryBar else { Hostile.fail("more than \(memoryBar) bytes") }

        print("| names | ms for 1,000 | 2,000 | 4,000 | growth | guessing: 1,000 | 2,000 | 4,000 | growth |")
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
        let honest = try time(honestNames, [[String: [[String: String]]].self])
        for hostile in cases {
            let columns =
                try measure(hostile, types, timeBar * honest)
                + measure(hostile, [Everything.self], guessingTimeBar * honest)
            print("| \(hostile.name) | \(columns.joined(separator: " | ")) |")
        }
        print("1,000 honest parts: \(rounded(honest * 1000)) ms")
        try runRefusals(guessingTimeBar * honest)
        try runMarks()
        try GuessingMeasurement.run()
        try runRoundTrips(count)
    }

    /// Measures a type that tries one shape after another, at indices fifteen deep with so many files at the end, none
    /// of which is any of the shapes. It may take `bar` for 1,000 parts, and for fewer.
    private static func runRefusals(_ bar: Double) throws {
        print("| files | ms |")
        print("| ---: | ---: |")
        for count in [1, 101, 901, 1802, 3604] {
            let names = (0..<count).map { "a" + String(repeating: "[0]", count: 14) + "[\($0)]" }
            let types: [any (Decodable & Sendable).Type] = [GuessedValue.self]
            let bar = bar * max(1, Double(count) / 1000)
            var refused = Double.infinity
            try measureAgain(while: { refused > bar }) {
                refused = min(refused, try time(names, types, filename: "x"))
            }
            print("| \(count) | \(rounded(refused * 1000)) |")
            guard refused <= bar else { Hostile.fail("\(count) files: more than \(rounded(bar * 1000)) ms") }
        }
    }

    /// Measures keys of a dictionary that are all combining marks, as many in a row as are read, against keys in which
    /// each letter has one.
    private static func runMarks() throws {
        let marks: [Unicode.Scalar] = ["\u{345}", "\u{315}", "\u{301}", "\u{327}", "\u{334}"]
        let run = "a" + String(String.UnicodeScalarView((0..<30).map { marks[$0 % marks.count] }))
        func keys(of piece: String) -> Case {
            let text = String(repeating: piece, count: 2040 / piece.utf8.count)
            return Case(name: "keys of marks") { count in (0..<count).map { text + String(100_000 + $0) } }
        }
        let types: [any (Decodable & Sendable).Type] = [[String: String].self]
        let columns = try measure(keys(of: run), types, .infinity)
        let (manyMarks, oneMark) = (keys(of: run).names(1000), keys(of: "e\u{301}").names(1000))
        let (marked, honest) = try compare {
            try time(manyMarks, types)
        } with: {
            try time(oneMark, types)
        }
        print("keys of marks: \(columns.joined(separator: ", ")); of letters with one: \(rounded(honest * 1000)) ms")
        guard marked <= honestBar * honest else { Hostile.fail("keys of marks: more than ×\(honestBar)") }
    }

    /// The times of hostile and honest input, measured again while their ratio is above the bar.
    private static func compare(
        _ hostile: () throws -> Double,
        with honest: () throws -> Double
    ) rethrows -> (hostile: Double, honest: Double) {
        var times = (hostile: Double.infinity, honest: Double.infinity)
        try measureAgain(while: { times.hostile > honestBar * times.honest }) {
            times = (min(times.hostile, try hostile()), min(times.honest, try honest()))
        }
        return times
    }

    /// Measures once, and again while a ratio is above its bar. Other programs slow a run down by the caches they
    /// share, and no run is too fast. Such a spell takes seconds.
    private static func measureAgain(while isAbove: () -> Bool, _ measure: () throws -> Void) rethrows {
        let start = ProcessStatus.processorSeconds
        var count = 0
        repeat {
            try measure()
            count += 1
        } while isAbove() && (count < attempts || ProcessStatus.processorSeconds - start < offsetsBeforeSampling)
    }

    /// The times of a case, and how they grow.
    private static func measure(_ hostile: Case, _ types: [any (Decodable & Sendable).Type], _ bar: Double) throws
        -> [String]
    {
        let sizes = [1000, 2000, 4000].map(hostile.names)
        var times = [Double](repeating: .infinity, count: sizes.count)
        var growth = Double.infinity
        try measureAgain(while: { times[0] > bar || growth > growthBar }) {
            for index in sizes.indices { times[index] = min(times[index], try time(sizes[index], types)) }
            growth = times[2] / times[0]
        }
        guard times[0] <= bar else { Hostile.fail("\(hostile.name): \(times[0]) s, more than \(bar)") }
        guard growth <= growthBar || times[2] < 0.005 else {
            Hostile.fail("\(hostile.name): ×\(rounded(growth)), more than ×\(growthBar)")
        }
        return times.map { rounded($0 * 1000) } + ["×\(rounded(growth))"]
    }

    /// The processor time of decoding a form as the slowest of some types, at its best.
    private static func time(
        _ names: [String],
        _ types: [any (Decodable & Sendable).Type],
        filename: String? = nil
    ) throws -> Double {
        var form = MultipartFormData()
        for name in names { form.append(BodyPart(Data("1".utf8), name: name, filename: filename)) }
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
