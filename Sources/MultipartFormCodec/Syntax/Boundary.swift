/// The value of a multipart message's boundary parameter (RFC 2046 §5.1.1).
///
/// A delimiter is CRLF, two hyphens and the boundary. A boundary from ``random()`` practically never occurs in content.
/// For any other boundary, the encoder throws if content contains the boundary directly after two hyphens.
public struct Boundary: Sendable {
    /// The boundary's bytes, without the two hyphens that begin a delimiter line.
    package let bytes: [UInt8]

    /// Whether the boundary came from the system's cryptographic generator. If so, the encoder does not search content
    /// for the boundary.
    let isUnpredictable: Bool

    /// Whether the encoder sends the boundary and strict mode accepts it. Such a boundary has:
    /// - 1–70 `bchars` (RFC 2046 §5.1.1), but no comma, no space at its end and no `boundary=`
    /// - a letter, or a digit other than 0
    let isSendable: Bool

    /// Creates a boundary from its text, for instance from a stored text, or from a boundary parameter that a framework
    /// has parsed.
    ///
    /// - Strict mode accepts 1–70 `bchars` (RFC 2046 §5.1.1) with a letter or a digit other than 0, but without a
    ///   comma, without `boundary=` and without a space at the end.
    /// - Lenient mode first removes trailing white space (RFC 2046 §5.1.1). It then accepts 1–256 bytes of UTF-8
    ///   without control characters.
    ///
    /// Use lenient mode for received boundaries.
    ///
    /// - Parameters:
    ///   - text: The boundary.
    ///   - mode: How strictly to parse the boundary. The default is strict, because the encoder accepts only boundaries
    ///     that strict mode accepts.
    /// - Throws: ``MultipartError/Code/invalidBoundary``.
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
        isSendable = Self.reason(against: bytes, .strict) == nil && !Self.namesBoundary(bytes)
    }

    /// Returns a new boundary: 16 hyphens, then 24 random letters and digits.
    ///
    /// The letters and digits come from the system's cryptographic generator, and have about 143 bits of entropy. The
    /// boundary needs no quotes in a Content-Type field. A new form already has such a boundary, so call this method
    /// only to replace a form's boundary.
    public static func random() -> Boundary {
        var generator = SystemRandomNumberGenerator()
        return Boundary(random(using: &generator).bytes, isUnpredictable: true)
    }

    /// Returns a boundary of 16 hyphens, then 24 letters and digits from the caller's generator.
    ///
    /// The encoder searches all content for such a boundary, because the generator may be predictable. With a uniform
    /// generator, all boundaries are equally likely. The method calls the generator at most 67 times, even if the
    /// generator always returns the same number.
    package static func random(using generator: inout some RandomNumberGenerator) -> Boundary {
        let alphabet: [UInt8] = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
        var bytes = [UInt8](repeating: ASCII.hyphen, count: 16)
        // Each letter or digit takes six random bits. Six bits have 64 values, but there are only 62 letters and
        // digits, so the values 62 and 63 are skipped.
        var draws = 0
        while bytes.count < 40 {
            var bits: UInt64 = generator.next()
            draws += 1
            for _ in 0..<10 where bytes.count < 40 {
                let value = Int(truncatingIfNeeded: bits & 63)
                bits >>= 6
                // A bad generator might give only the values 62 and 63. After 64 calls of the generator, these values
                // are therefore used, too, so that the loop ends. With a uniform generator, the probability of more
                // than 64 calls is below 1e-800.
                if value < alphabet.count || draws > 64 { bytes.append(alphabet[value % alphabet.count]) }
            }
        }
        return Boundary(bytes, isUnpredictable: false)
    }

    /// Returns the reason why `mode` refuses the boundary, in words; nil if `mode` accepts the boundary.
    func reasonInvalid(in mode: ParsingMode) -> String? {
        // A sendable boundary is valid in both modes.
        guard !isSendable else { return nil }
        return Self.reason(against: bytes, mode) ?? (mode == .strict ? StrictGrammar.reasonNamesBoundary : nil)
    }

    private static func namesBoundary(_ bytes: [UInt8]) -> Bool {
        // SAFETY: the span of the buffer does not escape from the closure.
        unsafe bytes.withUnsafeBufferPointer { unsafe StrictGrammar.namesBoundary($0.span) }
    }

    /// Returns the reason why `mode` refuses the length or the characters of a boundary; nil if `mode` accepts both.
    /// Does not check whether the boundary contains `boundary=`.
    private static func reason(against bytes: [UInt8], _ mode: ParsingMode) -> String? {
        let maxLength = mode == .strict ? 70 : 256
        guard !bytes.isEmpty else { return "boundary is empty" }
        guard bytes.count <= maxLength else { return "boundary has \(bytes.count) bytes, more than \(maxLength)" }
        guard mode == .lenient || bytes.last != ASCII.space else { return "boundary ends with a space" }
        if let byte = firstForbiddenByte(in: bytes, mode) {
            return "boundary has a forbidden character, \(byte.printable)"
        }
        // Parsers disagree on boundaries such as `0` and `--`. The search for a letter or digit begins at the
        // boundary's end, because most boundaries begin with hyphens.
        guard mode == .lenient || bytes.lastIndex(where: isLetterOrDigit) != nil else {
            return "boundary has no letter and no digit other than 0"
        }
        return nil
    }

    /// Whether a byte is a letter, or a digit other than 0.
    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) && byte != ASCII.zero
    }

    private static func firstForbiddenByte(in bytes: [UInt8], _ mode: ParsingMode) -> UInt8? {
        guard mode == .strict else { return bytes.first { $0 < ASCII.space || $0 == ASCII.delete } }
        // SAFETY: the span of the buffer does not escape from the closure.
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            let bytes = unsafe buffer.span
            // Skips letters, digits and hyphens quickly, because nearly every boundary has no other bytes.
            var index = ASCII.endOfName(bytes, from: 0)
            while index < bytes.count, ASCII.isBoundaryCharacter(bytes[index]) { index += 1 }
            return index < bytes.count ? bytes[index] : nil
        }
    }

    /// The dash-boundary (RFC 2046 §5.1.1): two hyphens and the boundary.
    package var dashBoundary: [UInt8] { [ASCII.hyphen, ASCII.hyphen] + bytes }
}

