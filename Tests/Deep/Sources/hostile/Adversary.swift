import Foundation
import TestSupport

/// Messages of one size: honest ones, and hostile ones that aim at a parser's weak points.
struct Adversary: Sendable {
    /// The bulk of a message, from cheap to expensive to parse. A hostile message is compared with honest ones of its
    /// own shape and of cheaper ones.
    enum Shape: Int, Sendable {
        /// Long ordinary bodies.
        case sparse
        /// Delimiters, near misses of them, or header sections.
        case dense
        /// Files, each of which is created if files go to disk.
        case files
    }

    let name: String
    var boundary = "BND"
    let message: Data
    var shape = Shape.dense
    /// The number of empty chunks after each of its own.
    var emptyChunks = 0

    static let size = 1 << 20

    /// Messages as browsers and scripts send them.
    static let honest: [Adversary] = [
        Adversary(name: "three fields and a file", message: upload(), shape: .sparse),
        Adversary(
            name: "900 fields of 1 KiB",
            message: parts(900) { index in
                (disposition("; name=\"field-\(index)\""), String(repeating: "value ", count: 170))
            },
            shape: .sparse
        ),
        Adversary(
            name: "9000 fields of 116 bytes",
            message: parts(9000) {
                (disposition("; name=\"field-\(1000 + $0)\""), "a value of some forty bytes, no more...")
            },
            shape: .dense
        ),
        Adversary(
            name: "900 files of 1 KiB",
            message: parts(900) { index in
                (disposition("; name=\"file-\(index)\"; filename=\"f\""), String(repeating: "value ", count: 170))
            },
            shape: .files
        ),
    ]

