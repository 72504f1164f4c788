import Foundation
import MultipartFormCodec
import TestSupport

/// Times everything that reads a peer's text, with text of combining marks against as many bytes of ASCII.
///
/// Comparing or hashing such text as `String`, or by `Character`, takes quadratic time: each one sorts a run of marks.
enum TextMeasurement {
    /// The lengths of the texts, in bytes.
    static let lengths = [4, 8, 16].map { $0 << 10 }
    /// The most that text of twice the length may take, and that marks may take of the time of ASCII, which is copied.
    static let (growthBar, ratioBar) = (2.5, 20.0)
    /// What a call may take without a look at its ratios, in seconds: clocks and caches decide about less.
    static let negligible = 20e-6
    static let attempts = 100

    /// Something that reads a text, which is given to it in what `prepare` returns.
    private struct Reader: Sendable {
        let name: String
        let prepare: @Sendable (String) throws -> () throws -> Void

        init(_ name: String, _ prepare: @escaping @Sendable (String) throws -> () throws -> Void) {
            self.name = name
            self.prepare = prepare
        }
    }

    static func run() throws {
        print("| reads | ASCII, 16 KiB | marks, 16 KiB | of ASCII | twice the length |")
        print("| --- | ---: | ---: | ---: | ---: |")
        for reader in readers {
            var result = try measure(reader)
            for _ in 1..<attempts where !result.isWithinBars { result = try measure(reader) }
            print(
                "| \(reader.name) | \(microseconds(result.letters)) | \(microseconds(result.marks.last ?? 0))"
                    + " | ×\(rounded(result.ratio)) | ×\(rounded(result.growth)) |"
            )
            fflush(nil)
            guard result.isWithinBars else { Hostile.fail("\(reader.name): more than ×\(ratioBar) or ×\(growthBar)") }
        }
    }

    private struct Times {
        /// For the longest text.
        let letters: Double
        /// For each length.
        let marks: [Double]

        var ratio: Double { (marks.last ?? 0) / max(letters, negligible / ratioBar) }
        var growth: Double { zip(marks.dropFirst(), marks).map { $0 / max($1, negligible / growthBar) }.max() ?? 0 }
        var isWithinBars: Bool { ratio <= ratioBar && growth <= growthBar }
    }

    private static func measure(_ reader: Reader) throws -> Times {
        let longest = lengths[lengths.count - 1]
        return Times(
            letters: try seconds(reader.prepare(String(repeating: "x", count: longest))),
            marks: try lengths.map { try seconds(reader.prepare(marks($0))) }
        )
    }

    /// A letter, and marks whose order is far from canonical.
    private static func marks(_ length: Int) -> String {
        "a" + String(repeating: "\u{345}\u{315}\u{301}\u{327}\u{334}", count: length / 10)
    }

    /// The time of a call, the fastest of several runs of many.
    private static func seconds(_ body: () throws -> Void) throws -> Double {
        var best = Double.infinity
        for _ in 0..<3 {
            let start = ProcessStatus.processorSeconds
            var count = 0
            var time = 0.0
            repeat {
                // What it throws is an answer, too.
                try? body()
                count += 1
                time = ProcessStatus.processorSeconds - start
            } while time < 0.002
            best = min(best, time / Double(count))
        }
        return best
    }

    private static let readers: [Reader] =
        fieldReaders + formReaders
        + [
            decoder("Bool", Bool.self), decoder("Int", Int.self), decoder("Double", Double.self),
            decoder("Decimal", Decimal.self), decoder("Date", Date.self), decoder("URL", URL.self),
            decoder("String", String.self), decoder("Data", Data.self), decoder("UUID", UUID.self),
        ]

