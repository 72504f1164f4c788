internal import Foundation
internal import MultipartFormCodec

/// Checks that encoded forms are parsed back. The input is a byte of choices, a boundary after its length, then parts.
/// A part is a byte of choices, a name, a file name, media type and extra field if chosen, and the content.
enum RoundTripCheck {
    /// A part as it was appended.
    private struct Part {
        var name: String
        var filename: String?
        var type: String?
        var extra: HeaderField?
        var body = Data()

        /// The error of a mode for the part; nil if the mode reads it.
        func refusal(in mode: ParsingMode, boundary: Boundary) -> MultipartError.Code? {
            let headers = extra.map { [[$0.name, $0.value]] } ?? []
            return CasePart(name: name, filename: filename, contentType: type, headers: headers, body: body)
                .refusal(in: mode, boundary: boundary)
        }
    }

    static func run(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        let choices = input.byte()
        let text = input.text()
        var generator = SeededGenerator(seed: UInt64(choices))
        let boundary = (try? Boundary(parsing: text, mode: .strict)) ?? .random(using: &generator)
        var form = MultipartFormData(boundary: boundary)
        var parts: [Part] = []
        while !input.rest.isEmpty, parts.count < 20 {
            let part = part(&input, boundary)
            parts.append(part)
            append(part, to: &form, isStream: choices & 1 == 1)
        }
        let size = 1 + Int(choices >> 1)
        let whole = MultipartError.catching { try form.encode() }
        let pieces = Result { try EncodingEntryPoints.pieces(form, size: size) }
        guard case .success(let message) = whole else {
            return try require((try? pieces.get()) == nil, "encode() fails, the reader does not")
        }
        for (entryPoint, encoded) in [("pieces", try pieces.get())] + (try EncodingEntryPoints.synchronous(form)) {
            try require(encoded == message, "\(entryPoint) gives other bytes")
        }
        try require(form.encodedLength ?? UInt64(message.count) == UInt64(message.count), "encodedLength is wrong")
        for part in parts {
            try require(!collides(part.body, boundary), "content that holds the boundary is encoded")
        }
        try check(message, boundary, parts)
        let received = try MultipartFormData(parsing: message, contentType: boundary.contentType, options: options())
        try require(try received.encode() == message, "the form is encoded differently once it was received")
    }

    static func seeds() throws -> [[UInt8]] {
        try Fixtures.names(in: "conformance/encode").map { name in
            let form = try Fixtures.json(EncodeCase.self, "conformance/encode/\(name).json")
            return form.parts.reduce([0] + FuzzInput.run(form.boundary.utf8)) { seed, part in
                let isFile: UInt8 = part.filename == nil ? 0 : 1
                let hasType: UInt8 = part.contentType == nil ? 0 : 2
                let hasExtra: UInt8 = part.headers.isEmpty ? 0 : 4
                var bytes = seed + [isFile | hasType | hasExtra] + FuzzInput.run((part.name ?? "").utf8)
                if let filename = part.filename { bytes += FuzzInput.run(filename.utf8) }
                if let type = part.contentType { bytes += FuzzInput.run(type.utf8) }
                for text in part.headers.first ?? [] { bytes += FuzzInput.run(text.utf8) }
                return bytes + FuzzInput.run(part.body)
            }
        }
    }

    private static func part(_ input: inout FuzzInput, _ boundary: Boundary) -> Part {
        let choices = input.byte()
        var part = Part(name: input.text())
        if choices & 1 != 0 { part.filename = input.text() }
        if choices & 2 != 0 { part.type = input.text() }
        if choices & 4 != 0 { part.extra = HeaderField(name: input.text(), value: input.text()) }
        let content = input.run()
        // The boundary is hard to guess, so some content gets a piece of it.
        let hint = choices & 8 == 0 ? [] : boundary.dashBoundary.dropLast(Int(choices >> 6))
        part.body = Data(choices & 16 == 0 ? content + hint : hint + content)
        return part
    }

