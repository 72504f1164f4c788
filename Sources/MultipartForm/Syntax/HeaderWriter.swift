/// Writes a part's header section (RFC 7578 §4.2, HTML §4.10.22.8).
///
/// - Input: a name, a file name, a media type, extra fields.
/// - Output: their lines and the blank line, appended to a buffer.
/// - Invariant: nothing a caller passes can end a quoted string, a line or the section.
/// - Cost: linear in the bytes written.
package struct HeaderWriter {
    /// Appends the header section of a part.
    ///
    /// - Parameters:
    ///   - name: The name of the form's field.
    ///   - filename: The file name; nil for a part that is not a file.
    ///   - contentType: The media type; a file without one gets application/octet-stream.
    ///   - extra: Further fields, written as they are.
    ///   - isSection: Whether they are a whole section: its Content-Length is passed on, and its Content-Disposition and
    ///     Content-Type, which are written anew, are left out.
    ///   - buffer: Where to append.
    /// - Throws: ``MultipartError`` without its part; the buffer then holds some of the section.
    package static func write(
        name: String?,
        filename: String?,
        contentType: String?,
        extra: HeaderFields,
        isSection: Bool = false,
        to buffer: inout [UInt8]
    ) throws(MultipartError) {
        append("Content-Disposition: ", to: &buffer)
        try writeDisposition(name: name, filename: filename, to: &buffer)
        append("\r\n", to: &buffer)
        if let contentType = contentType ?? (filename == nil ? nil : "application/octet-stream") {
            guard !contentType.isEmpty else { throw MultipartError(.invalidHeaderValue) }
            append("Content-Type: ", to: &buffer)
            guard contentType.utf8.allSatisfy(isPrintable) else { throw MultipartError(.invalidHeaderValue) }
            buffer.append(contentsOf: contentType.utf8)
            append("\r\n", to: &buffer)
        }
        try extra.text.read { places, bytes throws(MultipartError) in
            for index in places.indices { try append(places[index], of: bytes, isSection, to: &buffer) }
        }
        append("\r\n", to: &buffer)
    }

    /// Appends the value of a Content-Disposition field.
    package static func writeDisposition(
        name: String?,
        filename: String?,
        to buffer: inout [UInt8]
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

    /// Appends an extra field; the fields that identify or frame a part are not among those of a caller.
    private static func append(
        _ place: FieldPlace,
        of bytes: Span<UInt8>,
        _ isSection: Bool,
        to buffer: inout [UInt8]
    ) throws(MultipartError) {
        // The fields may stand without anything between: a name must not be scanned beyond its end.
        let name = bytes.extracting(place.name)
        guard !name.isEmpty, ASCII.endOfToken(name, from: 0) == name.count else {
            throw MultipartError(.invalidHeaderName)
        }
        if ASCII.matches(bytes, place.name, "content-disposition") || ASCII.matches(bytes, place.name, "content-type") {
            guard isSection else { throw MultipartError(.forbiddenHeader) }
            return
        }
        // Some receivers frame the part by it (RFC 7578 §4.8 tells them to ignore it).
        if !isSection, ASCII.matches(bytes, place.name, "content-length") { throw MultipartError(.forbiddenHeader) }
        if ASCII.matches(bytes, place.name, "content-transfer-encoding") {
            let isIdentity =
                ASCII.matches(bytes, place.value, "7bit") || ASCII.matches(bytes, place.value, "8bit")
                || ASCII.matches(bytes, place.value, "binary")
            guard isIdentity else { throw MultipartError(.forbiddenHeader) }
        }
        buffer.append(copying: name)
        append(": ", to: &buffer)
        let value = bytes.extracting(place.value)
        for index in value.indices {
            guard isPrintable(value[index]) else { throw MultipartError(.invalidHeaderValue) }
        }
        buffer.append(copying: value)
        append("\r\n", to: &buffer)
    }

    /// A byte of a field's value: ASCII without controls.
    @inline(__always)
    private static func isPrintable(_ byte: UInt8) -> Bool {
        byte < 0x80 && !ASCII.isControl(byte)
    }

    /// Appends a quoted string's text with HTML's three escapes: LF, CR and the quote, and no others.
    ///
    /// In field names a lone CR or LF first becomes CR LF.
    private static func append(
        escaping text: String,
        normalizingNewlines: Bool,
        to buffer: inout [UInt8]
    ) throws(MultipartError) {
        // Most names need no escape: they are copied whole.
        let start = buffer.count
        buffer.append(contentsOf: text.utf8)
        var index = start
        while index < buffer.count, isPlain(buffer[index]) { index += 1 }
        guard index < buffer.count else { return }
        buffer.removeSubrange(index...)

        var previous: UInt8 = 0
        for byte in text.utf8.dropFirst(index - start) {
            switch byte {
            case ASCII.lineFeed where normalizingNewlines && previous == ASCII.carriageReturn:
                break
            case ASCII.lineFeed where normalizingNewlines, ASCII.carriageReturn where normalizingNewlines:
                append("%0D%0A", to: &buffer)
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
            previous = byte
        }
    }

    /// A byte that stands for itself in a quoted string.
    @inline(__always)
    private static func isPlain(_ byte: UInt8) -> Bool {
        (byte >= 0x20 && byte != ASCII.quote && byte != 0x7F) || byte == ASCII.tab
    }

    private static func append(_ text: StaticString, to buffer: inout [UInt8]) {
        // SAFETY: a StaticString's bytes live for ever.
        unsafe buffer.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
