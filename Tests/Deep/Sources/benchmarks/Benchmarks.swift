import Foundation

/// Measures the library and prints the results.
@main
struct Benchmarks {
    /// How often a case is measured that breaks a floor, each time after all others, so that a slow spell passes.
    private static let attempts = 5

    static func main() {
        let options: Options
        do {
            options = try Options(Array(CommandLine.arguments.dropFirst()))
        } catch {
            exit(fail(error))
        }
        guard case .measure = options.mode else { exit(run(options)) }
        // The main thread is free for the main actor, on which some cases run.
        Thread.detachNewThread { exit(run(options)) }
        dispatchMain()
    }

    private static func run(_ options: Options) -> Int32 {
        do {
            return try isWithinFloors(options) ? 0 : 1
        } catch {
            return fail(error)
        }
    }

    /// Prints an error; returns the exit code.
    private static func fail(_ error: any Error) -> Int32 {
        FileHandle.standardError.write(Data("error: \(error)\n".utf8))
        return 2
    }

    /// Does what the options say; false if a case broke a floor.
    private static func isWithinFloors(_ options: Options) throws -> Bool {
        switch options.mode {
        case .measure:
            return try measure(options)
        case .list:
            for benchmark in Catalog.cases { print(benchmark.name) }
        case .help:
            print(Options.help)
        case .writeInputs(let directory):
            let shapes = ParseShape.allCases.filter { options.names.isEmpty || options.names.contains($0.rawValue) }
            try InputFiles(directory: URL(fileURLWithPath: directory)).write(shapes, options.scale)
        case .freshProcess(let path):
            let report = try JSONEncoder().encode(options.fileRun(path).freshReport())
            print(String(decoding: report, as: UTF8.self))
        case .peer(let path):
            try PeerRun(file: options.fileRun(path)).run()
        }
        return true
    }

    /// Measures the cases; false if one broke the same floor at each attempt.
    private static func measure(_ options: Options) throws -> Bool {
        guard options.scale != .counts || AllocationTotal.isAvailable else {
            print("skipped: allocations cannot be counted on this system")
            return true
        }
        let wanted = options.names.isEmpty ? nil : Set(options.names)
        var floors = try options.floors.map { try Floors(path: $0, cases: wanted) }
        let settings = Settings(scale: options.scale, directory: try WorkDirectory())
        let table = ResultTable(isJSON: options.isJSON)
        var cases = try Catalog.select(options.names, options.scale)
        var violations: Set<Floors.Violation> = []
        // A count is the same at each attempt.
        let attempts = options.scale == .counts ? 1 : attempts
        table.begin()
        for attempt in 1...attempts {
            var found: Set<Floors.Violation> = []
            for benchmark in cases {
                for result in try benchmark.run(settings) {
                    try table.add(result)
                    found.formUnion(floors?.violations(of: result) ?? [])
                }
            }
            if let unused = floors?.unused, !unused.isEmpty {
                throw BenchmarkError("floors that apply to no result: \(unused.joined(separator: ", "))")
            }
            violations = attempt == 1 ? found : found.intersection(violations)
            cases.removeAll { benchmark in !violations.contains { $0.benchmark == benchmark.name } }
            guard !cases.isEmpty else { return true }
            report(violations, attempt < attempts ? "measured again at the end" : "in each of \(attempts) attempts")
        }
        return false
    }

    private static func report(_ violations: Set<Floors.Violation>, _ outcome: String) {
        for line in violations.map(\.description).sorted() {
            FileHandle.standardError.write(Data("beyond its floor: \(line), \(outcome)\n".utf8))
        }
    }
}
