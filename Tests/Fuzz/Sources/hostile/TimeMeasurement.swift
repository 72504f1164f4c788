import Foundation
import MultipartForm

/// Times hostile messages against honest ones of the same size, in the same chunks.
enum TimeMeasurement {
    static let chunkSizes = [1 << 20, 64 * 1024, 4096, 1024, 64, 7, 1]
    /// How many times as long as the slowest honest message a hostile one may take.
    static let bar = 10.0
    /// How often sizes of chunks are tried that break it, so that slow spells of the machine pass.
    static let attempts = 3

    /// The default limits, but for the number of parts: with 1000 of them an honest form of 1 MiB is not the densest.
    private static let limits = Limits(maxParts: 10_000)

    /// Prints the times of the messages with the given names, or of all of them and only the slowest.
    static func run(_ names: [String]) throws {
        let hostile = Adversary.hostile.filter { names.isEmpty || names.contains($0.name) }
        var worst = (ratio: 0.0, name: "")
        let honest = Adversary.honest.map { " \($0.name) |" }.joined()
        print("| chunks | mode |\(honest) slowest hostile | | of the slowest honest | of the file |")
        print("| ---: | --- | ---: | ---: | ---: | ---: | --- | ---: | ---: |")
        for size in chunkSizes {
            for mode in [ParsingMode.lenient, .strict] {
                var round = try measure(hostile, chunksOf: size, mode)
                for _ in 1..<attempts where round.ratio > bar { round = try measure(hostile, chunksOf: size, mode) }
                if !names.isEmpty {
                    for (name, time) in round.hostile { print("    \(name): \(milliseconds(time))") }
                }
                let slowest = round.slowest
                if round.ratio > worst.ratio { worst = (round.ratio, "\(slowest.0), \(mode), chunks of \(size)") }
                print(
                    "| \(size) | \(mode) |\(round.honest.map { " \(milliseconds($0)) |" }.joined())"
                        + " \(milliseconds(slowest.1)) | \(slowest.0)"
                        + " | ×\(rounded(round.ratio)) | ×\(rounded(slowest.1 / round.honest[0])) |"
                )
            }
        }
        print("worst: ×\(rounded(worst.ratio)), \(worst.name)")
        guard worst.ratio <= bar else { Hostile.fail("more than ×\(bar)") }
    }

    /// The times of all messages in chunks of a size.
    private struct Round {
        let honest: [Double]
        let hostile: [(String, Double)]

        var slowest: (String, Double) { hostile.max { $0.1 < $1.1 } ?? ("", 0) }
        var ratio: Double { slowest.1 / (honest.max() ?? 0) }
    }

    private static func measure(_ hostile: [Adversary], chunksOf size: Int, _ mode: ParsingMode) throws -> Round {
        Round(
            honest: try Adversary.honest.map { try seconds($0, chunksOf: size, mode) },
            hostile: try hostile.map { ($0.name, try seconds($0, chunksOf: size, mode)) }
        )
    }

    /// The fastest of some runs, so that other programs do not count.
    private static func seconds(_ adversary: Adversary, chunksOf size: Int, _ mode: ParsingMode) throws -> Double {
        let boundary = try Boundary(adversary.boundary, mode: .lenient)
        let chunks = pieces(of: adversary.message, size: size)
        var best = Duration.seconds(1000)
        for _ in 0..<(size < 64 ? 3 : 15) {
            let time = ContinuousClock().measure { read(chunks, boundary, mode) }
            best = min(best, time)
        }
        return Double(best.components.attoseconds) / 1e18 + Double(best.components.seconds)
    }

    private static func pieces(of data: Data, size: Int) -> [Data] {
        stride(from: 0, to: data.count, by: size).map { data.subdata(in: $0..<min($0 + size, data.count)) }
    }

    /// Reads a message as a server would: every part's name, file name and type.
    private static func read(_ chunks: [Data], _ boundary: Boundary, _ mode: ParsingMode) {
        var parser = MultipartParser(boundary: boundary, limits: limits, mode: mode)
        var total = 0
        do throws(MultipartParsingError) {
            for chunk in chunks {
                parser.append(chunk)
                while let event = try parser.next() { total &+= weight(event) }
            }
            parser.finish()
            while let event = try parser.next() { total &+= weight(event) }
        } catch {
            // An early end is as good as any.
        }
        precondition(total >= 0)
    }

    private static func weight(_ event: MultipartParser.Event) -> Int {
        switch event {
        case .part(let headers):
            (headers.name?.utf8.count ?? 0) + (headers.filename?.utf8.count ?? 0)
                + (headers.contentType?.utf8.count ?? 0)
        case .body(let data): data.count
        case .endOfPart, .end: 0
        }
    }

    private static func milliseconds(_ seconds: Double) -> String { String(format: "%.3f ms", seconds * 1000) }
    private static func rounded(_ ratio: Double) -> String { String(format: "%.2f", ratio) }
}
