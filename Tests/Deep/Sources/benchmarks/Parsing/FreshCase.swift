import Foundation

/// Parses one shape of message in a fresh process that reads it from a file.
///
/// This shows the costs that a warm loop hides: new pages, and an allocator that returns memory and requests it again.
struct FreshCase: BenchmarkCase {
    /// The shape.
    let shape: ParseShape

    var name: String { "fresh-\(shape.rawValue)" }

    func run(_ settings: Settings) throws -> [BenchmarkResult] {
        let input = shape.makeInput(settings.scale)
        let file = try settings.directory.write(input.bytes, to: "fresh.body")
        defer { try? FileManager.default.removeItem(at: file) }
        return try ParseEntry.allCases.map { entry in
            let run = FileRun(path: file.path, messageLength: input.messageLength, entry: entry, runs: settings.runs)
            var first = Samples()
            var warm = Samples()
            var peak = 0
            for _ in 0..<settings.runs {
                let report = try Self.startProcess(run)
                guard report.parts == input.parts else { throw BenchmarkError("a fresh process lost parts") }
                first.append(report.first)
                warm.append(report.warm)
                peak = max(peak, report.peakResidentBytes)
            }
            var result = BenchmarkResult(
                name,
                entry: entry.rawValue,
                chunk: FileRun.chunk,
                bytes: input.bytes.count,
                parts: input.parts,
                first
            )
            result.reference = "warm"
            result.ratio = first.ratio(of: warm)
            result.peakResidentBytes = peak > 0 ? peak : nil
            return result
        }
    }

    private static func startProcess(_ run: FileRun) throws -> FileRun.Report {
        guard let executable = Bundle.main.executableURL else { throw BenchmarkError("no path to this program") }
        let process = Process()
        let output = Pipe()
        process.executableURL = executable
        process.arguments = [
            "--fresh-process", run.path,
            "--message-bytes", String(run.messageLength),
            "--entry", run.entry.rawValue,
            "--runs", String(run.runs),
        ]
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BenchmarkError("a fresh process failed") }
        return try JSONDecoder().decode(FileRun.Report.self, from: bytes)
    }
}
