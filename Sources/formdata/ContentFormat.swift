import MultipartFormCodec

/// A file format, with the signature that its files contain and the media types that name the format.
///
/// ``fault(in:)`` compares the first bytes of a part's content with the format that the part's media type names. It
/// reports a difference only if it recognizes the content as something else. Content that it does not recognize may be
/// in a format that is not listed.
struct ContentFormat: Sendable {
    let name: String
    private let types: [String]
    private let signature: [UInt8]
    /// The offset of the signature in a file.
    private let offset: Int

    private init(_ name: String, _ types: [String], _ signature: [UInt8], at offset: Int = 0) {
        (self.name, self.types, self.signature, self.offset) = (name, types, signature, offset)
    }

    private static let all = [
        ContentFormat("PNG", ["image/png"], [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
        ContentFormat("JPEG", ["image/jpeg", "image/jpg"], [0xFF, 0xD8, 0xFF]),
        ContentFormat("GIF", ["image/gif"], Array("GIF8".utf8)),
        ContentFormat("WebP", ["image/webp"], Array("WEBPVP8".utf8), at: 8),
        ContentFormat("HEIC", ["image/heic", "image/heif"], Array("ftyphei".utf8), at: 4),
        ContentFormat("PDF", ["application/pdf"], Array("%PDF-".utf8)),
        ContentFormat("ZIP", ["application/zip", "application/x-zip-compressed"], [0x50, 0x4B, 3, 4]),
        ContentFormat("gzip", ["application/gzip"], [0x1F, 0x8B, 8]),
    ]

    /// The ways in which programs damage a file. `apply` returns what a damage makes of the first bytes of a file.
    private static let damages: [(words: String, apply: @Sendable ([UInt8]) -> [UInt8])] = [
        ("decoded as Latin-1, then encoded as UTF-8", { Array(String($0.map { Character(Unicode.Scalar($0)) }).utf8) }),
        ("in base64", { Array(Data($0.prefix($0.count - $0.count % 3)).base64EncodedString().utf8) }),
        ("damaged: each CR LF became LF, as in text mode", { replacing([0x0D, 0x0A], with: [0x0A], in: $0) }),
        ("damaged: each LF became CR LF, as in text mode", { replacing([0x0A], with: [0x0D, 0x0A], in: $0) }),
    ]

    /// The first bytes of damaged files, for each format and each damage. Formats with a signature at another offset
    /// than 0 are left out.
    private static let damagedFiles = all.filter { $0.offset == 0 }.flatMap { format in
        damages.map { (format: format, words: $0.words, bytes: $0.apply(format.signature)) }
            .filter { $0.bytes != format.signature }
    }

    /// Returns the format whose signature is in `bytes` at the format's offset; nil if there is none.
    static func format(of bytes: some Collection<UInt8>) -> ContentFormat? {
        all.first { bytes.dropFirst($0.offset).starts(with: $0.signature) }
    }

    /// Returns words that say how a part's content differs from what its type or file name says, such as "content is
    /// PNG, not JPEG". Returns nil if no difference is recognized.
    static func fault(in part: ListedPart) -> String? {
        if let count = replacementCount(in: part) {
            let place = part.content.isWhole ? "" : " in its first \(ContentBeginning.limit) bytes"
            let times = count == 1 ? "" : " \(count) times"
            return "content has EF BF BD\(times)\(place), the replacement character: its bytes were decoded as UTF-8"
        }
        let bytes = part.content.bytes
        if let found = format(of: bytes) {
            guard let claimed = claimed(by: part), claimed.name != found.name else { return nil }
            return "content is \(found.name), not \(claimed.name)"
        }
        if let damaged = damagedFiles.first(where: { bytes.starts(with: $0.bytes) }) {
            let name = damaged.format.name
            return claimed(by: part)?.name == name ? "content is \(name) \(damaged.words)" : nil
        }
        guard bytes.starts(with: "data:".utf8) else { return nil }
        return claimed(by: part).map { "content is a data URL, not \($0.name)" }
    }

    /// Returns the format that a part's media type names; nil if no listed format has the type.
    private static func claimed(by part: ListedPart) -> ContentFormat? {
        let type = type(of: part.headers)
        return all.first { $0.types.contains(type) }
    }

    /// Returns how often U+FFFD occurs in the first bytes of binary content that was decoded as UTF-8. Returns nil in
    /// these cases:
    ///
    /// - U+FFFD does not occur.
    /// - The bytes are not UTF-8, like those of an undamaged binary file.
    /// - The content may be text.
    private static func replacementCount(in part: ListedPart) -> Int? {
        guard let text = part.content.text else { return nil }
        let count = text.unicodeScalars.count { $0 == "\u{FFFD}" }
        guard count > 0 else { return nil }
        let type = type(of: part.headers)
        guard !type.isEmpty, !type.hasPrefix("text/") else { return nil }
        let isMedia = ["image/", "audio/", "video/", "font/"].contains(where: type.hasPrefix)
        let isBinary = isMedia && type != "image/svg+xml"
        let hasControls = text.utf8.contains { ASCII.isControl($0) && !"\r\n".utf8.contains($0) }
        return isBinary || hasControls ? count : nil
    }

    /// Returns the media type of a part, in lower case and without parameters.
    ///
    /// - If the part has no type or only application/octet-stream, its file name's extension gives the type. If the
    ///   extension is unknown, the type is application/octet-stream.
    /// - If the part has neither a type nor a file name, the type is empty.
    private static func type(of headers: HeaderFields) -> String {
        let value = headers.contentType ?? ""
        let type = Substring(value.utf8.prefix { !"; \t".utf8.contains($0) }).lowercased()
        guard ["", "application/octet-stream"].contains(type), let filename = headers.filename else { return type }
        return MediaType.forFilename(filename) ?? "application/octet-stream"
    }

    private static func replacing(_ old: [UInt8], with new: [UInt8], in bytes: [UInt8]) -> [UInt8] {
        var (result, rest) = ([UInt8](), bytes[...])
        // Each pass removes at least one byte.
        while let first = rest.first {
            let isMatch = rest.starts(with: old)
            result += isMatch ? new : [first]
            rest = rest.dropFirst(isMatch ? old.count : 1)
        }
        return result
    }
}
