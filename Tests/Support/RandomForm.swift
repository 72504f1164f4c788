internal import Foundation
package import MultipartFormCodec

/// A random form and the parts that a parser must read from it.
package struct RandomForm: Sendable {
    /// The form.
    package private(set) var form: MultipartFormData
    /// The name, file name, media type and body of each part, as parsed.
    package private(set) var expected: [CasePart] = []
    /// The error of strict mode, which a quarter of the forms may have; nil if it reads what lenient mode reads.
    package private(set) var strictError: MultipartError.Code?
    /// Whether a part may have what strict mode refuses.
    private let mayBeRefused: Bool

    /// Makes a form from a generator.
    ///
    /// - Parameters:
    ///   - generator: The source of randomness.
    ///   - directory: The directory for the files that some parts are read from.
    /// - Throws: Any error from writing such a file.
    package init(using generator: inout some RandomNumberGenerator, directory: TemporaryDirectory) throws {
        form = MultipartFormData(boundary: .random(using: &generator))
        mayBeRefused = Int.random(in: 0..<4, using: &generator) == 0
        for index in 0..<Int.random(in: 0...4, using: &generator) {
            try append(index, using: &generator, directory: directory)
        }
    }

    private mutating func append(
        _ index: Int,
        using generator: inout some RandomNumberGenerator,
        directory: TemporaryDirectory
    ) throws {
        let type = Bool.random(using: &generator) ? "text/plain; charset=utf-8" : nil
        let body = content(using: &generator)
        var (name, filename, refusal): (String, String?, MultipartError.Code?)
        repeat {
            name = text(using: &generator)
            filename = Bool.random(using: &generator) ? text(using: &generator) : nil
            let part = CasePart(name: name, filename: filename, contentType: type, headers: [], body: body)
            refusal = part.refusal(in: .strict, boundary: form.boundary)
        } while refusal != nil && !mayBeRefused
        strictError = strictError ?? refusal
        switch Int.random(in: 0..<40, using: &generator) {
        case 0:
            let file = try directory.write(body, as: "content-\(index)")
            form.append(
                filename == nil
                    ? try BodyPart(fieldContentsOf: file, name: name, contentType: type)
                    : try BodyPart(contentsOf: file, name: name, filename: filename, contentType: type)
            )
        case 1..<10:
            let length = Bool.random(using: &generator) ? UInt64(body.count) : nil
            form.append(
                BodyPart(length: length, name: name, filename: filename, contentType: type) { InputStream(data: body) }
            )
        default:
            form.append(body, withName: name, fileName: filename, mimeType: type)
        }
        expected.append(
            CasePart(
                name: CasePart.received(name, normalizingNewlines: true),
                filename: filename.map { CasePart.received($0, normalizingNewlines: false) },
                contentType: type ?? (filename == nil ? nil : "application/octet-stream"),
                headers: [],
                body: body
            )
        )
    }

    /// A name that survives a round trip: no controls, and no backslashes that read as escapes (WHATWG HTML escapes
    /// only CR, LF and the quote).
    private func text(using generator: inout some RandomNumberGenerator) -> String {
        let pieces =
            [
                "a", "name", " ", "\"", "\r", "\n", "\r\n", ";", "=", "%22", "\u{E9}", "e\u{301}", "\u{1F600}", "'",
                "\t", "name=\"", "--", "\u{5E2}\u{5D1}",
            ] + (mayBeRefused ? ["\\x", "=?", "?="] : [])
        var text = ""
        for _ in 0..<Int.random(in: 0...5, using: &generator) { text += pieces.randomElement(using: &generator) ?? "" }
        return text
    }

    /// Bytes with near-boundaries, but no boundary: whatever may follow a boundary's prefix begins
    /// with a byte that no generated boundary has.
    private func content(using generator: inout some RandomNumberGenerator) -> Data {
        let boundary = "--\(form.boundary)"
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0...6, using: &generator) {
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: bytes += [13, 10]
            case 1:
                bytes += [13, 10] + boundary.utf8.prefix(Int.random(in: 0..<boundary.utf8.count, using: &generator))
            case 2: bytes += Array("!\(boundary.dropLast())--".utf8)
            case 3: bytes += [[13], [10], [45], [0]].randomElement(using: &generator) ?? []
            case 4:
                bytes.append(33)
                let count = Int.random(in: 0...200, using: &generator)
                for _ in 0..<count { bytes.append(.random(in: 0...255, using: &generator)) }
            default: bytes += Array("!some text".utf8)
            }
        }
        return Data(bytes)
    }
}
