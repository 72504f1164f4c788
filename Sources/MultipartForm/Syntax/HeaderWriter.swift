/// Writes a part's header section (RFC 7578 §4.2, HTML §4.10.22.8).
///
/// - Input: a name, a file name, a media type, extra fields.
/// - Output: their lines and the blank line, appended to a buffer, and their layout.
/// - Invariant: no input can end a quoted string, a line or the section. If a section cannot be written, the buffer is
///   left as it was.
/// - Cost: linear in the bytes written.
enum HeaderWriter {
    /// What identifies a part.
    struct PartIdentity {
        let name: String?
        let filename: String?
        let contentType: String?

        /// The media type that is sent. A file without a type is sent as application/octet-stream (RFC 7578 §4.4).
        var sentContentType: String? { contentType ?? (filename == nil ? nil : "application/octet-stream") }
    }

    /// The maximum length of a section, in bytes, with the texts after it (see ``HeaderSection``).
    static let maxSectionLength = Int(Int32.max)

    /// Appends a header section and, after it, the unescaped form of the texts that are escaped in it. Returns the
    /// section's length, and the layout of the section and the texts.
    static func write(
        _ identity: PartIdentity,
        _ additionalHeaders: HeaderFields,
        isSection: Bool = false,
        to buffer: inout ContiguousArray<UInt8>
    ) throws(MultipartError) -> (length: Int, SectionLayout) {
        let start = buffer.count
        do throws(MultipartError) {
            return try writeSection(identity, additionalHeaders, isSection: isSection, from: start, to: &buffer)
        } catch {
            buffer.removeSubrange(start...)
            throw error
        }
    }

    private static func writeSection(
        _ identity: PartIdentity,
        _ additionalHeaders: HeaderFields,
        isSection: Bool,
        from start: Int,
        to buffer: inout ContiguousArray<UInt8>
    ) throws(MultipartError) -> (length: Int, SectionLayout) {
        append("Content-Disposition: ", to: &buffer)
        let (name, filename) = try writeDisposition(name: identity.name, filename: identity.filename, to: &buffer)
        appendLineBreak(to: &buffer)
        let contentType = try writeContentType(identity, isReceived: isSection, to: &buffer)
        let lines = try write(additionalHeaders, isSection, to: &buffer)
        appendLineBreak(to: &buffer)
        let length = buffer.count - start
        func range(of text: String?, _ written: Range<Int>?) -> TextRange {
            guard let text else { return .none }
            if let written, written.count == text.utf8.count {
                return TextRange(written.lowerBound - start..<written.upperBound - start)
            }
            // In the section the text is escaped, and therefore longer.
            buffer.append(contentsOf: text.utf8)
            return TextRange(buffer.count - start - text.utf8.count..<buffer.count - start)
        }
        let total = length + (identity.name?.utf8.count ?? 0) + (identity.filename?.utf8.count ?? 0)
        guard total <= maxSectionLength else {
            throw MultipartError(ErrorCode.encodedLengthTooLarge, "header section exceeds \(maxSectionLength) bytes")
        }
        let layout = SectionLayout(
            name: range(of: identity.name, name),
            filename: range(of: identity.filename, filename),
            contentType: range(of: identity.contentType, contentType),
            lines: lines
        )
        return (length, layout)
    }

    /// Appends the Content-Type line of a part that has a type or is a file; returns the value's range. If the part was
    /// received, its type need not be type/subtype.
    private static func writeContentType(
        _ identity: PartIdentity,
        isReceived: Bool,
        to buffer: inout ContiguousArray<UInt8>
    ) throws(MultipartError) -> Range<Int>? {
        guard let type = identity.sentContentType else { return nil }
        guard !type.isEmpty else { throw MultipartError(ErrorCode.invalidHeaderValue, "media type is empty") }
        guard type.utf8.allSatisfy(isPrintable) else {
            throw MultipartError(ErrorCode.invalidHeaderValue, "media type is not printable ASCII")
        }
        append("Content-Type: ", to: &buffer)
        let start = buffer.count
        buffer.append(contentsOf: type.utf8)
        let end = buffer.count
        guard isReceived || identity.contentType == nil || isMediaType(buffer.span.extracting(start..<end)) else {
            let shown = type.printable(upTo: 64)
            throw MultipartError(ErrorCode.invalidHeaderValue, "media type \"\(shown)\" is not type/subtype")
        }
        appendLineBreak(to: &buffer)
        return start..<end
    }

    /// Whether a text is `type "/" subtype *( OWS ";" OWS [ name "=" value ] )` (RFC 9110 §8.3.1).
    private static func isMediaType(_ text: Span<UInt8>) -> Bool {
        let slash = ASCII.endOfToken(text, from: 0)
        guard slash > 0, slash < text.count, text[slash] == ASCII.slash else { return false }
        let end = ASCII.endOfToken(text, from: slash + 1)
        guard end > slash + 1 else { return false }
        guard end < text.count else { return true }
        var parameters = Parameters(field: .contentType, position: end)
        do {
            while let parameter = try parameters.next(in: text) {
                guard let value = parameter.value else { return false }
                let isToken = !value.isEmpty && Parameters.token(in: text, from: value.lowerBound) == value
                guard isToken || parameter.isQuoted else { return false }
            }
            return true
        } catch {
            return false
        }
    }