    private static func append(_ part: Part, to form: inout MultipartFormData, isStream: Bool) {
        let extra = HeaderFields(part.extra.map { [$0] } ?? [])
        guard isStream, part.extra == nil else {
            return form.append(
                BodyPart(
                    part.body,
                    name: part.name,
                    filename: part.filename,
                    contentType: part.type,
                    additionalHeaders: extra
                )
            )
        }
        let body = part.body
        form.append(
            BodyPart(length: nil, name: part.name, filename: part.filename, contentType: part.type) {
                InputStream(data: body)
            }
        )
    }

    /// Whether the dash-boundary is anywhere in the content.
    private static func collides(_ content: Data, _ boundary: Boundary) -> Bool {
        content.range(of: Data(boundary.dashBoundary)) != nil
    }

    private static func options() -> MultipartParser.Options {
        MultipartParser.Options(maxHeaderBytes: 1 << 20)
    }

    private static func check(_ message: Data, _ boundary: Boundary, _ parts: [Part]) throws {
        var options = options()
        let lenient = ParsedMessage([message], boundary: boundary, options: options)
        options.mode = .strict
        let strict = ParsedMessage([message], boundary: boundary, options: options)
        for (mode, parsed) in [(ParsingMode.lenient, lenient), (.strict, strict)] {
            let refusal = parts.lazy.compactMap { $0.refusal(in: mode, boundary: boundary) }.first
            let error = parsed.error.map { "\($0)" } ?? "no error"
            try require(parsed.error?.code == refusal, "\(mode) mode has \(error) for an encoded form")
        }
        guard lenient.error == nil else { return }
        try require(strict.error != nil || strict == lenient, "the modes read an encoded form differently")
        try require(lenient.parts.map(\.body) == parts.map(\.body), "the bodies differ")
        for (parsed, part) in zip(lenient.parts, parts) {
            try require(reads(parsed.headers.name, as: part.name, isName: true), "the name differs")
            try require(reads(parsed.headers.filename, as: part.filename, isName: false), "the file name differs")
            let type = part.type ?? part.filename.map(naiveType)
            try require(parsed.headers.contentType == type.map(trimmed), "the media type differs")
            if let extra = part.extra {
                try require(parsed.headers[extra.name] == trimmed(extra.value), "the extra field differs")
            }
            let count = 1 + (type == nil ? 0 : 1) + (part.extra == nil ? 0 : 1)
            try require(parsed.headers.count == count, "a field was injected")
        }
    }

    /// The type that a file is sent with if the program gives none.
    private static func naiveType(of filename: String) -> String {
        let pieces = filename.utf8.split(separator: 46, omittingEmptySubsequences: false).map(Array.init)
        let isExtension = pieces.count > 2 || pieces.count == 2 && !pieces[0].isEmpty
        let last = isExtension ? String(decoding: pieces[pieces.count - 1], as: UTF8.self) : ""
        return BodyPart.contentType(ofPathExtension: last) ?? "application/octet-stream"
    }

    /// A text comes back escaped; a backslash before a backslash may be taken for an escape.
    private static func reads(_ parsed: String?, as text: String?, isName: Bool) -> Bool {
        guard let parsed, let text else { return parsed == nil && text == nil }
        var bytes: [UInt8] = []
        let lines = Array(text.utf8)
        for (index, byte) in lines.enumerated() {
            switch byte {
            case 34: bytes += Array("%22".utf8)
            case 13 where isName: bytes += Array("%0D%0A".utf8)
            case 10 where isName && index > 0 && lines[index - 1] == 13: break
            case 10 where isName: bytes += Array("%0D%0A".utf8)
            case 13: bytes += Array("%0D".utf8)
            case 10: bytes += Array("%0A".utf8)
            default: bytes.append(byte)
            }
        }
        let sent = String(decoding: bytes, as: UTF8.self)
        return [sent, sent.replacingOccurrences(of: "\\\\", with: "\\", options: .literal)].contains {
            parsed.utf8.elementsEqual($0.utf8)
        }
    }

    private static func trimmed(_ text: String) -> String {
        text.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
    }
}
