#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

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

    /// The content as text.
    ///
    /// The character set is that of the part's Content-Type, else the default (RFC 7578 §4.5, §4.6). UTF-8, US-ASCII,
    /// ISO-8859-1, windows-1252 and the forms of UTF-16 are known.
    ///
    /// - Parameter defaultCharset: The character set of a part that does not specify one, such as the value of a form's
    ///   `_charset_` field.
    /// - Returns: The text with its line breaks unchanged. A byte order mark is kept, except in `utf-16`, where it
    ///   determines the byte order.
    /// - Throws: ``MultipartError/Code/undecodableText`` if the content is not valid in the character set, or that is
    ///   unknown; else ``MultipartError`` if the content cannot be read.
    /// - Complexity: O(*n*) in the length of the content.
    public func text(defaultCharset: String = "utf-8") throws -> String {
        let charset = try Charset.named(contentType.flatMap(HeaderFields.charset), default: defaultCharset)
        // Nearly all text is in memory, and needs no `Data`.
        let decoded = content.withBytesInMemory { charset?.decode($0) ?? .invalid(offset: 0) }
        switch try decoded ?? charset?.decode(data().span) ?? .invalid(offset: 0) {
        case .text(let text): return text
        case .invalid(let offset): throw MultipartError(.undecodableText, offset: UInt64(offset), partName: name)
        }
    }
}

extension Charset {
    /// The character set that a part names, or else the program; nil if the part's is unknown. Fails if the program's is.
    static func named(_ name: String?, default program: String) throws(MultipartError) -> Charset? {
        if let name { return Charset(named: name) }
        if let charset = Charset(named: program) { return charset }
        throw MultipartError(.undecodableText, "default charset \"\(program.printable(upTo: 64))\" is unknown")
    }
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