    /// Appends extra fields. If they are a whole section, leaves out Content-Disposition and Content-Type, which have
    /// already been written.
    private static func write(
        _ fields: HeaderFields,
        _ isSection: Bool,
        to buffer: inout ContiguousArray<UInt8>
    ) throws(MultipartError) -> SectionLayout.Lines {
        var lines = SectionLayout.Lines.sendable
        try fields.storage.read { fields, bytes throws(MultipartError) in
            for index in fields.indices {
                try append(fields[index], of: bytes, isSection, to: &buffer)
                // A line that begins with a hyphen may look like a delimiter, so it must be checked before it is sent.
                if bytes[fields[index].name.lowerBound] == ASCII.hyphen { lines = .canonical }
            }
        }
        return lines
    }

    /// The fields of a part whose section cannot be written. They lack the Content-Disposition if that cannot be
    /// written.
    static func fields(_ identity: PartIdentity, _ additionalHeaders: HeaderFields) -> HeaderFields {
        var fields = HeaderFields()
        var value: ContiguousArray<UInt8> = []
        if (try? writeDisposition(name: identity.name, filename: identity.filename, to: &value)) != nil {
            fields.append(HeaderField(name: "Content-Disposition", value: String(decoding: value, as: UTF8.self)))
        }
        if let type = identity.sentContentType { fields.append(HeaderField(name: "Content-Type", value: type)) }
        for field in additionalHeaders { fields.append(field) }
        return fields
    }

    /// Appends a Content-Disposition's value; returns the ranges of the name and the file name.
    @discardableResult
    static func writeDisposition(
        name: String?,
        filename: String?,
        to buffer: inout ContiguousArray<UInt8>
    ) throws(MultipartError) -> (name: Range<Int>, filename: Range<Int>?) {
        guard let name else { throw MultipartError(ErrorCode.missingName) }
        append("form-data; name=\"", to: &buffer)
        let nameRange = try append(escaping: name, normalizingNewlines: true, to: &buffer)
        var filenameRange: Range<Int>?
        if let filename {
            append("\"; filename=\"", to: &buffer)
            filenameRange = try append(escaping: filename, normalizingNewlines: false, to: &buffer)
        }
        buffer.append(ASCII.quote)
        return (nameRange, filenameRange)
    }

    /// Appends an extra field. Throws if the field identifies or frames the part, or cannot be sent.
    private static func append(
        _ field: FieldRanges,
        of bytes: Span<UInt8>,
        _ isSection: Bool,
        to buffer: inout ContiguousArray<UInt8>
    ) throws(MultipartError) {
        // Names and values may be adjacent in memory, so the scan must end with the name.
        let name = bytes.extracting(field.name)
        guard !name.isEmpty, ASCII.endOfToken(name, from: 0) == name.count else {
            let shown = String(repairing: name).printable(upTo: 64)
            throw MultipartError(ErrorCode.invalidHeaderName, "header name \"\(shown)\" is not a token")
        }
        if ASCII.matches(bytes, field.name, "content-disposition") || ASCII.matches(bytes, field.name, "content-type") {
            guard isSection else { throw forbidden(name) }
            return
        }
        // Some receivers frame the part by its Content-Length, although RFC 7578 §4.8 says to ignore it.
        if ASCII.matches(bytes, field.name, "content-length") { throw forbidden(name) }
        try checkTransferEncoding(field, of: bytes)
        let value = bytes.extracting(field.value)
        guard value.indices.allSatisfy({ isPrintable(value[$0]) }) else {
            let shown = String(repairing: name).printable(upTo: 64)
            throw MultipartError(
                ErrorCode.invalidHeaderValue,
                "value of header field \"\(shown)\" is not printable ASCII"
            )
        }
        appendLine(name: name, value: value, to: &buffer)
    }

    /// The error of a field that the caller may not set.
    private static func forbidden(_ name: Span<UInt8>) -> MultipartError {
        let shown = String(repairing: name).printable(upTo: 64)
        return MultipartError(ErrorCode.forbiddenHeader, "header field \"\(shown)\" may not be set")
    }

    static func appendLine(name: Span<UInt8>, value: Span<UInt8>, to buffer: inout ContiguousArray<UInt8>) {
        buffer.append(copying: name)
        append(": ", to: &buffer)
        buffer.append(copying: value)
        appendLineBreak(to: &buffer)
    }

    static func appendLineBreak(to buffer: inout ContiguousArray<UInt8>) {
        append("\r\n", to: &buffer)
    }

    /// Throws if a field declares encoded content (RFC 7578 §4.7), which receivers of forms need not decode.
    static func checkTransferEncoding(_ field: FieldRanges, of bytes: Span<UInt8>) throws(MultipartError) {
        guard ASCII.matches(bytes, field.name, "content-transfer-encoding") else { return }
        guard isIdentity(field.value, bytes) else {
            throw MultipartError(ErrorCode.forbiddenHeader, "Content-Transfer-Encoding is not 7bit, 8bit or binary")
        }
    }

