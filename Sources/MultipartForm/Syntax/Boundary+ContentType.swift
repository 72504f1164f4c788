extension Boundary {
    /// The Content-Type of a form with this boundary: `multipart/form-data; boundary=…`.
    ///
    /// Use it to parse a message of which only the boundary is known. The boundary is quoted only when it is not a token
    /// (RFC 9110 §5.6.6).
    public var contentType: String {
        let isToken = bytes.allSatisfy(ASCII.isTokenCharacter)
        guard !isToken else { return "multipart/form-data; boundary=\(description)" }
        // Only a boundary parsed leniently can have a quote or a backslash.
        let escaped = bytes.flatMap { byte in
            byte == ASCII.quote || byte == ASCII.backslash ? [ASCII.backslash, byte] : [byte]
        }
        return "multipart/form-data; boundary=\"\(String(decoding: escaped, as: UTF8.self))\""
    }

    /// Parses a form's boundary from a Content-Type field; nil stands for no field. Errors' offsets are in the value.
    package init(contentType: String?, mode: ParsingMode = .lenient) throws(MultipartError) {
        guard let contentType else {
            throw MultipartError(.unsupportedMediaType, "message has no Content-Type field", offset: 0)
        }
        try self.init(contentType: ContiguousArray(contentType.utf8), isNested: false, mode: mode)
    }

    /// Parses the boundary of a form, or of a nested multipart body with any subtype.
    init(contentType text: ContiguousArray<UInt8>, isNested: Bool, mode: ParsingMode) throws(MultipartError) {
        let bytes = text.span
        if let control = text.firstIndex(where: ASCII.isControl) {
            throw MultipartError(.malformedContentType, at: control)
        }
        var position = 0
        while position < bytes.count, ASCII.isWhitespace(bytes[position]) { position += 1 }
        let type = Parameters.token(in: bytes, from: position)
        guard !type.isEmpty, type.upperBound < bytes.count, bytes[type.upperBound] == ASCII.slash else {
            throw MultipartError(.malformedContentType, at: type.upperBound)
        }
        let subtype = Parameters.token(in: bytes, from: type.upperBound + 1)
        guard !subtype.isEmpty else { throw MultipartError(.malformedContentType, at: subtype.lowerBound) }
        let isExpected =
            ASCII.matches(bytes, type, "multipart")
            && (isNested || ASCII.matches(bytes, subtype, "form-data"))
        guard isExpected else {
            let sent = String(repairing: bytes.extracting(type.lowerBound..<subtype.upperBound)).printable(upTo: 64)
            let fact = "media type is \"\(sent)\", not multipart/\(isNested ? "…" : "form-data")"
            throw MultipartError(.unsupportedMediaType, fact, at: type.lowerBound)
        }
        guard let boundary = try Self.boundaryParameter(in: bytes, from: subtype.upperBound, mode: mode) else {
            throw MultipartError(.missingBoundary, at: bytes.count)
        }
        do throws(MultipartError) {
            try self.init(validating: boundary.value, mode: mode)
        } catch {
            throw MultipartError(error.code, error.ownFact, at: boundary.offset)
        }
        guard mode == .lenient || Self.isCanonical(bytes, isNested: isNested) else {
            throw MultipartError(.ambiguousHeader, "parsers may differ on the form of the Content-Type field", at: 0)
        }
    }

    /// Whether a field has the grammar of strict mode, in which all parsers are known to read the same boundary:
    /// `"multipart/form-data" 1*(";" [SP] ("boundary=" value / "charset=" (utf-8 / DQUOTE utf-8 DQUOTE)))`, with `utf-8`
    /// in any letter case, one charset at most, and any subtype for a nested message.
    private static func isCanonical(_ bytes: Span<UInt8>, isNested: Bool) -> Bool {
        let field = bytes.extracting(ASCII.trimmingWhitespace(bytes, 0..<bytes.count))
        let (type, form): (StaticString, StaticString) = ("multipart/", "multipart/form-data")
        let (boundary, charset): (StaticString, StaticString) = ("boundary=", "charset=")
        guard ASCII.begins(field, at: 0, with: isNested ? type : form) else { return false }
        var position = Parameters.endOfCanonicalToken(in: field, from: type.utf8CodeUnitCount)
        guard isNested || position == form.utf8CodeUnitCount else { return false }
        var hasCharset = false
        while position < field.count {
            guard field[position] == ASCII.semicolon else { return false }
            position += 1
            if position < field.count, field[position] == ASCII.space { position += 1 }
            let isBoundary = ASCII.begins(field, at: position, with: boundary)
            guard isBoundary || ASCII.begins(field, at: position, with: charset) && !hasCharset else { return false }
            let start = position + (isBoundary ? boundary : charset).utf8CodeUnitCount
            guard let end = Parameters.endOfCanonicalValue(in: field, from: start) else { return false }
            guard isBoundary || isUTF8(field, start..<end) else { return false }
            hasCharset = hasCharset || !isBoundary
            position = end
        }
        return true
    }

    private static func isUTF8(_ bytes: Span<UInt8>, _ charset: Range<Int>) -> Bool {
        ASCII.matches(bytes, charset, "utf-8") || ASCII.matches(bytes, charset, "\"utf-8\"")
    }

    /// The value of the boundary parameter, and where it begins; a second one is an error, since two parsers could pick different ones.
    ///
    /// In strict mode so is anything that a parser could take for a second one: some look for the letters only, and use
    /// the first, or the last, wherever they are.
    private static func boundaryParameter(
        in bytes: Span<UInt8>,
        from position: Int,
        mode: ParsingMode
    ) throws(MultipartError) -> (value: ContiguousArray<UInt8>, offset: Int)? {
        var parameters = Parameters(field: .contentType, mode: mode, position: position)
        var boundary: (value: ContiguousArray<UInt8>, offset: Int)?
        var name = 0..<0
        var failure: MultipartError?
        while let parameter = try parameters.next(in: bytes) {
            guard let value = parameter.value else { continue }
            let start = parameter.name.lowerBound
            if mode == .strict, parameter.isExtended(in: bytes) {
                failure = failure ?? MultipartError(.extendedParameterNotAllowed, at: start)
            }
            guard ASCII.matches(bytes, parameter.name, "boundary") else {
                guard mode == .lenient || parameter.isQuoted || !value.isEmpty else {
                    throw MultipartError(.malformedContentType, at: value.lowerBound)
                }
                continue
            }
            if boundary != nil { failure = failure ?? MultipartError(.duplicateParameter, at: start) }
            name = parameter.name
            let text = Parameters.unescape(bytes, value, hasEscapes: parameter.hasEscapes, everyPair: true)
            boundary = (text, value.lowerBound)
        }
        if let failure { throw failure }
        if mode == .strict, boundary != nil, let decoy = decoy(of: name, in: bytes) {
            throw MultipartError(.duplicateParameter, at: decoy)
        }
        return boundary
    }

    /// The offset of the letters `boundary` before the parameter's own name, or, with an equals sign after them and
    /// optional white space, after it; nil for none.
    private static func decoy(of name: Range<Int>, in bytes: Span<UInt8>) -> Int? {
        for start in bytes.indices where start + name.count <= bytes.count && start != name.lowerBound {
            guard ASCII.matches(bytes, start..<start + name.count, "boundary") else { continue }
            var next = start + name.count
            while next < bytes.count, ASCII.isWhitespace(bytes[next]) { next += 1 }
            let hasValue = next < bytes.count && bytes[next] == ASCII.equals
            if start < name.lowerBound || hasValue { return start }
        }
        return nil
    }
}
