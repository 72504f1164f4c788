import Foundation

/// Measures what hostile input costs: `hostile time [NAME...]`, `hostile soak [COUNT [SEED]]`, `hostile memory`.
@main
enum Hostile {
    static func main() throws {
        let words = Array(CommandLine.arguments.dropFirst())
        switch words.first {
        case "time":
            try TimeMeasurement.run(Array(words.dropFirst()))
        case "soak":
            let numbers = words.dropFirst().compactMap { Int($0) }
            try Soak.run(count: numbers.first ?? 200_000, seed: numbers.dropFirst().first ?? 1)
        case "memory" where words.count == 1:
            try MemoryMeasurement.run()
        case "memory" where words.count == 3:
            try MemoryMeasurement.runCase(named: words[1], isLimited: words[2] == "with")
        default:
            FileHandle.standardError.write(Data("hostile time [NAME...] | soak [COUNT [SEED]] | memory\n".utf8))
            exit(2)
        }
    }

    /// Ends the process, for a bar that was not held.
    static func fail(_ fact: String) -> Never {
        print("FAILED: \(fact)")
        exit(1)
    }
}