    /// Whether a transfer encoding leaves the content's bytes unchanged (RFC 2045 §6.2).
    static func isIdentity(_ encoding: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        ASCII.matches(bytes, encoding, "binary") || ASCII.matches(bytes, encoding, "8bit")
            || ASCII.matches(bytes, encoding, "7bit")
    }

    /// Whether a field's value may contain `byte`: ASCII other than control characters.
    private static func isPrintable(_ byte: UInt8) -> Bool {
        byte < 0x80 && !ASCII.isControl(byte)
    }

    /// Appends text with HTML's escapes for LF, CR and the quote. If `normalizingNewlines`, as for the name of a field,
    /// each lone CR or LF first becomes CR LF.
    ///
    /// - Returns: The range of the appended bytes. It is as long as the text if nothing was escaped.
    /// - Throws: ``MultipartError`` for another control character, and for a run of combining marks that exceeds
    ///   ``CombiningMarks/limit``, because receivers with that limit would refuse it.
    private static func append(
        escaping text: String,
        normalizingNewlines: Bool,
        to buffer: inout ContiguousArray<UInt8>
    ) throws(MultipartError) -> Range<Int> {
        let start = buffer.count
        try appendEscaped(text, normalizingNewlines, to: &buffer)
        guard !CombiningMarks.exceedLimit(buffer.span.extracting(start...)) else {
            throw MultipartError(ErrorCode.tooManyCombiningMarks)
        }
        return start..<buffer.count
    }

    private static func appendEscaped(
        _ text: String,
        _ normalizingNewlines: Bool,
        to buffer: inout ContiguousArray<UInt8>
    ) throws(MultipartError) {
        // Most names need no escape and are copied whole.
        let start = buffer.count
        buffer.append(contentsOf: text.utf8)
        var index = start
        while index < buffer.count, !ASCII.isControl(buffer[index]), buffer[index] != ASCII.quote { index += 1 }
        guard index < buffer.count else { return }
        buffer.removeSubrange(index...)

        let rest = text.utf8.dropFirst(index - start)
        for byte in normalizingNewlines ? ASCII.normalizingLineBreaks(rest) : Array(rest) {
            switch byte {
            case ASCII.lineFeed:
                append("%0A", to: &buffer)
            case ASCII.carriageReturn:
                append("%0D", to: &buffer)
            case ASCII.quote:
                append("%22", to: &buffer)
            default:
                guard !ASCII.isControl(byte) else {
                    let text = normalizingNewlines ? "name" : "file name"
                    throw MultipartError(
                        ErrorCode.invalidCharacter,
                        "\(text) has a control character, \(byte.printable)"
                    )
                }
                buffer.append(byte)
            }
        }
    }

    private static func append(_ text: StaticString, to buffer: inout ContiguousArray<UInt8>) {
        // SAFETY: a StaticString's bytes are never freed.
        unsafe buffer.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}

extension HeaderWriter {
    private static let fieldHead: StaticString = "Content-Disposition: form-data; name=\""
    private static let fieldTail: StaticString = "\"\r\n\r\n"

    /// The name's range in a field's section, given its length in bytes; only for names that need no escape.
    static func nameRange(length: Int) -> Range<Int> {
        fieldHead.utf8CodeUnitCount..<fieldHead.utf8CodeUnitCount + length
    }

    /// Appends the section of a field and its content in one step. Returns false, and appends nothing, if the name has
    /// a byte beyond ASCII or one that may need an escape.
    ///
    /// Takes a third of the time of ``write(_:_:isSection:to:)`` (benchmark `programs`, `append`).
    static func appendField(
        name: Span<UInt8>,
        content: Span<UInt8>,
        to buffer: inout ContiguousArray<UInt8>
    ) -> Bool {
        guard ASCII.endOfPlainQuotedText(name, from: 0, isASCII: true) == name.count else { return false }
        let nameRange = nameRange(length: name.count)
        let contentStart = nameRange.upperBound + fieldTail.utf8CodeUnitCount
        // SAFETY: the pieces together are as long as the memory, and each is copied to its own range.
        unsafe withUnsafeTemporaryAllocation(byteCount: contentStart + content.count, alignment: 1) { memory in
            guard let start = memory.baseAddress else { return }
            unsafe start.copy(fieldHead)
            unsafe name.withUnsafeBytes { unsafe (start + nameRange.lowerBound).copy($0) }
            unsafe (start + nameRange.upperBound).copy(fieldTail)
            unsafe content.withUnsafeBytes { unsafe (start + contentStart).copy($0) }
            unsafe buffer.append(contentsOf: memory)
        }
        return true
    }
}

extension UnsafeMutableRawPointer {
    fileprivate func copy(_ text: StaticString) {
        // SAFETY: the caller has room for the bytes, which are never freed.
        unsafe copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
    }
}
