extension HeaderFields {
    /// The part's Content-Disposition, for what ``name`` and ``filename`` do not say; nil for none or a malformed one.
    ///
    /// - Complexity: O(*n*) in the length of the fields; each access parses the value again, leniently.
    public var contentDisposition: ContentDisposition? {
        lastDisposition { try? ContentDisposition($0, 0..<$0.count, mode: .lenient) } ?? nil
    }

    /// The name of the form's field (RFC 7578 §4.2); nil when it was not sent.
    ///
    /// - Complexity: O(*n*) in the length of the name.
    public var name: String? {
        withLayout { layout, bytes in layout.name.map { layout.text($0, in: bytes) } } ?? nil
    }

    /// The file name as it was sent; nil for a part that is not a file. Never use it as a path.
    ///
    /// - Complexity: O(*n*) in the length of the file name.
    public var filename: String? {
        withLayout { $0.filenameText(in: $1) } ?? nil
    }

    /// The last component of ``filename``, safe to join to a directory's path; nil if nothing usable is left.
    ///
    /// At most 255 bytes of UTF-8; see ``ContentDisposition/safeFilename``.
    ///
    /// - Complexity: O(*n*) in the length of the file name.
    public var safeFilename: String? {
        filename.flatMap(ContentDisposition.safeFilename)
    }

    /// The value of Content-Type as it was sent, the last one if there are several; nil when there is none.
    ///
    /// A part without one is text/plain (RFC 7578 §4.4).
    ///
    /// - Complexity: O(*n*) in the number of fields and the length of the value.
    public var contentType: String? {
        // Faster than the subscript: the usual spelling is compared first, by words.
        last(where: { ASCII.isFieldName($1, $0.name, "Content-Type", "content-type") }, { String(repairing: $0) })
    }

    /// Whether there is a ``filename``, without decoding it.
    var hasFilename: Bool {
        withLayout { layout, _ in layout.filename != nil || layout.extendedFilename != nil } ?? false
    }

    /// Whether ``name`` equals `name` byte for byte in UTF-8; decodes it only if the received bytes may differ from it.
    func hasName(_ name: String) -> Bool {
        withLayout { layout, bytes in
            guard let value = layout.name else { return false }
            guard !value.hasEscapes, !name.unicodeScalars.contains("\u{FFFD}") else {
                return layout.text(value, in: bytes).utf8.elementsEqual(name.utf8)
            }
            return value.range.count == name.utf8.count && zip(value.range, name.utf8).allSatisfy { bytes[$0] == $1 }
        } ?? false
    }

    /// Calls `body` with the disposition's layout: the parser's, or scanned now.
    @inline(__always)
    private func withLayout<Result>(_ body: (DispositionLayout, Span<UInt8>) -> Result) -> Result? {
        if let layout = text.disposition { return text.read { body(layout, $1) } }
        return lastDisposition { value in
            (try? DispositionLayout(value, 0..<value.count, mode: .lenient)).map { body($0, value) }
        } ?? nil
    }

    private func lastDisposition<Result>(_ body: (Span<UInt8>) -> Result) -> Result? {
        last(where: { ASCII.isFieldName($1, $0.name, "Content-Disposition", "content-disposition") }, body)
    }
}
