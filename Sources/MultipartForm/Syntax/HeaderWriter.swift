/// Writes a part's header section (RFC 7578 §4.2, HTML §4.10.22.8).
///
/// - Input: a name, a file name, a media type, extra fields.
/// - Output: their lines and the blank line, appended to a buffer, which after an error holds some of the section.
/// - Invariant: no input can end a quoted string, a line or the section.
/// - Cost: linear in the bytes written.
enum HeaderWriter {
    /// Appends a header section; if `extra` is a whole one, its Content-Length is kept, and its Content-Disposition and
    /// Content-Type are left out because they are written anew.
    static func write(
        _ name: String?,
        _ filename: String?,
        _ contentType: String?,
        extra: HeaderFields,
        isSection: Bool,
        to buffer: inout ContiguousArray<UInt8>
    ) throws(MultipartError) {
        append("Content-Disposition: ", to: &buffer)
        try writeDisposition(name, filename, to: &buffer)
        append("\r\n", to: &buffer)
        if let contentType = contentType ?? (filename == nil ? nil : "application/octet-stream") {
            guard !contentType.isEmpty, contentType.utf8.allSatisfy(isPrintable) else {
                throw MultipartError(.invalidHeaderValue)
            }
            append("Content-Type: ", to: &buffer)
            buffer.append(contentsOf: contentType.utf8)
            append("\r\n", to: &buffer)
        }
        try extra.text.read { places, bytes throws(MultipartError) in
            for index in places.indices { try append(places[index], of: bytes, isSection, to: &buffer) }
        }
        append("\r\n", to: &buffer)
    }

    static func writeDisposition(
        _ name: String?,
        _ filename: String?,
        to buffer: inout ContiguousArray<UInt8>
    ) throws(MultipartError) {
        guard let name else { throw MultipartError(.missingName) }
        append("form-data; name=\"", to: &buffer)
        try append(escaping: name, normalizingNewlines: true, to: &buffer)
        if let filename {
            append("\"; filename=\"", to: &buffer)
            try append(escaping: filename, normalizingNewlines: false, to: &buffer)
        }
        buffer.append(ASCII.quote)
    }

    /// Appends an extra field; the caller may not set those that identify or frame the part.
    private static func append(
        _ place: FieldPlace,
        of bytes: Span<UInt8>,
        _ isSection: Bool,
        to buffer: inout ContiguousArray<UInt8>
    ) throws(MultipartError) {
        // Fields may be adjacent, so the scan must end with the name.
        let name = bytes.extracting(place.name)
        guard !name.isEmpty, ASCII.endOfToken(name, from: 0) == name.count else {
            throw MultipartError(.invalidHeaderName)
        }
        if ASCII.matches(bytes, place.name, "content-disposition") || ASCII.matches(bytes, place.name, "content-type") {
            guard isSection else { throw MultipartError(.forbiddenHeader) }
            return
        }
        // Some receivers frame the part by it, although RFC 7578 §4.8 says to ignore it.
        if !isSection, ASCII.matches(bytes, place.name, "content-length") { throw MultipartError(.forbiddenHeader) }
        if ASCII.matches(bytes, place.name, "content-transfer-encoding") {
            let identities: [StaticString] = ["7bit", "8bit", "binary"]
            let isIdentity = identities.contains { ASCII.matches(bytes, place.value, $0) }
            guard isIdentity else { throw MultipartError(.forbiddenHeader) }
        }
        buffer.append(copying: name)
        append(": ", to: &buffer)
        let value = bytes.extracting(place.value)
        guard value.indices.allSatisfy({ isPrintable(value[$0]) }) else { throw MultipartError(.invalidHeaderValue) }
        buffer.append(copying: value)
        append("\r\n", to: &buffer)
    }

    /// Whether a field's value may have the byte: ASCII other than control characters.
    @inline(__always)
    private static func isPrintable(_ byte: UInt8) -> Bool {
        byte < 0x80 && !ASCII.isControl(byte)
    }

    /// Appends text with HTML's escapes for LF, CR and the quote; in a field's name each lone CR or LF becomes CR LF.
    private static func append(
        escaping text: String,
        normalizingNewlines: Bool,
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
        for byte in normalizingNewlines ? NewlineNormalizer.normalized(rest) : Array(rest) {
            switch byte {
            case ASCII.lineFeed:
                append("%0A", to: &buffer)
            case ASCII.carriageReturn:
                append("%0D", to: &buffer)
            case ASCII.quote:
                append("%22", to: &buffer)
            default:
                guard !ASCII.isControl(byte) else { throw MultipartError(.invalidCharacter) }
                buffer.append(byte)
            }
        }
    }

    private static func append(_ text: StaticString, to buffer: inout ContiguousArray<UInt8>) {
        // SAFETY: a StaticString's bytes are never freed.
        unsafe buffer.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
