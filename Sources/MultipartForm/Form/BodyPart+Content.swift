public import Foundation

extension BodyPart {
    /// The whole content in memory, where it is short or a library takes only `Data`.
    ///
    /// Bytes in memory are not copied; a file or stream is read whole. A stream that can be read only once is consumed.
    ///
    /// - Throws: ``MultipartError`` if the content cannot be read, or does not have the length it declared.
    /// - Complexity: O(1) in memory, else O(*n*) in the length of the content.
    public func data() throws -> Data {
        try content.data(upTo: .max) ?? Data()
    }

    /// The content as text; nil if its bytes are not valid in the character set, or the set is unknown.
    ///
    /// The character set is that of the part's Content-Type, else the default (RFC 7578 §4.5, §4.6). UTF-8, US-ASCII,
    /// ISO-8859-1, windows-1252 and the UTF-16 and UTF-32 forms are known.
    ///
    /// - Parameter defaultCharset: The character set of a part that does not specify one, such as the value of a form's
    ///   `_charset_` field.
    /// - Returns: The text with its line breaks unchanged. A byte order mark is kept, except in `utf-16` and `utf-32`,
    ///   where it determines the byte order.
    /// - Throws: ``MultipartError`` if the content cannot be read.
    /// - Complexity: O(*n*) in the length of the content.
    public func text(defaultCharset: String = "utf-8") throws -> String? {
        let charset = charset ?? defaultCharset
        // Nearly all text is in memory and in UTF-8, and needs no `Data`.
        if Self.isUTF8(charset), let text = content.withBytesInMemory({ String(validating: $0) }) { return text }
        return Self.text(of: try data(), charset: charset)
    }

    /// Decodes text; nil if the bytes are not valid in the character set, or it is unknown.
    static func text(of data: Data, charset: String) -> String? {
        guard !isUTF8(charset) else { return String(validating: data.span) }
        // A name in ASCII is hashed and compared in linear time, unlike one with many combining marks.
        guard charset.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let charset = charset.lowercased()
        guard let encoding = encodings[charset] else { return nil }
        // Foundation silently drops an incomplete code unit.
        guard data.count.isMultiple(of: codeUnitLength(charset)) else { return nil }
        return String(data: data, encoding: encoding)
    }

    /// The length of a code unit in bytes; the character set's name is in lower case.
    private static func codeUnitLength(_ charset: String) -> Int {
        if charset.hasPrefix("utf-16") { return 2 }
        if charset.hasPrefix("utf-32") { return 4 }
        return 1
    }

    /// Whether a character set is UTF-8, letter case ignored.
    static func isUTF8(_ charset: String) -> Bool {
        let bytes = charset.utf8
        guard bytes.count == 4 || bytes.count == 5 else { return false }
        var charset = charset
        // SAFETY: the bytes are read inside the closure only.
        return charset.withUTF8 { bytes in
            let bytes = unsafe bytes.span
            return ASCII.matches(bytes, bytes.indices, "utf-8") || ASCII.matches(bytes, bytes.indices, "utf8")
        }
    }

    /// The charset parameter of the Content-Type (RFC 7578 §4.5), as ``text(defaultCharset:)`` uses it; nil for none.
    public var charset: String? {
        contentType.flatMap(Self.charset)
    }

    static func charset(of contentType: String) -> String? {
        let bytes = ContiguousArray(contentType.utf8)
        let span = bytes.span
        guard let start = bytes.firstIndex(of: ASCII.semicolon) else { return nil }
        var parameters = Parameters(field: .contentType, mode: .lenient, position: start)
        while let parameter = try? parameters.next(in: span) {
            guard let value = parameter.value, ASCII.matches(span, parameter.name, "charset") else { continue }
            let bytes = Parameters.unescape(span, value, hasEscapes: parameter.hasEscapes, everyPair: true)
            return String(decoding: bytes, as: UTF8.self)
        }
        return nil
    }

    private static let encodings: [String: String.Encoding] = [
        "us-ascii": .ascii, "ascii": .ascii, "iso-8859-1": .isoLatin1,
        "latin1": .isoLatin1, "windows-1252": .windowsCP1252, "cp1252": .windowsCP1252, "utf-16": .utf16,
        "utf-16le": .utf16LittleEndian, "utf-16be": .utf16BigEndian, "utf-32": .utf32,
        "utf-32le": .utf32LittleEndian, "utf-32be": .utf32BigEndian,
    ]
}

extension BodyContent {
    /// The whole content in memory; nil if it is longer than a limit, without reading it if its length is known.
    func data(upTo limit: UInt64) throws(MultipartError) -> Data? {
        if let length, length > limit { return nil }
        if let dataInMemory { return dataInMemory }
        var reader = try ContentReader(self)
        let scratch = ScratchBuffer(count: 256 * 1024)
        var result = Data()
        // Not all of a stream that has no end.
        while UInt64(result.count) <= limit {
            // SAFETY: the buffer is used during the call.
            let count = unsafe try reader.next(through: scratch.bytes) { bytes, _ throws(MultipartError) in
                result.append(copying: bytes)
            }
            guard count > 0 else { return result }
        }
        return nil
    }
}