    private static let fieldReaders = [
        Reader("BodyPart.safeFilename") { text in
            let part = BodyPart(Data(), name: "f", filename: text)
            return { _ = part.safeFilename }
        },
        Reader("BodyPart.name, filename, description") { text in
            let part = BodyPart(Data(), name: text, filename: text)
            return { _ = (part.name, part.filename, part.description) }
        },
        Reader("a received part's text, its charset the text") { text in
            let part = try received("Content-Type: text/plain; charset=\"\(text)\"")
            return { _ = try part.text() }
        },
        Reader("text(defaultCharset:)") { text in
            let part = BodyPart("x", name: "f")
            return { _ = try part.text(defaultCharset: text) }
        },
        Reader("contentType(ofPathExtension:)") { text in { _ = BodyPart.contentType(ofPathExtension: text) } },
        Reader("ContentDisposition: parsing, names") { text in
            { _ = try ContentDisposition(parsing: "form-data; name=\"\(text)\"; filename=\"\(text)\"") }
        },
        Reader("HeaderFields: finding, comparing, hashing") { text in
            let headers: HeaderFields = [text: text, "X": text]
            let others: HeaderFields = [text: text, "X": "\(text)y"]
            return { _ = (headers[text], headers == others, headers.hashValue) }
        },
        Reader("HeaderField: comparing, hashing") { text in
            let field = HeaderField(name: text, value: text)
            let other = HeaderField(name: text, value: "\(text)y")
            return { _ = (field == other, field.hashValue) }
        },
        Reader("HeaderFields.contentDisposition, name, filename") { text in
            let headers: HeaderFields = ["Content-Disposition": "form-data; name=\"\(text)\"; filename=\"\(text)\""]
            return { _ = (headers.contentDisposition?.name, headers.name, headers.filename, headers.safeFilename) }
        },
        Reader("MultipartError.Code") { text in { _ = MultipartError.Code(text) } },
        Reader("MultipartParser(contentType:)") { text in
            { _ = try MultipartParser(contentType: "multipart/form-data; x=\"\(text)\"; boundary=b") }
        },
        Reader("Boundary(parsing:)") { text in { _ = try Boundary(parsing: text, mode: .lenient) } },
    ]

    private static let formReaders = [
        Reader("form[name], parts(named:)") { text in
            var form = MultipartFormData()
            for _ in 0..<4 { form.append("x", withName: text) }
            return { _ = (form[text], form["\(text)y"], form.parts(named: text).count) }
        },
        Reader("removeAll(named:)") { text in
            var form = MultipartFormData()
            form.append("x", withName: text)
            return {
                var copy = form
                copy.removeAll(named: text)
            }
        },
        Reader("decoding [String: String], names") { text in
            var form = MultipartFormData()
            form.append("x", withName: String(text.unicodeScalars.prefix(900)))
            return { _ = try FormDataDecoder().decode([String: String].self, from: form) }
        },
        Reader("decoding FormJSON, the type") { text in
            let part = try received("Content-Type: application/\(text)")
            var form = MultipartFormData()
            form.append(part)
            return { _ = try FormDataDecoder().decode([String: FormJSON<Int>].self, from: form) }
        },
        Reader("decoding a structure, unknown names") { text in
            var form = MultipartFormData()
            form.append("x", withName: String(text.unicodeScalars.prefix(900)))
            var decoder = FormDataDecoder()
            decoder.unknownNames = .reject
            return { _ = try decoder.decode(Values<String?>.self, from: form) }
        },
    ]

    private struct Values<Value: Decodable>: Decodable {
        var d: Value
    }

    /// Decodes a value whose text is given.
    private static func decoder(_ name: String, _ type: (some Decodable).Type) -> Reader {
        func read<Value: Decodable>(_ type: Value.Type) -> Reader {
            Reader("decoding \(name)") { text in
                var form = MultipartFormData()
                form.append(text, withName: "d")
                return { _ = try FormDataDecoder().decode(Values<Value>.self, from: form) }
            }
        }
        return read(type)
    }

    /// A received part with a header line.
    private static func received(_ line: String) throws -> BodyPart {
        let head = "--b\r\nContent-Disposition: form-data; name=d\r\n\(line)\r\n\r\n1\r\n--b--\r\n"
        let options = MultipartParser.Options(maxHeaderBytes: 1 << 20)
        let form = try MultipartFormData(
            parsing: Data(head.utf8),
            contentType: "multipart/form-data; boundary=b",
            options: options
        )
        return form[0]
    }

    private static func microseconds(_ seconds: Double) -> String { "\(rounded(seconds * 1e6)) µs" }

    private static func rounded(_ value: Double) -> String { String(format: "%.1f", value) }
}
