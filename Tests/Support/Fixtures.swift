package import Foundation
package import MultipartFormCodec

/// The files of the repository's `Fixtures` folder.
package enum Fixtures {
    /// The folder.
    package static let directory = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures")

    /// The names, without extension, of the JSON files in a folder, sorted.
    package static func names(in folder: String) -> [String] {
        files(in: folder).filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
    }

    /// The names of the files in a folder, sorted; empty if it is missing.
    package static func files(in folder: String) -> [String] {
        let files = try? FileManager.default.contentsOfDirectory(atPath: directory.appendingPathComponent(folder).path)
        return (files ?? []).sorted()
    }

    /// The names of the folders in a folder, sorted.
    package static func folders(in folder: String) -> [String] {
        let contents = try? FileManager.default.contentsOfDirectory(
            at: directory.appendingPathComponent(folder),
            includingPropertiesForKeys: [.isDirectoryKey]
        )
        return (contents ?? []).filter(\.hasDirectoryPath).map(\.lastPathComponent).sorted()
    }

    /// The bytes of a file.
    package static func data(_ path: String) throws -> Data {
        try Data(contentsOf: directory.appendingPathComponent(path))
    }

    /// The JSON of a file.
    package static func json<Value: Decodable>(_ type: Value.Type, _ path: String) throws -> Value {
        try JSONDecoder().decode(type, from: data(path))
    }
}

/// A parser case: a message and its outcome in each mode. See `Fixtures/README.md`.
package struct ParseCase: Decodable, Sendable {
    package let source: String
    package let why: String
    package let contentType: String
    package let limits: LimitNames?
    package let lenient: Outcome
    private let strict: StrictOutcome

    /// The limits a case sets; the others keep their defaults.
    package struct LimitNames: Decodable, Sendable {
        let maxParts: Int?
        let maxHeaderCount: Int?
        let maxHeaderBytes: Int?
        let maxPreambleBytes: Int?
        let maxPartBytes: Int?
        let maxTotalBytes: Int?
    }

    /// Parts, or an error.
    package struct Outcome: Decodable, Equatable, Sendable {
        package let parts: [CasePart]?
        package let error: String?

        package init(parts: [CasePart]?, error: String?) {
            self.parts = parts
            self.error = error
        }
    }

    private enum StrictOutcome: Decodable, Sendable {
        case same
        case other(Outcome)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            self = (try? container.decode(String.self)) == "same" ? .same : .other(try container.decode(Outcome.self))
        }
    }

    /// The expected outcome in a mode.
    package func outcome(_ mode: ParsingMode) -> Outcome {
        guard mode == .strict, case .other(let outcome) = strict else { return lenient }
        return outcome
    }

    /// The options to parse the case with.
    package func options(_ mode: ParsingMode) -> MultipartParser.Options {
        var result = MultipartParser.Options(mode: mode)
        result.maxParts = limits?.maxParts ?? result.maxParts
        result.maxHeaderCount = limits?.maxHeaderCount ?? result.maxHeaderCount
        result.maxHeaderBytes = limits?.maxHeaderBytes ?? result.maxHeaderBytes
        result.maxPreambleBytes = limits?.maxPreambleBytes ?? result.maxPreambleBytes
        result.maxPartBytes = limits?.maxPartBytes ?? result.maxPartBytes
        result.maxTotalBytes = limits?.maxTotalBytes ?? result.maxTotalBytes
        return result
    }
}

/// A part of a case.
package struct CasePart: Decodable, Equatable, Sendable {
    package let name: String?
    package let filename: String?
    package let contentType: String?
    package let headers: [[String]]
    package var body: Data { Data(bytes) }
    // Not `Data`: a leak checker does not follow its tagged pointers, and the cases live until the process ends.
    private let bytes: [UInt8]

    package init(name: String?, filename: String?, contentType: String?, headers: [[String]], body: Data) {
        self.name = name
        self.filename = filename
        self.contentType = contentType
        self.headers = headers
        bytes = Array(body)
    }

    private enum CodingKeys: String, CodingKey {
        case name, filename, contentType, headers, body, bodyBase64
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decodeIfPresent(String.self, forKey: .name)
        filename = try container.decodeIfPresent(String.self, forKey: .filename)
        contentType = try container.decodeIfPresent(String.self, forKey: .contentType)
        headers = try container.decodeIfPresent([[String]].self, forKey: .headers) ?? []
        if let text = try container.decodeIfPresent(String.self, forKey: .body) {
            bytes = Array(text.utf8)
        } else {
            bytes = Array(try container.decode(Data.self, forKey: .bodyBase64))
        }
    }

    /// The part without its headers.
    package var withoutHeaders: CasePart {
        CasePart(name: name, filename: filename, contentType: contentType, headers: [], body: body)
    }

    /// Equality is by bytes: Unicode equivalence would hide a normalisation.
    package static func == (left: CasePart, right: CasePart) -> Bool {
        func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }
        return bytes(left.name) == bytes(right.name) && bytes(left.filename) == bytes(right.filename)
            && bytes(left.contentType) == bytes(right.contentType) && left.bytes == right.bytes
            && left.headers.map { $0.map(bytes) } == right.headers.map { $0.map(bytes) }
    }
}

/// An encoder case: parts, and the expected message or error. See `Fixtures/README.md`.
package struct EncodeCase: Decodable, Sendable {
    package let source: String
    package let why: String
    package let boundary: String
    package let options: Options?
    package let parts: [CasePart]
    package let contentType: String?
    package let error: String?

    /// The options to build the form with.
    package struct Options: Decodable, Sendable {
        package let normalizeNewlines: Bool?
    }
}
