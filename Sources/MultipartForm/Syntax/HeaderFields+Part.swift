// The properties of a part that its header fields determine: names, type and charset.
extension HeaderFields {
    /// The name of the form's field (RFC 7578 §4.2); nil when it was not sent.
    ///
    /// The encoder escapes names as browsers do: CR, LF and quotes become `%0D`, `%0A` and `%22`, and nothing else is
    /// escaped (HTML §4.10.22.8). A percent sign is not escaped, so the parser cannot tell a typed `%22` from an
    /// escape, and does not decode it. The parser reads `\\` as one backslash, so two backslashes in a row come back as
    /// one. Strict mode refuses any name with a backslash.
    ///
    /// - Complexity: O(*n*) in the length of the name.
    public var name: String? {
        withLayout { $0.name.text(in: $1) } ?? nil
    }

    /// The file name as it was sent; nil for a part that is not a file. Never use it as a path.
    ///
    /// - Complexity: O(*n*) in the length of the file name.
    public var filename: String? {
        withLayout { $0.filename.text(in: $1) } ?? nil
    }

    /// The last component of ``filename``, safe to join to a directory's path; nil if nothing usable is left.
    ///
    /// In this order (RFC 7578 §4.2):
    /// 1. Takes what follows the last `/` or `\`.
    /// 2. Drops control characters, line and paragraph separators, and the characters that change the reading direction
    ///    (Unicode's `Bidi_Control`), which make `invoice\u{202E}fdp.exe` appear as `invoiceexe.pdf`.
    /// 3. Cuts a name of more than 255 bytes of UTF-8 to at most 255, by removing whole characters (extended grapheme
    ///    clusters) at its end, or before its extension if the extension with its dot has at most 32 bytes. Nil if the
    ///    first character alone is too long.
    /// 4. Refuses an empty name, `.` and `..`.
    ///
    /// The caller handles names that a file system reserves, and names that differ only by letter case or Unicode form.
    ///
    /// - Complexity: O(*n*) in the length of the file name.
    public var safeFilename: String? {
        filename.flatMap(SafeFilename.make)
    }

    /// The value of Content-Type as it was sent, the last one if there are several; nil when there is none.
    ///
    /// A part without one is text/plain (RFC 7578 §4.4).
    ///
    /// - Complexity: O(*n*) in the number of fields and the length of the value.
    public var contentType: String? {
        // Faster than the subscript, because it first compares the usual spelling, by words.
        last(
            where: { ASCII.isFieldName($1, $0.name, usual: "Content-Type", lowercase: "content-type") },
            { String(repairing: $0) }
        )
    }

    /// The charset parameter of the ``contentType`` (RFC 7578 §4.5), which ``BodyPart/text(defaultCharset:)`` uses; nil
    /// if there is none.
    ///
    /// - Complexity: O(*n*) in the number of fields and the length of the value.
    package var charset: String? {
        contentType.flatMap(Self.charset)
    }

    /// The charset parameter of a media type; nil if there is none.
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
    var identity: HeaderWriter.PartIdentity {
        HeaderWriter.PartIdentity(name: name, filename: filename, contentType: contentType)
    }

    /// Whether the part has a ``filename``; does not decode it.
    var hasFilename: Bool {
        withLayout { layout, _ in layout.filename.exists } ?? false
    }

    /// Whether an empty file name was sent, as by a browser for a file input without a file.
    var hasEmptyFilename: Bool {
        withLayout { layout, _ in layout.filename.range?.isEmpty ?? false } ?? false
    }

    /// The last Content-Disposition; nil if there is none or it is malformed. Each access parses the value again,
    /// leniently.
    package var contentDisposition: ContentDisposition? {
        lastDisposition { try? ContentDisposition($0, 0..<$0.count) } ?? nil
    }

    /// Calls `body` with a layout, which says where the names are, and with the bytes that it refers to. It is the
    /// stored layout if there is one, otherwise a layout made from the last Content-Disposition.
    private func withLayout<Result>(_ body: (SectionLayout, Span<UInt8>) -> Result) -> Result? {
        if let layout = storage.layout { return storage.read { body(layout, $1) } }
        return lastDisposition { value in
            // A longer value does not fit in any header section.
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
