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
        try self.init(validating: boundary, mode: mode)
    }

    /// The value of the boundary parameter; a second one is an error, since two parsers could pick different ones.
    ///
    /// In strict mode so is anything that a parser could take for a second one: some look for the letters only, and use
    /// the first, or the last, wherever they are.
    private static func boundaryParameter(
        in bytes: Span<UInt8>,
        from position: Int,
        mode: ParsingMode
    ) throws(MultipartError) -> ContiguousArray<UInt8>? {
        var parameters = Parameters(field: .contentType, mode: mode, position: position)
        var boundary: ContiguousArray<UInt8>?
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
            boundary = Parameters.unescape(bytes, value, hasEscapes: parameter.hasEscapes, everyPair: true)
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
