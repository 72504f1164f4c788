/// The value of a part's Content-Disposition field (RFC 7578 §4.2): `form-data; name="…"; filename="…"`.
///
/// Names are written as browsers write them: CR, LF and quotes become `%0D`, `%0A` and `%22`, and nothing else is
/// escaped (HTML §4.10.22.8). Parsers take `\\` for one backslash, so two in a row come back as one, and a name that
/// ends in a backslash is refused by strict mode.
public struct ContentDisposition: Sendable, Hashable {
    /// The disposition type; `form-data` for a part of a form.
    public var type: String

    /// The name of the form's field; nil when it was not sent.
    public var name: String?

    /// The file name as it was sent, or is to be sent; nil for a part that is not a file.
    ///
    /// Never use it as a path: see ``safeFilename``.
    public var filename: String?

    /// Creates a disposition.
    ///
    /// - Parameters:
    ///   - type: The disposition type.
    ///   - name: The name of the form's field.
    ///   - filename: The file name, for a part that is a file.
    public init(type: String = "form-data", name: String?, filename: String? = nil) {
        self.type = type
        self.name = name
        self.filename = filename
    }

    /// Reads a Content-Disposition field's value.
    ///
    /// Percent escapes stay as they are; `filename*` is decoded and preferred in lenient mode.
    ///
    /// - Parameters:
    ///   - value: The field's value.
    ///   - mode: How strictly to read it.
    /// - Throws: ``MultipartParsingError`` with a code of this field, or ``MultipartParsingError/Code/limitHeaderBytes``
    ///   for one of 2 GiB or more; its offset is in the value.
    public init(parsing value: String, mode: ParsingMode = .lenient) throws(MultipartParsingError) {
        // Places in a header section fit 31 bits, as those of a parser do.
        let limit = UInt64(Int32.max)
        guard value.utf8.count <= limit else {
            throw MultipartParsingError(.limitHeaderBytes, offset: limit, limit: limit)
        }
        let bytes = Array(value.utf8)
        if let place = bytes.firstIndex(where: { ASCII.isControl($0) && (mode == .strict || Self.breaksLines($0)) }) {
            throw MultipartParsingError(.invalidHeaderCharacter, offset: UInt64(place))
        }
        let trimmed = ASCII.trimmingWhitespace(bytes.span, 0..<bytes.count)
        self.init(try DispositionLayout(bytes.span, trimmed, mode: mode), in: bytes.span)
    }

    package init(_ layout: DispositionLayout, in bytes: Span<UInt8>) {
        self.type = layout.text(layout.type, in: bytes)
        self.name = layout.name.map { layout.text($0, in: bytes) }
        self.filename = layout.filenameText(in: bytes)
    }

    private static func breaksLines(_ byte: UInt8) -> Bool {
        byte == ASCII.null || byte == ASCII.carriageReturn || byte == ASCII.lineFeed
    }
}

extension String {
    /// The text with the escapes of form names undone: `%0D`, `%0A` and `%22` become CR, LF and a quote.
    ///
    /// Senders escape these three and not the percent sign (HTML §4.10.22.8), so the parser cannot know whether an
    /// escape was typed or made, and leaves it. Use this only where both ends are yours.
    public func decodingFormEscapes() -> String {
        let bytes = Array(utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let escape = bytes[index...].prefix(3)
            if escape.elementsEqual("%0D".utf8) {
                result.append(ASCII.carriageReturn)
                index += 3
            } else if escape.elementsEqual("%0A".utf8) {
                result.append(ASCII.lineFeed)
                index += 3
            } else if escape.elementsEqual("%22".utf8) {
                result.append(ASCII.quote)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
