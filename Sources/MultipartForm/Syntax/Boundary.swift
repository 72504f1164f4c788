/// The value of a multipart message's boundary parameter (RFC 2046 §5.1.1).
///
/// A delimiter is CRLF, two hyphens and the boundary. A boundary made by ``random()`` is practically certain not to
/// occur in any content. For a boundary that the caller has chosen, the encoder checks the content.
public struct Boundary: Sendable {
    /// The boundary's bytes, without the hyphens of a delimiter.
    package let bytes: [UInt8]

    /// Whether the boundary came from the system's cryptographic generator.
    let isUnpredictable: Bool

    /// Whether a message can be sent with the boundary, and strict mode accepts it: 1–70 `bchars` other than a comma,
    /// the last not a space (RFC 2046 §5.1.1).
    let isSendable: Bool

    /// Parses a boundary on its own, such as a parameter that a framework has parsed, or a stored boundary.
    ///
    /// Strict mode accepts 1–70 `bchars` (RFC 2046 §5.1.1) other than a comma, the last not a space. Lenient mode,
    /// meant for received boundaries, accepts 1–256 bytes of UTF-8 without control characters, and removes trailing
    /// white space, as RFC 2046 §5.1.1 requires.
    ///
    /// - Parameters:
    ///   - text: The boundary.
    ///   - mode: How strictly to parse it; strict by default, because a form can be encoded only with a boundary that
    ///     strict mode accepts.
    /// - Throws: `invalid-boundary`.
    public init(parsing text: String, mode: ParsingMode = .strict) throws {
        try self.init(validating: text.utf8, mode: mode)
    }

    init(validating text: some Collection<UInt8>, mode: ParsingMode) throws(MultipartError) {
        var bytes = Array(text)
        if mode == .lenient {
            while let last = bytes.last, ASCII.isWhitespace(last) { bytes.removeLast() }
        }
        self.init(bytes, isUnpredictable: false)
        if let reason = reasonInvalid(in: mode) { throw MultipartError(.invalidBoundary, reason, offset: 0) }
    }

    private init(_ bytes: [UInt8], isUnpredictable: Bool) {
        self.bytes = bytes
        self.isUnpredictable = isUnpredictable
        isSendable = Self.reason(against: bytes, .strict) == nil
    }

    /// A new boundary: 16 hyphens, and 24 letters and digits with about 143 bits from the system's secure generator.
    ///
    /// It needs no quotes in a Content-Type field. A new form already has such a boundary; assign another one only to
    /// renew it.
    public static func random() -> Boundary {
        var generator = SystemRandomNumberGenerator()
        return Boundary(random(using: &generator).bytes, isUnpredictable: true)
    }

    /// Makes a boundary of the same shape with another generator. The encoder checks the content for it.
    ///
    /// Calls the generator at most 67 times. With a uniform generator, all boundaries are equally likely. A bad
    /// generator, even one that always returns the same number, still gives a boundary. But others can guess it, since
    /// it may consist of equal letters.
    package static func random(using generator: inout some RandomNumberGenerator) -> Boundary {
        let alphabet: [UInt8] = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
        var bytes = [UInt8](repeating: ASCII.hyphen, count: 16)
        // Each letter takes six bits of a random number, so that three numbers usually suffice, not 24. Two of the 64
        // values stand for no letter.
        var draws = 0
        while bytes.count < 40 {
            var bits: UInt64 = generator.next()
            draws += 1
            for _ in 0..<10 where bytes.count < 40 {
                let value = Int(truncatingIfNeeded: bits & 63)
                bits >>= 6
                // After 64 draws, any value counts: a bad generator might never give a letter. A uniform one needs more
                // than 64 draws once in 10 to the 800th.
                if value < alphabet.count || draws > 64 { bytes.append(alphabet[value % alphabet.count]) }
            }
        }
        return Boundary(bytes, isUnpredictable: false)
    }

    /// Why `mode` does not accept the boundary, in words; nil if it accepts the boundary.
    func reasonInvalid(in mode: ParsingMode) -> String? {
        // A sendable boundary is valid in both modes.
        isSendable ? nil : Self.reason(against: bytes, mode)
    }

    private static func reason(against bytes: [UInt8], _ mode: ParsingMode) -> String? {
        let maxLength = mode == .strict ? 70 : 256
        guard !bytes.isEmpty else { return "boundary is empty" }
        guard bytes.count <= maxLength else { return "boundary has \(bytes.count) bytes, more than \(maxLength)" }
        guard mode == .lenient || bytes.last != ASCII.space else { return "boundary ends with a space" }
        guard let byte = firstForbiddenByte(in: bytes, mode) else { return nil }
        return "boundary has a forbidden character, \(byte.printable)"
    }

    private static func firstForbiddenByte(in bytes: [UInt8], _ mode: ParsingMode) -> UInt8? {
        guard mode == .strict else { return bytes.first { $0 < ASCII.space || $0 == ASCII.delete } }
        // SAFETY: the span is read inside the closure only.
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            let bytes = unsafe buffer.span
            // Nearly every boundary has only letters, digits and hyphens.
            var index = ASCII.endOfName(bytes, from: 0)
            while index < bytes.count, ASCII.isBoundaryCharacter(bytes[index]) { index += 1 }
            return index < bytes.count ? bytes[index] : nil
        }
    }

    /// The bytes of the delimiter without its line break: two hyphens and the boundary.
    package var dashBoundary: [UInt8] { [ASCII.hyphen, ASCII.hyphen] + bytes }
}

