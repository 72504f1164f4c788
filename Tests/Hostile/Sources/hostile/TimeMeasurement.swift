import Foundation
import MultipartForm
import TestSupport

/// Times hostile messages against honest ones of the same size, in the same chunks, by every way in.
///
/// What counts is the processor's time, the system's included, so that other programs hardly matter.
enum TimeMeasurement {
    /// How many times as long as the slowest honest message of its shape a hostile one may take.
    static let bar = 10.0
    /// How often an honest message is read at most, and one that seems slow; the fastest run counts.
    static let runs = 9
    /// How long a message is read again at most, in seconds.
    static let patience = 0.5
    /// How often a message that breaks the bar is measured anew, with the honest ones, so that a slow spell passes.
    static let attempts = 3

    /// A way in, with chunks of a size, in a mode; and how long each message takes, in seconds.
    private struct Round {
        let way: WayIn
        let size: Int
        let mode: ParsingMode
        var honest: [(message: Adversary, time: Double)] = []
        var hostile: [(message: Adversary, time: Double, ratio: Double)] = []

        /// How long the slowest honest message takes that a hostile one is compared with.
        func reference(for message: Adversary) -> Double {
            honest.filter { $0.message.shape.rawValue <= message.shape.rawValue }.map(\.time).max() ?? .infinity
        }

        /// The hostile message with the worst ratio.
        var worst: (name: String, time: Double, ratio: Double) {
            let worst = hostile.max { $0.ratio < $1.ratio }
            return (worst?.message.name ?? "", worst?.time ?? 0, worst?.ratio ?? 0)
        }

        var name: String { "\(mode), " + (size == .max ? "" : "chunks of \(size)") }
    }

    /// Prints the times of the messages with the given names, or of all of them and only the worst.
    static func run(_ names: [String]) async throws {
        let directory = try TemporaryDirectory()
        let hostile = Adversary.hostile.filter { names.isEmpty || names.contains($0.name) }
        let honest = Adversary.honest.map { " \($0.name) |" }.joined()
        print("| way in | chunks | mode |\(honest) worst hostile | | of the slowest honest |")
        print("| --- | ---: | --- |\(String(repeating: " ---: |", count: Adversary.honest.count)) ---: | --- | ---: |")
        var worst: [String: (ratio: Double, name: String)] = [:]
        // The smallest chunks come last: what is slow by the chunk fails before.
        for size in Set(WayIn.all.flatMap(\.chunkSizes)).sorted(by: >) {
            for round in try await measure(hostile, chunksOf: size, in: directory) {
                if !names.isEmpty {
                    round.hostile.forEach { print("    \($0.message.name): \(milliseconds($0.time))") }
                }
                let slowest = round.worst
                print(
                    "| \(round.way.name) | \(size == .max ? "" : "\(size)") | \(round.mode) |"
                        + round.honest.map { " \(milliseconds($0.time)) |" }.joined()
                        + " \(milliseconds(slowest.time)) | \(slowest.name) | ×\(rounded(slowest.ratio)) |"
                )
                fflush(nil)
                guard slowest.ratio <= bar else { Hostile.fail("\(round.way.name): more than ×\(bar)") }
                if slowest.ratio > worst[round.way.name]?.ratio ?? 0 {
                    worst[round.way.name] = (slowest.ratio, "\(slowest.name), \(round.name)")
                }
            }
        }
        for way in WayIn.all {
            guard let worst = worst[way.name] else { continue }
            print("worst of \(way.name): ×\(rounded(worst.ratio)), \(worst.name)")
        }
    }

    /// Measures all ways in that take chunks of a size.
    private static func measure(
        _ hostile: [Adversary],
        chunksOf size: Int,
        in directory: TemporaryDirectory
    ) async throws -> [Round] {
        var rounds = WayIn.all.filter { $0.chunkSizes.contains(size) }
            .flatMap { way in way.modes.map { Round(way: way, size: size, mode: $0) } }
        let honest = try Adversary.honest.map { try Trial($0, chunksOf: size, in: directory) }
        for index in rounds.indices { try await measure(honest, &rounds[index]) }
        for message in hostile {
            let trial = try Trial(message, chunksOf: size, in: directory)
            for index in rounds.indices {
                let (way, mode) = (rounds[index].way, rounds[index].mode)
                var time = try await trial.seconds(way, mode, runs: 1)
                // Most are nowhere near the bar, and need no better look.
                if time > rounds[index].reference(for: message) * 2 {
                    time = min(time, try await trial.seconds(way, mode, runs: runs))
                }
                var ratio = time / rounds[index].reference(for: message)
                for _ in 1..<attempts where ratio > bar {
                    try await measure(honest, &rounds[index])
                    time = try await trial.seconds(way, mode, runs: runs)
                    ratio = time / rounds[index].reference(for: message)
                }
                rounds[index].hostile.append((message, time, ratio))
            }
        }
        return rounds
    }

    /// Measures the honest messages of a round.
    private static func measure(_ honest: [Trial], _ round: inout Round) async throws {
        round.honest = []
        for trial in honest {
            round.honest.append((trial.message, try await trial.seconds(round.way, round.mode, runs: runs)))
        }
    }

    /// A message, ready to be read in chunks of a size.
    private struct Trial {
        let chunks: [Data]
        let message: Adversary
        let file: URL
        let directory: TemporaryDirectory

        init(_ message: Adversary, chunksOf size: Int, in directory: TemporaryDirectory) throws {
            self.message = message
            self.directory = directory
            chunks = message.chunks(of: size)
            file = try directory.write(message.message, as: message.name)
        }

        /// The fastest of some runs.
        func seconds(_ way: WayIn, _ mode: ParsingMode, runs: Int) async throws -> Double {
            let input = WayIn.Input(
                chunks: chunks,
                whole: message.message,
                file: file,
                boundary: try Boundary(parsing: message.boundary, mode: .lenient),
                options: MultipartParser.Options(mode: mode, maxParts: 10_000),
                directory: directory.url
            )
            var best = Double.infinity
            var total = 0.0
            for run in 0..<runs where run < 2 || total < patience {
                let start = ProcessStatus.processorSeconds
                do {
                    guard try await way.read(input) >= 0 else { Hostile.fail("a message of negative length") }
                } catch is MultipartError {
                    // An early end is as good as any.
                }
                let time = ProcessStatus.processorSeconds - start
                best = min(best, time)
                total += time
            }
            return best
        }
    }

    private static func milliseconds(_ seconds: Double) -> String { String(format: "%.3f ms", seconds * 1000) }
    private static func rounded(_ ratio: Double) -> String { String(format: "%.2f", ratio) }
}
