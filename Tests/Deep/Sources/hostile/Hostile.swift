import Foundation
import SystemCalls

/// Measures what hostile input costs (`hostile time [NAME...]`, `hostile text`, `hostile soak [COUNT [SEED]]`,
/// `hostile memory` and `hostile coding [COUNT]`), makes system calls fail and lets another user look on (`hostile
/// faults [COUNT]`, which starts `hostile spy DIRECTORY PREFIX BEGINNING`), and checks that
/// callers stay on their actors (`hostile executors [TURNS [NAME...]]`) and that long files are received up to the
/// limit of their route (`hostile limits`).
@main
enum Hostile {
    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        switch words.first {
        case "time":
            try await TimeMeasurement.run(Array(words.dropFirst()))
        case "soak":
            system_calls_share_memory()
            let numbers = words.dropFirst().compactMap { Int($0) }
            let (count, seed) = (numbers.first ?? 200_000, numbers.dropFirst().first ?? 1)
            try await Soak.run(count: count, seed: seed)
            try await AbortedUploads.run(count: max(count / 20, 1000), seed: seed)
        case "limits":
            try RouteLimits.run()
        case "faults":
            try await Faults.run(count: words.dropFirst().first.flatMap { Int($0) } ?? 1000)
        case "spy" where words.count == 4:
            exit(system_calls_spy(words[1], words[2], words[3]))
        case "executors":
            let turns = words.dropFirst().first.flatMap { Int($0) } ?? 300
            try await Executors.run(turns: turns, Array(words.dropFirst(2)))
        case "coding":
            try CodingMeasurement.run(count: words.dropFirst().first.flatMap { Int($0) } ?? 10_000)
        case "text":
            try TextMeasurement.run()
        case "memory" where words.count == 1:
            try MemoryMeasurement.run()
        case "memory" where words.count == 3:
            try await MemoryMeasurement.runCase(named: words[1], isLimited: words[2] == "with")
        default:
            let usage = """
                hostile time [NAME...] | text | soak [COUNT [SEED]] | memory | coding [COUNT] | faults [COUNT]
                    | executors [TURNS [NAME...]] | limits

                """
            FileHandle.standardError.write(Data(usage.utf8))
            exit(2)
        }
    }

    /// Ends the process with a failure.
    static func fail(_ reason: String) -> Never {
        print("FAILED: \(reason)")
        exit(1)
    }
}
