import MultipartForm

/// A part that has been read: what is shown of it, without its body.
struct ListedPart {
    let headers: HeaderFields
    var length: UInt64 = 0
    /// The beginning of a field's content; nil for a file.
    var text: FieldText?

    init(_ headers: HeaderFields) {
        self.headers = headers
        if headers.filename == nil { text = FieldText() }
    }

    mutating func append(_ bytes: Span<UInt8>) {
        length += UInt64(bytes.count)
        text?.append(bytes)
    }
}
