/// The shapes of message that are parsed.
enum ParseShape: String, CaseIterable {
    case random
    case text = "crlf-text"
    case carriageReturns = "cr-only"
    case lineBreaks = "crlf-only"
    case delimiterPrefixes = "delimiter-prefix"
    case hyphens = "hyphens-only"
    case fields
    case files = "files-4k"
    case typical
    case headers = "headers-heavy"

    /// The number of random bytes before they repeat.
    private static let period = 4 << 20

    /// Whether the shape has many parts, so that the time per part says more than the bytes per second.
    var isMadeOfParts: Bool {
        switch self {
        case .fields, .files, .headers: true
        case .random, .text, .carriageReturns, .lineBreaks, .delimiterPrefixes, .hyphens, .typical: false
        }
    }

    /// Whether strict mode accepts the shape. It refuses header fields that parts do not need.
    var isStrict: Bool { self != .headers }

    /// Makes the input, which is the same each time.
    func makeInput(_ scale: Scale) -> ParseInput {
        var generator = SeededGenerator(seed: 20)
        switch self {
        case .random:
            return onePart(generator.bytes(Self.period), count: scale.largeContent)
        case .text:
            return onePart(generator.text(Self.period), count: scale.largeContent)
        case .carriageReturns:
            return onePart([UInt8](repeating: 0x0D, count: 4096), count: scale.adverseContent)
        case .lineBreaks:
            return onePart(Array(repeatElement([0x0D, 0x0A], count: 2048).joined()), count: scale.adverseContent)
        case .delimiterPrefixes:
            let prefix = Array("\r\n--\(ParseInput.boundaryText)".utf8).dropLast()
            return onePart(Array(repeatElement(prefix, count: 64).joined()), count: scale.adverseContent)
        case .hyphens:
            return onePart([UInt8](repeating: 0x2D, count: 4096), count: scale.adverseContent)
        case .fields:
            return Self.fields(scale.fields)
        case .files:
            return Self.files(scale.files, generator.bytes(Self.period))
        case .typical:
            return ParseInput(Self.typicalMessage(generator.bytes(2 << 20)), count: scale.typicalMessages)
        case .headers:
            return Self.headers(scale.headedParts)
        }
    }

    /// A message of fields, each about 115 bytes with its delimiter.
    static func fields(_ count: Int) -> ParseInput {
        var message = MessageWriter(boundary: ParseInput.boundaryText, capacity: count * 120)
        for index in 0..<count {
            message.append(
                headers: ["Content-Disposition: form-data; name=\"field\(100_000 + index % 900_000)\""],
                repeating: Array("some value \(index)".utf8)
            )
        }
        message.finish()
        return ParseInput(message)
    }

    private func onePart(_ pattern: [UInt8], count: Int) -> ParseInput {
        var message = MessageWriter(boundary: ParseInput.boundaryText, capacity: count + 512)
        message.append(
            headers: Self.fileHeaders(name: "file", filename: "\(rawValue).bin"),
            repeating: pattern,
            count: count
        )
        message.finish()
        return ParseInput(message)
    }

    private static func files(_ count: Int, _ content: [UInt8]) -> ParseInput {
        var message = MessageWriter(boundary: ParseInput.boundaryText, capacity: count * 4400)
        for index in 0..<count {
            let start = index * 4096 % content.count
            message.append(
                headers: fileHeaders(name: "files", filename: "photo-\(100_000 + index).jpeg"),
                repeating: Array(content[start..<start + 4096])
            )
        }
        message.finish()
        return ParseInput(message)
    }

    private static func typicalMessage(_ content: [UInt8]) -> MessageWriter {
        var message = MessageWriter(boundary: ParseInput.boundaryText, capacity: content.count + 1024)
        for (name, value) in [("title", "A walk by the sea"), ("album", "Summer"), ("token", "c2VjcmV0IHRva2Vu")] {
            message.append(
                headers: ["Content-Disposition: form-data; name=\"\(name)\""],
                repeating: Array(value.utf8)
            )
        }
        message.append(headers: fileHeaders(name: "photo", filename: "photo.jpeg"), repeating: content)
        message.finish()
        return message
    }

    private static func headers(_ count: Int) -> ParseInput {
        var message = MessageWriter(boundary: ParseInput.boundaryText, capacity: count * 640)
        for index in 0..<count {
            var headers = fileHeaders(name: "item\(index)", filename: "document-\(index).txt")
            headers.append("Content-Transfer-Encoding: binary")
            headers.append("Document-Language: en-GB")
            for (place, name) in ["Trace", "Checksum", "Owner", "Created", "Revision", "Label"].enumerated() {
                headers.append("X-Document-\(name): \(index * 7919 + place)-7f3a9c51e0b24d68")
            }
            message.append(headers: headers, repeating: Array("content \(index)".utf8))
        }
        message.finish()
        return ParseInput(message)
    }

    private static func fileHeaders(name: String, filename: String) -> [String] {
        [
            "Content-Disposition: form-data; name=\"\(name)\"; filename=\"\(filename)\"",
            "Content-Type: application/octet-stream",
        ]
    }
}
