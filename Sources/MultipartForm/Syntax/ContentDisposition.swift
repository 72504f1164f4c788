/// The value of a part's Content-Disposition field, as received (RFC 7578 §4.2): `form-data; name="…"; filename="…"`.
package struct ContentDisposition: Sendable {
    /// One parameter.
    package struct Parameter: Sendable {
        /// The name, as it was sent; its letter case has no meaning.
        package let name: String

        /// The value, without quotes; empty for a name without a value.
        package let value: String
    }

    /// The disposition type, as it was sent; `form-data` for a part of a form.
    package let type: String

    /// All parameters in the order sent; `filename*` is not decoded.
    package let parameters: [Parameter]

    /// The name of the form's field; nil when it was not sent.
    package let name: String?

    /// The file name as it was sent, from `filename*` if that can be decoded (RFC 6266 §4.3); nil if there is none.
    package let filename: String?

    package init(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(MultipartError) {
        let layout = try DispositionLayout(bytes, range)
        type = String(repairing: bytes.extracting(layout.type))
        name = layout.name.text(in: bytes)
        filename = layout.shownFilename.text(in: bytes)
        parameters = layout.parameters(in: bytes.extracting(..<range.upperBound))
    }
}