    /// Messages as an attacker sends them.
    static let hostile: [Adversary] = [
        body("CR alone", "\r"),
        body("CR LF alone", "\r\n"),
        body("LF alone", "\n"),
        body("hyphens alone", "-"),
        body("delimiters without their last byte", "\r\n--BN"),
        body("delimiters that go on", "\r\n--BNDx"),
        body("close delimiters that go on", "\r\n--BND--x"),
        body("delimiters with padding that go on", "\r\n--BND" + String(repeating: " \t", count: 8000) + "x"),
        body("delimiters with a CR only", "\r\n--BND\r"),
        body("growing prefixes", (1...7).map { String("\r\n--BND".prefix($0)) }.joined()),
        lines("LF lines, nearly delimiters", "\n--BNDx"),
        overlapping(),
        body("hyphens, in a boundary that ends with others", "-", boundary: String(repeating: "-", count: 67) + "x-"),
        body("nearly the dash-boundary, within lines", "-x", boundary: String(repeating: "-x", count: 34) + "y"),
        body(
            "all but the last byte of the dash-boundary",
            "--" + boundaryOfLetters.dropLast(),
            boundary: boundaryOfLetters
        ),
        body("pieces of the dash-boundary among others", piecesOfLetters(), boundary: boundaryOfLetters),
        Adversary(name: "preamble of hyphens", message: preamble()),
        Adversary(name: "epilogue of delimiters", message: epilogue()),
        section("header lines, as many as allowed") { _ in
            disposition("; name=a") + (0..<31).map { "\r\nX-\($0): yyyyyyyyyyyyyyyyyyyyyyyy" }.joined()
        },
        section("headers without content") { _ in disposition("; name=a") },
        section("folds") { _ in
            disposition("; name=a") + String(repeating: "\r\n xxxxxxxxxxxxxxxxxxxxxxxxxxxx", count: 30)
        },
        section("short folds") { _ in disposition("; name=a") + String(repeating: "\r\n  ", count: 31) },
        section("parameters") { _ in disposition("; name=a" + String(repeating: ";b=c", count: 250)) },
        section("parameters, each of its own name") { _ in
            disposition("; name=a" + (0..<150).map { ";b\($0)=c" }.joined())
        },
        section("semicolons") { _ in disposition("; name=a" + String(repeating: ";", count: 1000)) },
        section("escapes") { _ in disposition("; name=\"" + String(repeating: "\\\\", count: 500) + "\"") },
        section("escaped quotes") { _ in disposition("; name=\"" + String(repeating: "\\\"", count: 500) + "\"") },
        section("values read twice") { _ in
            disposition("; name=\"" + String(repeating: "\\\\", count: 480) + "\\\"; filename=\"x\\\"")
        },
        section("extended file names") { _ in
            disposition("; name=a; filename*=utf-8''" + String(repeating: "%F0%9F%98%80", count: 80))
        },
        section("invalid UTF-8") { _ in disposition("; name=\"" + String(repeating: "\u{FF}\u{FE}", count: 250) + "\"")
        },
        section("combining characters") { _ in
            disposition("; name=\"e" + String(repeating: "\u{301}\u{323}", count: 240) + "\"")
        },
        section("combining characters, as many as allowed") { _ in
            let character = "e" + String(repeating: "\u{301}\u{323}", count: 15)
            return disposition("; name=\"" + String(repeating: character, count: 15) + "\"")
        },
        section("a media type of combining characters") { _ in
            disposition("; name=a\r\nContent-Type: a/b") + String(repeating: "\u{301}\u{323}", count: 240)
        },
        section("a backslash, then a quote", count: 10_000) { _ in disposition("; name=\"\\\"\"") },
        section("white space") { _ in disposition("; name=a") + "\r\nX:" + String(repeating: " ", count: 900) + "y" },
        section("sections of 16 KiB", count: 63) { _ in
            disposition("; name=a") + "\r\nX: " + String(repeating: "y", count: 16 * 1024 - 80)
        },
        section("parts without a byte", count: 10_000) { _ in nil },
        section("distinct names") { index in
            disposition("; name=\"" + String(repeating: "n", count: 900) + "-\(index)\"")
        },
        section("a file name of hyphens", count: 600, boundary: String(repeating: "-", count: 67) + "x") { _ in
            disposition("; name=\"a\"; filename=\"" + String(repeating: "-", count: 1400) + ".\"")
        },
        section("files of one byte", shape: .files, body: "1") { disposition("; name=\"\($0)\"; filename=\"f\"") },
        // A long body in many chunks, after a header section that is slow to parse.
        afterSection(
            "a file name of 16 KiB",
            "; name=a; filename=\"" + String(repeating: "f", count: 16_000) + "\""
        ),
        afterSection(
            "an extended file name of 16 KiB",
            "; name=a; filename*=utf-8''" + String(repeating: "%F0%9F%98%80", count: 1330)
        ),
        afterSection(
            "16 KiB of escapes",
            "; name=a; filename=\"" + String(repeating: "\\\"", count: 8000) + "\""
        ),
        afterSection(
            "16 KiB of parameters",
            "; name=a; filename=f" + String(repeating: ";b=c", count: 4000)
        ),
        afterSection(
            "32 header lines of 500 bytes",
            "; name=a; filename=f" + String(repeating: "\r\nX: " + String(repeating: "y", count: 490), count: 31)
        ),
        Adversary(name: "empty chunks", message: upload(), shape: .sparse, emptyChunks: 63),
    ]

    /// The message in chunks of a size; empty ones do not raise the number of chunks by much.
    func chunks(of size: Int) -> [Data] {
        guard size < message.count else { return [message] }
        let step = min(size * (emptyChunks + 1), message.count)
        var chunks: [Data] = []
        chunks.reserveCapacity(message.count / size + emptyChunks + 1)
        for start in stride(from: 0, to: message.count, by: step) {
            chunks.append(message.subdata(in: start..<min(start + step, message.count)))
            for _ in 0..<emptyChunks { chunks.append(Data()) }
        }
        return chunks
    }

    private static func disposition(_ parameters: String) -> String {
        "Content-Disposition: form-data\(parameters)"
    }

    /// A part with a body of a repeated text, filled up to the size.
    private static func body(
        _ name: String,
        _ text: String,
        _ parameters: String = "; name=\"a\"; filename=\"f\"",
        boundary: String = "BND"
    ) -> Adversary {
        let head = "--\(boundary)\r\n\(disposition(parameters))\r\n\r\n"
        let tail = "\r\n--\(boundary)--\r\n"
        let count = (size - head.utf8.count - tail.utf8.count) / text.utf8.count
        let message = Data((head + String(repeating: text, count: count) + tail).utf8)
        return Adversary(name: name, boundary: boundary, message: message)
    }

