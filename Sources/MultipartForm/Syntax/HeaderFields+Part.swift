extension HeaderFields {
    /// The part's Content-Disposition; nil when there is none, or when it does not follow its grammar.
    public var contentDisposition: ContentDisposition? {
        layout.map { ContentDisposition($0, in: bytes) }
    }

    /// The name of the form's field (RFC 7578 §4.2); nil when it was not sent.
    public var name: String? {
        guard let layout else { return nil }
        return layout.name.map { layout.text($0, in: bytes) }
    }

    /// The file name as it was sent; nil for a part that is not a file. Never use it as a path.
    public var filename: String? {
        layout?.filenameText(in: bytes)
    }

    /// The last component of ``filename``, safe to join to a directory's path; nil if nothing usable is left.
    public var safeFilename: String? {
        contentDisposition?.safeFilename
    }

    /// The value of Content-Type as it was sent, the last one if there are several; nil when there is none.
    ///
    /// A part without one is text/plain (RFC 7578 §4.4).
    public var contentType: String? {
        lastPlace("content-type").map { text($0.value) }
    }

    /// The disposition's layout: the parser's, or scanned now.
    private var layout: DispositionLayout? {
        if let disposition { return disposition }
        guard let place = lastPlace("content-disposition") else { return nil }
        return try? DispositionLayout(bytes.span, place.value, mode: .lenient)
    }
}
