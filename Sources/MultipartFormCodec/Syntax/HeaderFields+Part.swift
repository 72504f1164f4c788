// Properties of a part that are in its header fields: the name, the file name, the type and the charset.
extension HeaderFields {
    /// The name of the form's field (RFC 7578 §4.2); nil if no name was sent.
    ///
    /// A received name may differ from the field's name in the client's form:
    /// - Browsers and this library's encoder escape CR, LF and quotes as `%0D`, `%0A` and `%22` (HTML §4.10.22.8). They
    ///   do not escape percent signs.
    /// - The parser does not decode `%22`, because a user may have typed these three characters.
    /// - In lenient mode, the parser reads `\\` as one backslash.
    ///
    /// Strict mode refuses a name with a backslash.
    ///
    /// - Complexity: O(*n*) in the length of the name.
    public var name: String? {
        withLayout { $0.name.text(in: $1) } ?? nil
    }

    /// The file name as it was sent; nil for a part that is not a file. Never use a received file name as a path.
    ///
    /// - Complexity: O(*n*) in the length of the file name.
    public var filename: String? {
        withLayout { $0.filename.text(in: $1) } ?? nil
    }

    /// A file name that is safe to join to a directory's path, made from ``filename``; nil if no usable name remains.
    ///
    /// The name is made in these steps (RFC 7578 §4.2):
    /// 1. Takes the text after the last `/` or `\`.
    /// 2. Removes control characters, line separators, paragraph separators and Unicode's `Bidi_Control` characters. A
    ///    `Bidi_Control` character changes the reading direction, and can make `invoice\u{202E}fdp.exe` appear as
    ///    `invoiceexe.pdf`.
    /// 3. Shortens the name to at most 255 bytes of UTF-8 by removing whole characters (extended grapheme clusters)
    ///    before the extension. An extension of more than 32 bytes, including its dot, is shortened like the rest of
    ///    the name. The result is nil if the first character alone is too long.
    /// 4. Refuses an empty name, `.` and `..`.
    ///
    /// The caller must handle names that a file system reserves, and names that differ only in letter case or Unicode
    /// form.
    ///
    /// - Complexity: O(*n*) in the length of the file name.
    public var safeFilename: String? {
        filename.flatMap(SafeFilename.make)
    }

    /// The value of the last Content-Type field as it was sent; nil if there is no Content-Type field.
    ///
    /// A part without a Content-Type is text/plain (RFC 7578 §4.4).
    ///
    /// - Complexity: O(*n*) in the number of fields and the length of the value.
    public var contentType: String? {
        // Faster than `self["Content-Type"]`, because `isFieldName` first compares the name with `Content-Type`, eight
        // bytes at a time.
        last(
            where: { ASCII.isFieldName($1, $0.name, usual: "Content-Type", lowercase: "content-type") },
            { String(repairing: $0) }
        )
    }

    /// The charset parameter of the ``contentType`` (RFC 7578 §4.5); nil if there is no charset parameter.
    ///
    /// ``BodyPart/text(defaultCharset:)`` decodes the part's content in this charset.
    ///
    /// - Complexity: O(*n*) in the number of fields and the length of the value.
    package var charset: String? {
        contentType.flatMap(Self.charset)
    }

    /// Returns the charset parameter of a media type; nil if there is no charset parameter.
    static func charset(of contentType: String) -> String? {
        let bytes = ContiguousArray(contentType.utf8)
        let span = bytes.span
        guard let start = bytes.firstIndex(of: ASCII.semicolon) else { return nil }
        var parameters = Parameters(field: .contentType, position: start)
        while let parameter = try? parameters.next(in: span) {
            guard let value = parameter.value, ASCII.matches(span, parameter.name, "charset") else { continue }
            let bytes = Parameters.unescape(span, value, hasEscapes: parameter.hasEscapes, everyPair: true)
            return String(decoding: bytes, as: UTF8.self)
        }
        return nil
    }

    /// The part's name, file name and type.
    var identity: HeaderWriter.PartLabel {
        HeaderWriter.PartLabel(name: name, filename: filename, contentType: contentType)
    }

    /// Whether the part has a ``filename``. Does not decode the file name.
    var hasFilename: Bool {
        withLayout { layout, _ in layout.filename.exists } ?? false
    }

    /// The value of the last Content-Disposition field; nil if the field is missing or malformed.
    ///
    /// Each access parses the value again, in lenient mode.
    package var contentDisposition: ContentDisposition? {
        lastDisposition { try? ContentDisposition($0, 0..<$0.count) } ?? nil
    }

    /// Calls `body` with the ranges of the part's name and file name, and with the bytes to which the ranges refer.
    /// Returns the result of `body`.
    ///
    /// If no ranges are stored, scans the last Content-Disposition field for the name and the file name. Returns nil if
    /// that field is missing, malformed, or too long for any header section.
    private func withLayout<Result>(_ body: (SectionLayout, Span<UInt8>) -> Result) -> Result? {
        if let layout = storage.layout { return storage.read { body(layout, $1) } }
        return lastDisposition { value in
            // Ignores a value that is too long for any header section.
            guard value.count <= HeaderWriter.maxSectionLength,
                let disposition = try? DispositionLayout(value, 0..<value.count)
            else { return nil }
            return body(SectionLayout(disposition, contentType: nil, lines: .raw), value)
        } ?? nil
    }

    private func lastDisposition<Result>(_ body: (Span<UInt8>) -> Result) -> Result? {
        last(
            where: { ASCII.isFieldName($1, $0.name, usual: "Content-Disposition", lowercase: "content-disposition") },
            body
        )
    }
}
