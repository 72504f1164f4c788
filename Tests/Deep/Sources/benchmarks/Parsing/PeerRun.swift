import Foundation

/// Parses a file's messages from memory and prints the times, as every peer's program does.
///
/// The output is one line of JSON: the entry, the parts of a run, and the time of each run in nanoseconds.
struct PeerRun {
    /// The file, and how often its messages are parsed.
    let file: FileRun

    private struct Line: Encodable {
        let entry: String
        let parts: Int
        let ns: [Double]
    }

    /// Reads the file, cuts it into chunks, parses it once untimed, and then times the runs.
    func run() throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file.path))
        let input = ParseInput(bytes: Array(bytes), messageLength: file.messageLength)
        let parse = file.entry.prepare(input, chunk: FileRun.chunk, mode: file.mode)
        var tally = try parse(true)
        var samples = Samples()
        for _ in 0..<file.runs {
            try samples.time { tally = try parse(true) }
        }
        let line = Line(entry: file.entry.rawValue, parts: tally.parts, ns: samples.nanoseconds)
        print(String(decoding: try JSONEncoder().encode(line), as: UTF8.self))
    }
}
