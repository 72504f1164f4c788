// Reads the text of a part.
extension Charset {
    /// Decodes the content of a part in the named character set.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - name: The name of the character set; nil if the part does not name one.
    ///   - defaultName: The name of the character set to use if `name` is nil.
    ///   - start: The offset of the content in the received message. An error then has an offset in the message. If
    ///     `start` is 0, an error has an offset in the content.
    ///   - partIndex: The index of the part.
    ///   - partName: The name of the part.
    /// - Returns: The text.
    /// - Throws: ``MultipartError/Code/undecodableText``.
    static func text(
        _ bytes: Span<UInt8>,
        as name: String?,
        default defaultName: String,
        from start: UInt64 = 0,
        partIndex: Int? = nil,
        partName: String?
    ) throws(MultipartError) -> String {
        guard name != nil || Charset(named: defaultName) != nil else {
            throw MultipartError(.undecodableText, "default charset \"\(defaultName.printable(upTo: 64))\" is unknown")
        }
        let name = name ?? defaultName
        let (offset, reason): (Int, String?)
        switch decode(bytes, as: name) {
        case .text(let text): return text
        case .invalid(let position): (offset, reason) = (position, nil)
        case .unknown(let position): (offset, reason) = (position, unknownReason(name))
        }
        throw MultipartError(
            .undecodableText,
            reason,
            offset: start + UInt64(offset),
            partIndex: partIndex,
            partName: partName
        )
    }

    /// The reason, in words, of an error about an unknown character set.
    static func unknownReason(_ name: String) -> String { "character set \"\(name.printable(upTo: 64))\" is unknown" }
}