extension Boundary: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Creates a boundary from a literal, such as a fixed boundary for a test.
    ///
    /// - Precondition: The text is a boundary that the strict mode of ``init(parsing:mode:)`` accepts.
    /// - Parameter value: The boundary's text, which must be a literal.
    public init(stringLiteral value: StaticString) {
        self.init(Array(value.description.utf8), isUnpredictable: false)
        precondition(isSendable, "a boundary is 1 to 70 legal characters")
    }

    /// The boundary's text. To resume an upload after a restart of the program, store this text.
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
    /// Use this value to parse a message if you know only the message's boundary. If the boundary has characters other
    /// than letters, digits, hyphens, dots and underscores, the boundary is in quotes, as strict mode requires.
    public var contentType: String {
        let isToken = bytes.allSatisfy(ASCII.isPlainTokenCharacter)
        guard !isToken else { return "multipart/form-data; boundary=\(description)" }
        // Only a boundary that was parsed in lenient mode can contain a quote or a backslash.
        let escaped = bytes.flatMap { byte in
            byte == ASCII.quote || byte == ASCII.backslash ? [ASCII.backslash, byte] : [byte]
        }
        return "multipart/form-data; boundary=\"\(String(decoding: escaped, as: UTF8.self))\""
    }

    /// Parses a form's boundary from the value of the message's Content-Type field.
    ///
    /// - Parameters:
    ///   - contentType: The value of the field; nil if the message has no Content-Type field.
    ///   - mode: How strictly to parse the value.
    /// - Throws: ``MultipartError``, whose offset counts from the start of the value.
    package init(contentType: String?, mode: ParsingMode = .lenient) throws(MultipartError) {
        guard let contentType else {
            throw MultipartError(.unsupportedMediaType, "message has no Content-Type field", offset: 0)
        }
        try self.init(contentType: ContiguousArray(contentType.utf8), isNested: false, mode: mode)
    }

    /// Parses a boundary from the value of a Content-Type field. If `isNested` is true, the message is nested in a
    /// part, and any multipart type is valid. Otherwise, the media type must be `multipart/form-data`.
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
        // This check accepts `boundary=` in the boundary. The check of the whole field, below, refuses it.
        if !isSendable, let reason = Self.reason(against: self.bytes, .strict) {
            throw MultipartError(.invalidBoundary, reason, at: boundary.offset)
        }
        if let reason = StrictGrammar.reason(againstContentType: bytes, isNested: isNested) {
            throw MultipartError(ErrorCode.ambiguousHeader, reason, at: 0)
        }
    }

    /// Returns the value of the boundary parameter and the value's offset; nil if there is no boundary parameter.
    ///
    /// Throws if the parameter occurs twice, because parsers disagree on which of the two values to use.
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
