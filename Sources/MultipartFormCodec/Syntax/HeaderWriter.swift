/// Writes a part's header section (RFC 7578 §4.2, HTML §4.10.22.8).
///
/// - Input: a name, a file name, a media type and additional fields.
/// - Output: the header lines and the blank line, appended to a buffer. A ``SectionLayout`` gives the ranges of the
///   name, the file name and the type.
/// - Invariant: no text in the input can end a quoted string, a line or the section. If a section cannot be written,
///   the buffer stays unchanged.
/// - Cost: linear in the bytes written.
enum HeaderWriter {
    /// The name, the file name and the media type of a part.
    struct PartLabel {
        let name: String?
        let filename: String?
        /// The media type that was received or given by the program; nil if there is none.
        let contentType: String?

        /// The media type to send; nil if no Content-Type is sent. A file without a type gets one by its name.
        var sentContentType: String? { contentType ?? filename.map(MediaType.ofFile) }
    }

    /// The maximum length of a section in bytes, including the unescaped name and file name that may follow the
    /// section.
    static let maxSectionLength = Int(Int32.max)

    /// Appends a header section. If the name or the file name is escaped in the section, appends the unescaped text
    /// after the section.
    ///
    /// If `isSection` is true, `additionalHeaders` has all header fields of a part. Their Content-Disposition and
    /// Content-Type are then omitted.
    ///
    /// - Returns: The length of the section in bytes, and the ranges of the unescaped name, file name and type.
    static func write(
        _ identity: PartLabel,
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
        _ identity: PartLabel,
        _ additionalHeaders: HeaderFields,
        isSection: Bool,
        from start: Int,
        to buffer: inout ContiguousArray<UInt8>
    ) throws(MultipartError) -> (length: Int, SectionLayout) {
        append("Content-Disposition: ", to: &buffer)
        let (name, filename) = try writeDisposition(name: identity.name, filename: identity.filename, to: &buffer)
        appendLineBreak(to: &buffer)
        let sentContentType = identity.sentContentType
        let isGiven = !isSection && identity.contentType != nil
        let contentType = try sentContentType.map { type throws(MultipartError) in
            try writeContentType(type, isGiven: isGiven, to: &buffer)
        }
        let lines = try write(additionalHeaders, isSection, to: &buffer)
        appendLineBreak(to: &buffer)
        let length = buffer.count - start
        func range(of text: String?, _ written: Range<Int>?) -> TextRange {
            guard let text else { return .none }
            if let written, written.count == text.utf8.count {
                return TextRange(written.lowerBound - start..<written.upperBound - start)
            }
            // The text in the section is longer than `text`, because it is escaped. Appends the unescaped text.
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
            contentType: range(of: sentContentType, contentType),
            lines: lines
        )
        return (length, layout)
    }

    /// Appends a Content-Type line, and returns the range of its value. If `isGiven` is true, the program has set the
    /// type, and the type must have the form type/subtype.
    private static func writeContentType(
        _ type: String,
        isGiven: Bool,
        to buffer: inout ContiguousArray<UInt8>
    ) throws(MultipartError) -> Range<Int> {
        guard !type.isEmpty else { throw MultipartError(ErrorCode.invalidHeaderValue, "media type is empty") }
        guard type.utf8.allSatisfy(isPrintable) else {
            throw MultipartError(ErrorCode.invalidHeaderValue, "media type is not printable ASCII")
        }
        append("Content-Type: ", to: &buffer)
        let start = buffer.count
        buffer.append(contentsOf: type.utf8)
        let end = buffer.count
        guard !isGiven || isMediaType(buffer.span.extracting(start..<end)) else {
            let shown = type.printable(upTo: 64)
            throw MultipartError(ErrorCode.invalidHeaderValue, "media type \"\(shown)\" is not type/subtype")
        }
        appendLineBreak(to: &buffer)
        return start..<end
    }

    /// Whether a text has the form `type "/" subtype *( OWS ";" OWS [ name "=" value ] )` (RFC 9110 §8.3.1).
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

    /// Appends fields to the section in `buffer`. The section already has a Content-Disposition and perhaps a
    /// Content-Type.
    ///
    /// If `isSection` is true, `fields` are all fields of a part, and the method omits their Content-Disposition and
    /// Content-Type. If `isSection` is false, the method throws if `fields` have a Content-Disposition or a
    /// Content-Type.
    ///
    /// Returns ``SectionLayout/Lines/canonical`` if a line begins with a hyphen; otherwise
    /// ``SectionLayout/Lines/sendable``.
    private static func write(
        _ fields: HeaderFields,
        _ isSection: Bool,
        to buffer: inout ContiguousArray<UInt8>
    ) throws(MultipartError) -> SectionLayout.Lines {
        var lines = SectionLayout.Lines.sendable
        try fields.storage.read { fields, bytes throws(MultipartError) in
            for index in fields.indices {
                try append(fields[index], of: bytes, isSection, to: &buffer)
                // A line that begins with a hyphen may begin with the dash-boundary, so the encoder must check the
                // line.
                if bytes[fields[index].name.lowerBound] == ASCII.hyphen { lines = .canonical }
            }
        }
        return lines
    }

