import Foundation
import MultipartForm

/// For each limit a message that would grow memory without it: the most resident with the limit, and without it.
///
/// Each runs in a process of its own and keeps all it is given, as a program would that collects a form.
enum MemoryMeasurement {
    /// A message that never ends, and the limit that ends it.
    struct Case {
        let name: String
        let message: String
        var head = ""
        let piece: String
        let limits: Limits
        let unlimited: Limits
    }

    /// How much is fed at most, in bytes.
    static let fed = 64 << 20
    /// How much more than an idle process a limited one may take, in bytes.
    static let bar = 8 << 20

    private static let disposition = "Content-Disposition: form-data; name=\"a\""
    private static let unlimited = Limits(
        maxParts: .max,
        maxHeaderCount: .max,
        maxHeaderBytes: .max,
        maxPreambleBytes: .max
    )

    private static func limits(_ change: (inout Limits) -> Void) -> Limits {
        var limits = unlimited
        change(&limits)
        return limits
    }

    static let cases = [
        Case(
            name: "maxParts",
            message: "small parts",
            head: "--BND\r\n",
            piece: "\(disposition)\r\n\r\n1\r\n--BND\r\n",
            limits: limits { $0.maxParts = 1000 },
            unlimited: unlimited
        ),
        Case(
            name: "maxHeaderCount",
            message: "short header lines",
            head: "--BND\r\n",
            piece: "A: b\r\n",
            limits: limits { $0.maxHeaderCount = 32 },
            unlimited: unlimited
        ),
        Case(
            name: "maxHeaderBytes",
            message: "one long header line",
            head: "--BND\r\n",
            piece: "aaaaaaaaaaaaaaaa",
            limits: limits { $0.maxHeaderBytes = 16 * 1024 },
            unlimited: unlimited
        ),
        Case(
            name: "maxHeaderBytes (padding)",
            message: "white space behind a delimiter",
            head: "--BND\r\n\(disposition)\r\n\r\n1\r\n--BND",
            piece: "                ",
            limits: limits { $0.maxHeaderBytes = 16 * 1024 },
            unlimited: unlimited
        ),
        Case(
            name: "maxPreambleBytes",
            message: "a preamble",
            piece: "preamble\r\n",
            limits: limits { $0.maxPreambleBytes = 64 * 1024 },
            unlimited: unlimited
        ),
        Case(
            name: "maxPartBytes",
            message: "one long body",
            head: "--BND\r\n\(disposition)\r\n\r\n",
            piece: "body body body\r\n",
            limits: limits { $0.maxPartBytes = 1 << 20 },
            unlimited: unlimited
        ),
        Case(
            name: "maxTotalBytes",
            message: "parts of 100 bytes",
            head: "--BND\r\n",
            piece: "\(disposition)\r\n\r\n\(String(repeating: "x", count: 100))\r\n--BND\r\n",
            limits: limits { $0.maxTotalBytes = 1 << 20 },
            unlimited: unlimited
        ),
    ]

    static func run() throws {
        print("| limit | message | peak with it | peak without it, \(fed >> 20) MiB fed | read before the error |")
        print("| --- | --- | ---: | ---: | ---: |")
        let idle = try measure("idle", "with").peak
        var worst = 0
        for item in cases {
            let limited = try measure(item.name, "with")
            let open = try measure(item.name, "without")
            worst = max(worst, limited.peak - idle)
            print(
                "| `\(item.name)` | \(item.message) | \(limited.peak >> 10) KiB | \(open.peak >> 10) KiB"
                    + " | \(limited.read >> 10) KiB |"
            )
        }
        print("idle: \(idle >> 10) KiB")
        guard worst <= bar else { Hostile.fail("a limited message took \(worst >> 10) KiB") }
    }

    /// Feeds a case's message and prints the most that was resident and how much was fed.
    static func runCase(named name: String, isLimited: Bool) throws {
        guard let item = cases.first(where: { $0.name == name }) else {
            return print("\(ProcessStatus.peakResidentBytes) 0")
        }
        var parser = MultipartParser(
            boundary: try Boundary("BND", mode: .strict),
            limits: isLimited ? item.limits : item.unlimited
        )
        let chunk = Data(String(repeating: item.piece, count: 64 * 1024 / item.piece.utf8.count).utf8)
        var headers: [HeaderFields] = []
        var bodies: [Data] = []
        var total = item.head.utf8.count
        parser.append(Data(item.head.utf8))
        do throws(MultipartParsingError) {
            while total < fed {
                while let event = try parser.next() {
                    switch event {
                    case .part(let fields):
                        headers.append(fields)
                        bodies.append(Data())
                    case .body(let data): bodies[bodies.count - 1].append(data)
                    case .endOfPart, .end: break
                    }
                }
                // Memory of its own for each chunk, as from a socket.
                parser.append(Data(Array(chunk)))
                total += chunk.count
            }
        } catch {
            precondition(isLimited && error.code.rawValue.hasPrefix("limit-"), "\(error)")
        }
        print("\(ProcessStatus.peakResidentBytes) \(total)")
        precondition(headers.count == bodies.count)
    }

    private static func measure(_ name: String, _ limited: String) throws -> (peak: Int, read: Int) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["memory", name, limited]
        process.standardOutput = pipe
        try process.run()
        process.waitUntilExit()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        let numbers = String(decoding: output, as: UTF8.self).split { !$0.isNumber }.compactMap { Int($0) }
        guard process.terminationStatus == 0, numbers.count == 2 else { Hostile.fail("\(name) \(limited)") }
        return (numbers[0], numbers[1])
    }
}
