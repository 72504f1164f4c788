import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// The defaults, limits, codes and statuses that the documents and the doc comments state are those of the library:
/// neither can change alone.
@Suite struct StatedValueTests {
    private static let root = Fixtures.directory.deletingLastPathComponent()
    private static let catalogue = "Sources/MultipartFormCodec/MultipartFormCodec.docc/"

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    private static func paths(ending suffix: String) throws -> [String] {
        let folder = "Sources/MultipartFormCodec"
        return try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
            .filter { $0.hasSuffix(suffix) }.map { "\(folder)/\($0)" }
    }

    /// Without the marks of doc comments and line breaks.
    private static func sentences(_ path: String) throws -> String {
        try text(path).replacing("///", with: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// A number of bytes in its largest unit.
    private static func bytes(_ count: Int?) -> String {
        guard let count else { return "nil" }
        let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
        guard let (name, size) = units.first(where: { count > 0 && count.isMultiple(of: $0.1) }) else {
            return "\(count) bytes"
        }
        return "\(count / size) \(name)"
    }

    /// The largest number that a condition accepts, if it accepts all smaller ones.
    private static func largest(below end: Int, where accepts: (Int) throws -> Bool) rethrows -> Int {
        var range = 0..<end
        while range.count > 1 {
            let middle = range.lowerBound + range.count / 2
            range = try accepts(middle) ? middle..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }

    private static func xs(_ count: Int) -> String { String(repeating: "x", count: count) }

    private static func longestBoundary(_ mode: ParsingMode) -> Int {
        largest(below: 1000) { $0 == 0 || (try? Boundary(parsing: xs($0), mode: mode)) != nil }
    }

    private static func isStrict(name: String) -> Bool {
        let message = "--B\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\r\n--B--\r\n"
        let form = try? MultipartFormData(
            parsing: Data(message.utf8),
            contentType: "multipart/form-data; boundary=B",
            options: .strict
        )
        return form != nil
    }

    private static func safeFilename(_ name: String) -> String {
        BodyPart(Data(), name: "a", filename: name).safeFilename ?? ""
    }

    /// The longest content of a message's file that is kept in memory.
    private static func longestInMemory() throws -> Int {
        let directory = try TemporaryDirectory()
        return try largest(below: 1 << 20) { count in
            let form = MultipartFormData([BodyPart(Data(count: count), name: "a")])
            let file = try directory.write(form.encode(), as: "message")
            let parsed = try MultipartFormData(parsingFileAt: file, contentType: form.contentType)
            return parsed.description.hasSuffix("in memory")
        }
    }

    /// Requests a value as often as it is told to.
    private struct Requesting: Decodable {
        static let count = Locked(0)
        enum CodingKeys: CodingKey { case a }

        init(from decoder: any Decoder) throws {
            let keys = try decoder.container(keyedBy: CodingKeys.self)
            for _ in 0..<Self.count.withLock({ $0 }) { _ = try keys.superDecoder(forKey: .a) }
        }
    }

    /// How often a type may request a value of a form of so many parts without content.
    private static func requests(parts: Int) -> Int {
        let form = MultipartFormData((0..<parts).map { _ in BodyPart("", name: "a") })
        return largest(below: 100_000) { count in
            Requesting.count.withLock { $0 = count }
            return (try? FormDataDecoder().decode(Requesting.self, from: form)) != nil
        }
    }

    private static func status(_ code: MultipartError.Code) -> String {
        "\(MultipartError(code, offset: 0).httpStatus)"
    }

    /// The sentences of each file, with `#` for each value.
    private static func statements() throws -> [String: [(sentence: String, values: [String])]] {
        let (parser, collector) = (MultipartParser.Options(), MultipartCollector.Options())
        let (encoder, decoder) = (FormDataEncoder(), FormDataDecoder())
        let routes = bytes(collector.defaults.totalBytes)
        var deep = decoder
        deep.maxDepth = .max
        let name = "a" + String(repeating: "[a]", count: 200)
        let tooDeep = MultipartError.catching {
            do {
                _ = try deep.decode([String: String].self, from: MultipartFormData([BodyPart("", name: name)]))
            } catch {
                throw try #require(MultipartError(error))
            }
        }
        guard case .failure(let depth) = tooDeep, let maxDepth = depth.limit else { return [:] }
        let longestInMemory = try longestInMemory()
        let boundary = "\(Boundary.random())"
        let hyphens = boundary.prefix { $0 == "-" }.count
        let (part, total) = (collector.defaults.partBytes, collector.defaults.totalBytes)
        let shown = MultipartError(.missingName, partName: xs(100)).description.count { $0 == "x" }
        let lineHead = "Content-Disposition: form-data; name=\"\"".utf8.count
        let extensionLength = largest(below: 200) { safeFilename(xs(300) + ".\(xs($0))").hasSuffix(".\(xs($0))") } + 1
        let marks = "\(CombiningMarks.limit)"
        let grouped = { (number: Int) in number.formatted(.number.locale(Locale(identifier: "en"))) }
        let strictLine = lineHead + largest(below: 5000) { $0 == 0 || isStrict(name: xs($0)) }
        let brackets = largest(below: 500) { isStrict(name: "a" + String(repeating: "[b]", count: $0)) }
        return [
            "Parsing/MultipartParser+Options.swift": [
                ("maximum number of parts; # by default.", ["\(parser.maxParts)"]),
                ("lines in a part; # by default.", ["\(parser.maxHeaderCount)"]),
                ("the blank line; # by default.", [bytes(parser.maxHeaderBytes)]),
                ("preamble in bytes; # by default.", [bytes(parser.maxPreambleBytes)]),
                ("body in bytes; # by default.", [bytes(parser.maxPartBytes)]),
                ("message in bytes; # by default.", [bytes(parser.maxTotalBytes)]),
                ("nil means # for each file and each skipped part", [bytes(part)]),
                ("nil means #, plus the largest limit", [bytes(total)]),
            ],
            "Parsing/MultipartCollector+Options.swift": [
                ("without a file name, in bytes; # by default.", [bytes(collector.maxFieldBytes)]),
                ("may take in memory; # by default.", [bytes(collector.maxMemoryBytes)]),
                (
                    "The default is #, which means # plus",
                    [bytes(collector.maxDiskBytes), bytes(collector.defaults.diskBytes)]
                ),
                ("keep in memory, in bytes; # by default.", [bytes(collector.diskThreshold)]),
                ("a skipped part may have at most #.", [bytes(part)]),
                ("partRejected``, which has the status #.", [status(.partRejected)]),
            ],
            "Parsing/MultipartFormData+Parsing.swift": [
                ("keep in memory, in bytes; # by default.", [bytes(longestInMemory)])
            ],
            "Coding/FormDataDecoder.swift": [
                ("levels in a name or a value; # by default.", ["\(decoder.maxDepth)"]),
                ("A limit above # counts as #,", ["\(maxDepth)", "\(maxDepth)"]),
                ("maximum number of parts; # by default.", ["\(decoder.maxParts)"]),
                ("length of a name in bytes; # by default.", ["\(decoder.maxNameBytes)"]),
                ("a text, a number or JSON; # by default.", [bytes(decoder.maxValueBytes)]),
            ],
            "Coding/FormDataEncoder.swift": [
                ("levels in a value; # by default.", ["\(encoder.maxDepth)"])
            ],
            "Syntax/Boundary.swift": [
                (
                    "Returns a new boundary: # hyphens, then # random letters and digits.",
                    ["\(hyphens)", "\(boundary.count - hyphens)"]
                ),
                ("Strict mode accepts 1–# `bchars`", ["\(longestBoundary(.strict))"]),
                ("It then accepts 1–# bytes of UTF-8", ["\(longestBoundary(.lenient))"]),
            ],
            "Syntax/HeaderFields+Part.swift": [
                ("at most # bytes of UTF-8", ["\(safeFilename(xs(300)).utf8.count)"]),
                ("An extension of more than # bytes, including its dot", ["\(extensionLength)"]),
            ],
            "Syntax/MultipartError.swift": [
                ("or of a parameter, cut to # characters.", ["\(shown)"]),
                ("- # if a received form exceeds a limit, except the limit of the preamble.", [status(.limitParts)]),
                ("- # if the media type is wrong or missing.", [status(.unsupportedMediaType)]),
                ("- # for any other error that a received form caused.", [status(.unexpectedEnd)]),
                ("- # if the program or the system caused the error.", ["\(MultipartError(.limitParts).httpStatus)"]),
            ],
            "Parsing/MultipartCollector.swift": [
                ("unsupportedMediaType`` with the status #.", [status(.unsupportedMediaType)])
            ],
            "Parsing/MultipartParser.swift": [
                ("status #.", [status(.unsupportedMediaType)])
            ],
            "Parsing/MultipartParts.swift": [
                (
                    "is # if the field is missing or has another media type, else #.",
                    [status(.unsupportedMediaType), status(.missingBoundary)]
                )
            ],
            "Limits.md": [
                ("is #, but # for the preamble.", [status(.limitParts), status(ErrorCode.limitPreambleBytes)]),
                ("they are # more than the largest limit of a route.", [routes]),
            ],
            "StrictMode.md": [
                ("1 to # characters of RFC 2046", ["\(longestBoundary(.strict))"]),
                ("| at most # bytes of UTF-8.", [grouped(strictLine)]),
                ("up to # pairs of brackets", ["\(brackets)"]),
                ("there are at most # parts.", [grouped(parser.maxParts)]),
                ("a name with more than # combining marks", [marks]),
            ],
            "HostileInput.md": [
                ("file name with more than # combining marks", [marks])
            ],
        ]
    }

    @Test func `a sentence states the library's value`() throws {
        let statements = try Self.statements()
        for (file, sentences) in statements {
            let text = try Self.sentences(
                (file.hasSuffix(".md") ? Self.catalogue : "Sources/MultipartFormCodec/") + file
            )
            for (sentence, values) in sentences {
                let pieces = sentence.components(separatedBy: "#")
                let expected = zip(pieces, values + [""]).map { $0 + $1 }.joined()
                #expect(pieces.count == values.count + 1 && text.contains(expected), "\(file): \(expected)")
            }
        }
        // Each number that is a default has a line above.
        let numbers = try Self.paths(ending: ".swift").map(Self.sentences).joined(separator: " ")
            .matches(of: /[0-9](?: [KMG]iB)? by default/)
        let listed = statements.values.joined().count { $0.sentence.contains("# by default") && $0.values != ["nil"] }
        // Two initializers say the same of the longest content in memory.
        #expect(numbers.count == listed + 1)
    }

    /// The rows of a document's tables with a heading, by their first cell: the other cells.
    private static func rows(of document: String, _ heading: String) throws -> [String: [String]] {
        var rows: [String: [String]] = [:]
        for table in try text(catalogue + document).components(separatedBy: "\n\n") {
            guard table.hasPrefix("| \(heading) |") else { continue }
            for line in table.split(separator: "\n").dropFirst(2) {
                let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
                rows[cells[0].replacing("`", with: "")] = Array(cells.dropFirst())
            }
        }
        return rows
    }

    @Test func `the tables of limits state the defaults`() throws {
        let (parser, collector) = (MultipartParser.Options(), MultipartCollector.Options())
        let (decoder, defaults) = (FormDataDecoder(), MultipartCollector.Options().defaults)
        let bytes = Self.bytes
        let none = parser.maxPartBytes == nil && parser.maxTotalBytes == nil && collector.maxDiskBytes == nil
        let limits = [
            "maxParts": "\(parser.maxParts)", "maxHeaderCount": "\(parser.maxHeaderCount)",
            "maxHeaderBytes": bytes(parser.maxHeaderBytes), "maxPreambleBytes": bytes(parser.maxPreambleBytes),
            "maxPartBytes": "none; \(bytes(defaults.partBytes)) if collected",
            "maxTotalBytes": "none; \(bytes(defaults.totalBytes)) if collected",
            "maxFieldBytes": bytes(collector.maxFieldBytes), "maxMemoryBytes": bytes(collector.maxMemoryBytes),
            "diskThreshold": bytes(collector.diskThreshold), "maxDiskBytes": bytes(defaults.diskBytes),
        ]
        #expect(none)
        #expect(try Self.rows(of: "Limits.md", "limit").mapValues { $0[0] } == limits)
        let (units, ofPart) = (Self.requests(parts: 1), Self.requests(parts: 3) - Self.requests(parts: 2))
        // The form has a part, its root and a key.
        let allowance = "\((units - 3 * ofPart).formatted(.number.locale(Locale(identifier: "en")))) units, \(ofPart)"
        let codingLimits = [
            "maxParts": "\(decoder.maxParts) parts", "maxNameBytes": "\(decoder.maxNameBytes) bytes",
            "maxDepth": "\(decoder.maxDepth) keys", "combining marks in a row": "\(CombiningMarks.limit) in",
            "what a type reads": "\(allowance) for each", "maxValueBytes": "\(bytes(decoder.maxValueBytes)) in",
        ]
        let rows = try Self.rows(of: "CodingRules.md", "limit")
        #expect(Set(rows.keys) == Set(codingLimits.keys))
        for (name, value) in codingLimits { #expect(rows[name]?[0].hasPrefix(value) == true, "\(name): \(value)") }
        for row in rows.values {
            let code = MultipartError.Code(row[1].replacing("`", with: ""))
            #expect(MultipartError(code, offset: 0).httpStatus == (code == .tooManyCombiningMarks ? 400 : 413))
        }
    }

    @Test func `the tables of options state the defaults`() throws {
        let (encoder, decoder) = (FormDataEncoder(), FormDataDecoder())
        let options: [String: any CustomStringConvertible] = [
            "alphabetizeKeyValuePairs": encoder.alphabetizeKeyValuePairs, "arrayEncoding": encoder.arrayEncoding,
            "boolEncoding": encoder.boolEncoding, "dataEncoding": encoder.dataEncoding,
            "dateEncoding": encoder.dateEncoding, "emptyArrayEncoding": encoder.emptyArrayEncoding,
            "keyEncoding": encoder.keyEncoding, "keyPathEncoding": encoder.keyPathEncoding,
            "nilEncoding, for a struct's keys and a dictionary's": encoder.nilEncoding, "maxDepth": encoder.maxDepth,
        ]
        let others: [String: any CustomStringConvertible] = [
            "absentBoolsAreFalse": decoder.absentBoolsAreFalse, "dateDecoding": decoder.dateDecoding,
            "duplicates": decoder.duplicates, "nilDecoding": decoder.nilDecoding, "unknownNames": decoder.unknownNames,
            "keyEncoding, keyPathEncoding": "as in the encoder",
            "maxDepth, maxParts, maxNameBytes, maxValueBytes": "see",
        ]
        for (heading, options) in [("option of the encoder", options), ("option of the decoder", others)] {
            let rows = try Self.rows(of: "CodingRules.md", heading)
            #expect(Set(rows.keys) == Set(options.keys))
            for (name, cells) in rows {
                let value = try #require(options[name]).description
                #expect(cells[0].replacing("`", with: "").hasPrefix(value), "\(name): \(value)")
            }
        }
        #expect(decoder.keyEncoding.description == encoder.keyEncoding.description)
        #expect(decoder.keyPathEncoding.description == encoder.keyPathEncoding.description)
    }

    @Test func `a code has its status wherever a document states both`() throws {
        var count = 0
        for path in try ["README.md"] + Self.paths(ending: ".md") where !path.hasSuffix("MultipartError.Code.md") {
            let text = try Self.text(path)
            var pairs = text.matches(of: /\b([45][0-9]{2}),? `([a-z]+(?:-[a-z]+)+)\b/).map { ($0.1, $0.2) }
            for line in text.split(separator: "\n") where line.hasPrefix("|") {
                for code in line.matches(of: /`([a-z]+(?:-[a-z]+)+)\b/) {
                    let statuses = line.matches(of: /[|,] (?:or )?([45][0-9]{2})\b/).map(\.output.1)
                    // Of two statuses, one.
                    if let status = statuses.first(where: { $0 == Self.status(.init(String(code.1))) })
                        ?? statuses.first
                    {
                        pairs.append((status, code.1))
                    }
                }
            }
            for (status, code) in pairs where ErrorDetails.number(of: MultipartError.Code(String(code))) > 0 {
                #expect(Self.status(MultipartError.Code(String(code))) == status, "\(path): \(status) \(code)")
                count += 1
            }
        }
        #expect(count > 10)
    }

    @Test func `a default that only a signature states is what it was`() async throws {
        let form = MultipartFormData([BodyPart(Data(count: 200_000), name: "a")])
        let arriving = EncodedFormChunks(encoding: ChunkSource(Array(form)))
        for chunks in [form.chunks(), arriving] {
            var iterator = chunks.makeAsyncIterator()
            #expect(try await iterator.next()?.count == 65_536)
        }
        #expect(try BodyPart(Data([0xC3, 0xA9]), name: "a").text() == "\u{E9}")
    }
}