extension Boundary: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Creates a boundary to send from a literal, such as a fixed one for a test.
    ///
    /// - Precondition: The text is 1–70 `bchars` other than a comma, the last not a space (RFC 2046 §5.1.1).
    /// - Parameter value: The boundary's text; always a literal, never a variable.
    public init(stringLiteral value: StaticString) {
        self.init(Array(value.description.utf8), isUnpredictable: false)
        precondition(isSendable, "a boundary is 1 to 70 legal characters")
    }

    /// The boundary's text, to be stored for an upload that is resumed after a restart.
    public var description: String {
        String(decoding: bytes, as: UTF8.self)
    }
}

extension Boundary: Hashable {
    /// Whether two boundaries have the same bytes.
    public static func == (left: Boundary, right: Boundary) -> Bool {
        left.bytes == right.bytes
    }

    /// Hashes the boundary's bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytes)
    }
}

extension Boundary {
    /// The Content-Type of a form with this boundary: `multipart/form-data; boundary=…`.
    ///
    /// Use it to parse a message when only its boundary is known. The boundary is quoted if it has other characters
    /// than letters, digits, hyphens, dots and underscores, as strict mode requires.
    public var contentType: String {
        let isToken = bytes.allSatisfy(ASCII.isPlainTokenCharacter)
        guard !isToken else { return "multipart/form-data; boundary=\(description)" }
        // Only a boundary that was parsed in lenient mode can contain a quote or a backslash.
        let escaped = bytes.flatMap { byte in
            byte == ASCII.quote || byte == ASCII.backslash ? [ASCII.backslash, byte] : [byte]
        }
        return "multipart/form-data; boundary=\"\(String(decoding: escaped, as: UTF8.self))\""
    }

    /// Parses a form's boundary from the value of its Content-Type field; pass nil if there is no such field. The
    /// offset of an error is in that value.
    package init(contentType: String?, mode: ParsingMode = .lenient) throws(MultipartError) {
        guard let contentType else {
            throw MultipartError(.unsupportedMediaType, "message has no Content-Type field", offset: 0)
        }
        try self.init(contentType: ContiguousArray(contentType.utf8), isNested: false, mode: mode)
    }

    /// Parses the boundary of a form or, if `isNested`, of a nested multipart body, which may have any subtype.
    init(contentType text: ContiguousArray<UInt8>, isNested: Bool, mode: ParsingMode) throws(MultipartError) {
        let bytes = text.span
        if let control = text.firstIndex(where: ASCII.isControl) {
            throw MultipartError(ErrorCode.malformedContentType, at: control)
        }
        var position = 0
        while position < bytes.count, ASCII.isWhitespace(bytes[position]) { position += 1 }
        let type = Parameters.token(in: bytes, from: position)
        guard !type.isEmpty, type.upperBound < bytes.count, bytes[type.upperBound] == ASCII.slash else {
            throw MultipartError(ErrorCode.malformedContentType, at: type.upperBound)
        }
        let subtype = Parameters.token(in: bytes, from: type.upperBound + 1)
        guard !subtype.isEmpty else { throw MultipartError(ErrorCode.malformedContentType, at: subtype.lowerBound) }
        let isExpected =
            ASCII.matches(bytes, type, "multipart")
            && (isNested || ASCII.matches(bytes, subtype, "form-data"))
        guard isExpected else {
            let sent = String(repairing: bytes.extracting(type.lowerBound..<subtype.upperBound)).printable(upTo: 64)
            let expected = isNested ? "multipart/…" : "multipart/form-data"
            let reason = "media type is \"\(sent)\", not \(expected)"
            throw MultipartError(.unsupportedMediaType, reason, at: type.lowerBound)
        }
        guard let boundary = try Self.boundaryParameter(in: bytes, from: subtype.upperBound) else {
            throw MultipartError(.missingBoundary, at: bytes.count)
        }
        do throws(MultipartError) {
            try self.init(validating: boundary.value, mode: .lenient)
        } catch {
            throw MultipartError(error.code, error.ownReason, at: boundary.offset)
        }
        guard mode == .strict else { return }
        if let reason = reasonInvalid(in: .strict) {
            throw MultipartError(.invalidBoundary, reason, at: boundary.offset)
        }
        if let reason = StrictGrammar.reason(againstContentType: bytes, isNested: isNested) {
            throw MultipartError(ErrorCode.ambiguousHeader, reason, at: 0)
        }
    }

    /// The value of the boundary parameter and its offset; nil if there is none. Throws if there is a second one,
    /// because parsers pick different ones.
    private static func boundaryParameter(
        in bytes: Span<UInt8>,
        from position: Int
    ) throws(MultipartError) -> (value: ContiguousArray<UInt8>, offset: Int)? {
        var parameters = Parameters(field: .contentType, position: position)
        var boundary: (value: ContiguousArray<UInt8>, offset: Int)?
        var repetition: Int?
        while let parameter = try parameters.next(in: bytes) {
            guard let value = parameter.value, ASCII.matches(bytes, parameter.name, "boundary") else { continue }
            if boundary != nil, repetition == nil { repetition = parameter.name.lowerBound }
            let text = Parameters.unescape(bytes, value, hasEscapes: parameter.hasEscapes, everyPair: true)
            boundary = (text, value.lowerBound)
        }
        if let repetition {
            let reason = "Content-Type has two boundary parameters"
            throw MultipartError(ErrorCode.duplicateParameter, reason, at: repetition)
        }
        return boundary
    }
}
