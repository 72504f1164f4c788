import Foundation
import MultipartFormCodec
import TestSupport

/// Times hostile messages against honest ones of the same size, in the same chunks, with every parsing API.
///
/// Times are CPU time, the system's included, so that other programs hardly matter.
enum TimeMeasurement {
    /// The highest ratio of a hostile message's time to that of the slowest honest one of its shape.
    static let bar = 10.0
    /// The most runs of an honest message, or of one that seems slow; the fastest counts.
    static let runs = 9
    /// The time after which a message is not run again, in seconds.
    static let offsetsBeforeSampling = 0.5
    /// The attempts for a message above the bar: the honest ones are measured again, too, so that a slow spell passes.
    static let attempts = 10

    /// An API with a chunk size and a mode, and the time each message takes, in seconds.
    private struct Round {
        let api: ParsingAPI
        let size: Int
        let mode: ParsingMode
        var honest: [(message: Adversary, time: Double)] = []
        var hostile: [(message: Adversary, time: Double, ratio: Double)] = []

        /// The time of the slowest honest message that a hostile one is compared with.
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
        print("| API | chunks | mode |\(honest) worst hostile | | of the slowest honest |")
        print("| --- | ---: | --- |\(String(repeating: " ---: |", count: Adversary.honest.count)) ---: | --- | ---: |")
        var worst: [String: (ratio: Double, name: String)] = [:]
        // The smallest chunks come last: a cost per chunk fails before that.
        for size in Set(ParsingAPI.all.flatMap(\.chunkSizes)).sorted(by: >) {
            for round in try await measure(hostile, chunksOf: size, in: directory) {
                if !names.isEmpty {
                    round.hostile.forEach { print("    \($0.message.name): \(milliseconds($0.time))") }
                }
                let slowest = round.worst
                print(
                    "| \(round.api.name) | \(size == .max ? "" : "\(size)") | \(round.mode) |"
                        + round.honest.map { " \(milliseconds($0.time)) |" }.joined()
                        + " \(milliseconds(slowest.time)) | \(slowest.name) | ×\(rounded(slowest.ratio)) |"
                )
                fflush(nil)
                guard slowest.ratio <= bar else { Hostile.fail("\(round.api.name): more than ×\(bar)") }
                if slowest.ratio > worst[round.api.name]?.ratio ?? 0 {
                    worst[round.api.name] = (slowest.ratio, "\(slowest.name), \(round.name)")
                }
            }
        }
        for api in ParsingAPI.all {
            guard let worst = worst[api.name] else { continue }
            print("worst of \(api.name): ×\(rounded(worst.ratio)), \(worst.name)")
        }
    }

    /// Measures all APIs that take chunks of a size.
    private static func measure(
        _ hostile: [Adversary],
        chunksOf size: Int,
        in directory: TemporaryDirectory
    ) async throws -> [Round] {
        var rounds = ParsingAPI.all.filter { $0.chunkSizes.contains(size) }
            .flatMap { api in api.modes.map { Round(api: api, size: size, mode: $0) } }
        let honest = try Adversary.honest.map { try Trial($0, chunksOf: size, in: directory) }
        for index in rounds.indices { try await measure(honest, &rounds[index]) }
        for message in hostile {
            let trial = try Trial(message, chunksOf: size, in: directory)
            for index in rounds.indices {
                let (api, mode) = (rounds[index].api, rounds[index].mode)
                var time = try await trial.seconds(api, mode, runs: 1)
                // Most are nowhere near the bar, and one run is enough.
                if time > rounds[index].reference(for: message) * 2 {
                    time = min(time, try await trial.seconds(api, mode, runs: runs))
                }
                var ratio = time / rounds[index].reference(for: message)
                for _ in 1..<attempts where ratio > bar {
                    try await measure(honest, &rounds[index])
                    time = try await trial.seconds(api, mode, runs: runs)
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
            round.honest.append((trial.message, try await trial.seconds(round.api, round.mode, runs: runs)))
        }
    }

    /// A message cut into chunks of a size.
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

        /// The time of the fastest run.
        func seconds(_ api: ParsingAPI, _ mode: ParsingMode, runs: Int) async throws -> Double {
            let input = ParsingAPI.Input(
                chunks: chunks,
                whole: message.message,
                file: file,
                boundary: try Boundary(parsing: message.boundary, mode: .lenient),
                options: MultipartParser.Options(mode: mode, maxParts: 10_000),
                directory: directory.url
            )
            var best = Double.infinity
            var total = 0.0
            for run in 0..<runs where run < 2 || total < offsetsBeforeSampling {
                let start = ProcessStatus.processorSeconds
                do {
                    guard try await api.read(input) >= 0 else { Hostile.fail("a message of negative length") }
                } catch is MultipartError {
                    // A message that is refused early counts, too.
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