    private static let boundaryOfLetters = String(String(repeating: "abcdefgh", count: 9).prefix(70))

    /// Bytes in which now a sample of the search is marked, and now none.
    private static func piecesOfLetters() -> String {
        var generator = SeededGenerator(seed: 1)
        return (0..<200).map { _ in
            let distance = Int.random(in: 100...600, using: &generator)
            return boundaryOfLetters.prefix(12) + String(repeating: "x", count: distance)
        }.joined()
    }

    /// A part with a slow header section and an ordinary body.
    private static func afterSection(_ name: String, _ parameters: String) -> Adversary {
        var adversary = body(name, "x", parameters)
        adversary.shape = .sparse
        return adversary
    }

    /// A repeated text as a body in a message whose lines end in LF.
    private static func lines(_ name: String, _ text: String) -> Adversary {
        let head = "--BND\n\(disposition("; name=a"))\n\n"
        let body = String(repeating: text, count: (size - 100) / text.utf8.count)
        return Adversary(name: name, message: Data("\(head)\(body)\n--BND--\n".utf8))
    }

    /// Parts and the end; one without a header has no body either, not even the line break before it.
    private static func parts(
        _ count: Int,
        boundary: String = "BND",
        _ part: (Int) -> (header: String?, body: String)
    ) -> Data {
        var data = Data()
        for index in 0..<count {
            let (header, body) = part(index)
            data.append(contentsOf: "--\(boundary)\r\n\(header.map { "\($0)\r\n\r\n\(body)" } ?? "")\r\n".utf8)
        }
        data.append(contentsOf: "--\(boundary)--\r\n".utf8)
        return data
    }

    /// Parts of a header section and hardly any content, then an epilogue up to the size.
    private static func section(
        _ name: String,
        count: Int = 1000,
        shape: Shape = .dense,
        body: String = "",
        boundary: String = "BND",
        _ header: (Int) -> String?
    ) -> Adversary {
        var message = parts(count, boundary: boundary) { (header($0), body) }
        precondition(message.count <= size + size / 8, "\(name): \(message.count) bytes")
        if name == "invalid UTF-8" { message = Data(message.map { $0 == 0xC3 ? 0xFF : $0 }) }
        if message.count < size { message.append(Data(count: size - message.count)) }
        return Adversary(name: name, boundary: boundary, message: message, shape: shape)
    }

    private static func upload() -> Data {
        var generator = SystemRandomNumberGenerator()
        var message = parts(3) { (disposition("; name=\"field-\($0)\""), "value") }.dropLast(9)
        message.append(contentsOf: "--BND\r\n".utf8)
        message.append(contentsOf: disposition("; name=\"f\"; filename=\"x.bin\"\r\nContent-Type: a/b\r\n\r\n").utf8)
        message.append(
            Data(
                (0..<(size - message.count - 11) / 8).flatMap { _ in
                    withUnsafeBytes(of: generator.next(), Array.init)
                }
            )
        )
        message.append(contentsOf: "\r\n--BND--\r\n".utf8)
        return Data(message)
    }

    private static func overlapping() -> Adversary {
        let boundary = String(repeating: "-", count: 200)
        let head = "--\(boundary)\r\n\(disposition("; name=a"))\r\n\r\n"
        let near = "\r\n--\(boundary.dropLast())x"
        let body = String(repeating: near, count: (size - 1000) / near.utf8.count)
        return Adversary(
            name: "a boundary of hyphens, nearly",
            boundary: boundary,
            message: Data("\(head)\(body)\r\n--\(boundary)--\r\n".utf8)
        )
    }

    private static func preamble() -> Data {
        var message = Data(String(repeating: "-", count: 64 * 1024 - 2).utf8) + Data("\r\n".utf8)
        message.append(upload().prefix(size - message.count - 11))
        message.append(contentsOf: "\r\n--BND--\r\n".utf8)
        return message
    }

    private static func epilogue() -> Data {
        var message = parts(1) { _ in (disposition("; name=a"), "") }
        message.append(contentsOf: String(repeating: "\r\n--BND\r\n", count: (size - message.count) / 9).utf8)
        return message
    }
}
