public import Foundation

extension BodyPart {
    /// The whole content in memory, where it is short or a library takes only `Data`.
    ///
    /// Bytes in memory are not copied; a file or stream is read whole. A stream that can be read only once is consumed.
    ///
    /// - Throws: ``MultipartError`` if the content cannot be read, or does not have the length it declared.
    /// - Complexity: O(1) in memory, else O(*n*) in the length of the content.
    public func data() throws(MultipartError) -> Data {
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
    public func text(defaultCharset: String = "utf-8") throws(MultipartError) -> String? {
        Self.text(of: try data(), charset: charset ?? defaultCharset)
    }

    /// Decodes text; nil if the bytes are not valid in the character set, or it is unknown.
    static func text(of data: Data, charset: String) -> String? {
        let charset = charset.lowercased()
        guard let encoding = encodings[charset] else { return nil }
        // Foundation silently drops an incomplete code unit.
        let unit = charset.hasPrefix("utf-16") ? 2 : charset.hasPrefix("utf-32") ? 4 : 1
        guard data.count.isMultiple(of: unit) else { return nil }
        guard encoding == .utf8 else { return String(data: data, encoding: encoding) }
        return String.isUTF8(data.span) ? String(decoding: data, as: UTF8.self) : nil
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
        "utf-8": .utf8, "utf8": .utf8, "us-ascii": .ascii, "ascii": .ascii, "iso-8859-1": .isoLatin1,
        "latin1": .isoLatin1, "windows-1252": .windowsCP1252, "cp1252": .windowsCP1252, "utf-16": .utf16,
        "utf-16le": .utf16LittleEndian, "utf-16be": .utf16BigEndian, "utf-32": .utf32,
        "utf-32le": .utf32LittleEndian, "utf-32be": .utf32BigEndian,
    ]
}

extension BodyContent {
    /// The whole content in memory; nil if it is longer than a limit, without reading it if its length is known.
    func data(upTo limit: UInt64) throws(MultipartError) -> Data? {
        if let length, length > limit { return nil }
        if case .data(let data) = self { return data }
        var reader = try ContentReader(self)
        let scratch = ScratchBuffer(count: 256 * 1024)
        var result = Data()
        // Not all of a stream that has no end.
        while UInt64(result.count) <= limit {
            // SAFETY: the bytes are copied inside the closures.
            let count = unsafe try reader.next(through: scratch.bytes) { bytes, _ throws(MultipartError) in
                unsafe bytes.withUnsafeBufferPointer { unsafe result.append($0) }
            }
            guard count > 0 else { return result }
        }
        return nil
    }
}
