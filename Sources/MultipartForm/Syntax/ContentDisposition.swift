/// The value of a part's Content-Disposition field, as received (RFC 7578 §4.2): `form-data; name="…"; filename="…"`.
///
/// The encoder escapes names as browsers do: CR, LF and quotes become `%0D`, `%0A` and `%22`, and nothing else is
/// escaped (HTML §4.10.22.8). A percent sign is not escaped, so the parser cannot tell a typed `%22` from an escape,
/// and keeps it: see ``decodingFormEscapes()``. The parser reads `\\` as one backslash, so two in a row come back as
/// one, and strict mode refuses a name with a backslash.
public struct ContentDisposition: Sendable {
    /// One parameter, for those that have no property of their own.
    public struct Parameter: Sendable {
        /// The name, as it was sent; letter case has no meaning, though `==` compares it as it is.
        public let name: String

        /// The value, without quotes; empty for a name without a value.
        public let value: String
    }

    /// The disposition type, as it was sent, to tell attachments apart; `form-data` for a part of a form.
    public let type: String

    /// All parameters in the order sent, for those other than names; `filename*` is not decoded.
    public let parameters: [Parameter]

    /// The name of the form's field; nil when it was not sent.
    public private(set) var name: String?

    /// The file name as it was sent, from `filename*` if that can be decoded (RFC 6266 §4.3); nil if there is none.
    ///
    /// Never use it as a path: see ``safeFilename``.
    public private(set) var filename: String?

    /// Parses a Content-Disposition field's value, such as one of a field that this library has not read.
    ///
    /// - Parameters:
    ///   - value: The field's value.
    ///   - mode: How strictly to parse it.
    /// - Throws: ``MultipartError`` with a code of this field, or ``MultipartError/Code/limitHeaderBytes`` if it has 2
    ///   GiB or more; its offset is in the value.
    public init(parsing value: String, mode: ParsingMode = .lenient) throws {
        // Offsets in a header section fit in 31 bits, in the parser too.
        let limit = Int(Int32.max)
        guard value.utf8.count <= limit else {
            throw MultipartError(.limitHeaderBytes, "Content-Disposition has 2 GiB or more", offset: UInt64(limit))
        }
        let bytes = ContiguousArray(value.utf8)
        let endOfText = ASCII.endOfText(bytes.span, from: 0, to: bytes.count)
        let end = mode == .strict ? bytes.firstIndex(where: ASCII.isControl) ?? bytes.count : endOfText
        guard end == bytes.count else { throw MultipartError(.invalidHeaderCharacter, at: end) }
        try self.init(bytes.span, ASCII.trimmingWhitespace(bytes.span, 0..<bytes.count), mode: mode)
    }

    init(_ bytes: Span<UInt8>, _ range: Range<Int>, mode: ParsingMode) throws(MultipartError) {
        let layout = try DispositionLayout(bytes, range, mode: mode)
        type = String(repairing: bytes.extracting(layout.type))
        name = layout.name.text(in: bytes)
        filename = layout.shownFilename.text(in: bytes)
        parameters = layout.parameters(in: bytes.extracting(..<range.upperBound))
    }

    /// The disposition with `%0D`, `%0A` and `%22` in its name and file name replaced by CR, LF and a quote.
    ///
    /// Correct only if you know that the sender escaped them (HTML §4.10.22.8), such as if both ends are yours.
    public func decodingFormEscapes() -> ContentDisposition {
        var result = self
        result.name = name.map(Self.decodingFormEscapes)
        result.filename = filename.map(Self.decodingFormEscapes)
        return result
    }

    private static func decodingFormEscapes(_ text: String) -> String {
        // By scalars, since a combining mark may follow.
        let pieces = text.unicodeScalars.split(separator: "%", omittingEmptySubsequences: false)
        return pieces.dropFirst().reduce(into: String(pieces[0])) { decoded, piece in
            let rest = Substring(piece.dropFirst(2))
            switch String(piece.prefix(2)) {
            case "0D": decoded += "\r\(rest)"
            case "0A": decoded += "\n\(rest)"
            case "22": decoded += "\"\(rest)"
            default: decoded += "%\(Substring(piece))"
            }
        }
    }
}

extension ContentDisposition.Parameter: Hashable {
    /// Whether two parameters have the same name and value, byte for byte in UTF-8.
    public static func == (left: Self, right: Self) -> Bool {
        left.name.utf8.elementsEqual(right.name.utf8) && left.value.utf8.elementsEqual(right.value.utf8)
    }

    /// Hashes the bytes of the name and the value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(Array(name.utf8))
        hasher.combine(Array(value.utf8))
    }
}

extension ContentDisposition: Hashable {
    /// Whether two dispositions have the same type, names and parameters, byte for byte in UTF-8.
    public static func == (left: ContentDisposition, right: ContentDisposition) -> Bool {
        left.texts == right.texts && left.parameters == right.parameters
    }

    /// Hashes the bytes of the type, the names and the parameters.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(texts)
        hasher.combine(parameters)
    }

    /// The bytes of the type, and of the names, in which escapes may have been decoded.
    private var texts: [[UInt8]?] {
        [Array(type.utf8), name.map { Array($0.utf8) }, filename.map { Array($0.utf8) }]
    }
}