    /// Returns the fields of a part whose section cannot be written. Omits Content-Disposition if the name or the file
    /// name cannot be written.
    static func fields(_ identity: PartLabel, _ additionalHeaders: HeaderFields) -> HeaderFields {
        var fields = HeaderFields()
        var value: ContiguousArray<UInt8> = []
        if (try? writeDisposition(name: identity.name, filename: identity.filename, to: &value)) != nil {
            fields.append(HeaderField(name: "Content-Disposition", value: String(decoding: value, as: UTF8.self)))
        }
        if let type = identity.sentContentType { fields.append(HeaderField(name: "Content-Type", value: type)) }
        for field in additionalHeaders { fields.append(field) }
        return fields
    }

    /// Appends the value of a Content-Disposition. Returns the ranges of the name and the file name in the buffer.
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

    /// Appends an additional field. Throws if the encoder must not send the field.
    ///
    /// The method never appends a Content-Disposition or a Content-Type, because another method writes these fields. If
    /// `isSection` is true, the method skips such a field. If `isSection` is false, it throws for such a field.
    private static func append(
        _ field: FieldRanges,
        of bytes: Span<UInt8>,
        _ isSection: Bool,
        to buffer: inout ContiguousArray<UInt8>
    ) throws(MultipartError) {
        // `endOfToken` must search only the name, because the value may directly follow the name in `bytes`.
        let name = bytes.extracting(field.name)
        guard !name.isEmpty, ASCII.endOfToken(name, from: 0) == name.count else {
            let shown = String(repairing: name).printable(upTo: 64)
            throw MultipartError(ErrorCode.invalidHeaderName, "header name \"\(shown)\" is not a token")
        }
        if ASCII.matches(bytes, field.name, "content-disposition") || ASCII.matches(bytes, field.name, "content-type") {
            guard isSection else { throw forbidden(name) }
            return
        }
        // Some receivers determine the end of a part by its Content-Length, although RFC 7578 §4.8 tells receivers to
        // ignore this field.
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

    /// Returns the error for a header field that the caller must not set.
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

    /// Throws if a field declares that the content is encoded. Receivers of forms need not decode such content (RFC
    /// 7578 §4.7).
    static func checkTransferEncoding(_ field: FieldRanges, of bytes: Span<UInt8>) throws(MultipartError) {
        guard ASCII.matches(bytes, field.name, "content-transfer-encoding") else { return }
        guard isUnencoded(field.value, bytes) else {
            throw MultipartError(ErrorCode.forbiddenHeader, "Content-Transfer-Encoding is not 7bit, 8bit or binary")
        }
    }

    /// Whether a transfer encoding leaves the content's bytes unchanged (RFC 2045 §6.2).
    static func isUnencoded(_ encoding: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        ASCII.matches(bytes, encoding, "binary") || ASCII.matches(bytes, encoding, "8bit")
            || ASCII.matches(bytes, encoding, "7bit")
    }

    /// Whether a field's value may contain `byte`: a printable ASCII character, SP or HTAB.
    private static func isPrintable(_ byte: UInt8) -> Bool {
        byte < 0x80 && !ASCII.isControl(byte)
    }

    /// Appends text with LF, CR and quotes escaped as in HTML (§4.10.22.8).
    ///
    /// If `normalizingNewlines` is true, as for the name of a field, the method first replaces each lone CR and each
    /// lone LF by CR LF.
    ///
    /// - Returns: The range of the appended bytes. If no byte was escaped, the range is as long as the text.
    /// - Throws: ``MultipartError`` if the text has a control character other than HTAB, CR and LF, or more combining
    ///   marks in a row than ``CombiningMarks/limit``. Receivers with this limit would refuse the text.
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
        // Copies the whole text first, because most names need no escape.
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
        // SAFETY: the bytes of a `StaticString` are never freed.
        unsafe buffer.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}

extension HeaderWriter {
    private static let fieldTail: StaticString = "\"\r\n\r\n"

    /// Appends the header section and the content of a field in one step, and returns true.
    ///
    /// If the name has a quote, a backslash, a control character or a byte outside ASCII, appends nothing and returns
    /// false.
    ///
    /// This method takes a third of the time of ``write(_:_:isSection:to:)`` (benchmark `programs append`).
    static func appendField(
        name: Span<UInt8>,
        content: Span<UInt8>,
        to buffer: inout ContiguousArray<UInt8>
    ) -> Bool {
        guard ASCII.endOfPlainQuotedText(name, from: 0, isASCII: true) == name.count else { return false }
        let nameRange = SectionLayout.nameRangeOfField(length: name.count)
        let contentStart = nameRange.upperBound + fieldTail.utf8CodeUnitCount
        // SAFETY: `memory` is as long as `headOfField`, `name`, `fieldTail` and `content` together. Each of the four is
        // copied to a separate range.
        unsafe withUnsafeTemporaryAllocation(byteCount: contentStart + content.count, alignment: 1) { memory in
            guard let start = memory.baseAddress else { return }
            unsafe start.copy(SectionLayout.headOfField)
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
        // SAFETY: the caller ensures that there is room for the bytes. The bytes of a `StaticString` are never freed.
        unsafe copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
    }
}
