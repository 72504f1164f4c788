import Foundation

/// Measures the library and prints the results.
@main
struct Benchmarks {
    /// The attempts for a case that breaks a floor, so that a slow spell of the machine passes.
    private static let attempts = 3

    static func main() {
        // The main thread is free for the main actor.
        Thread.detachNewThread { exit(run()) }
        dispatchMain()
    }

    private static func run() -> Int32 {
        do {
            let isWithinFloors = try run(Options(Array(CommandLine.arguments.dropFirst())))
            return isWithinFloors ? 0 : 1
        } catch {
            FileHandle.standardError.write(Data("error: \(error)\n".utf8))
            return 2
        }
    }

    private static func run(_ options: Options) throws -> Bool {
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

    /// Measures the cases; false if one fell below its floor each time.
    private static func measure(_ options: Options) throws -> Bool {
        let cases = try Catalog.select(options.names, options.scale)
        let floors = try options.floors.map { try Floors(path: $0, names: Catalog.names) }
        let settings = Settings(scale: options.scale, directory: try WorkDirectory())
        let table = ResultTable(isJSON: options.isJSON)
        var violations: [String] = []
        table.begin()
        for benchmark in cases {
            violations += try measure(benchmark, settings, floors, table)
        }
        for violation in violations {
            FileHandle.standardError.write(Data("below the floor: \(violation)\n".utf8))
        }
        return violations.isEmpty
    }

    private static func measure(
        _ benchmark: any BenchmarkCase,
        _ settings: Settings,
        _ floors: Floors?,
        _ table: ResultTable
    ) throws -> [String] {
        var violations: [String] = []
        for attempt in 1...attempts {
            let results = try benchmark.run(settings)
            violations = results.flatMap { floors?.violations(of: $0) ?? [] }
            guard violations.isEmpty || attempt == attempts else { continue }
            for result in results { try table.add(result) }
            break
        }
        return violations
    }
}
