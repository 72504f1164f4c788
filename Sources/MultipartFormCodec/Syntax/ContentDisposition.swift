/// The parsed value of a part's Content-Disposition field (RFC 7578 §4.2): `form-data; name="…"; filename="…"`.
package struct ContentDisposition: Sendable {
    /// A parameter of the field, such as `name="…"`.
    package struct Parameter: Sendable {
        /// The parameter's name as it was sent. Parameter names are case-insensitive.
        package let name: String

        /// The parameter's value without quotes and escapes; empty if the parameter has no value.
        package let value: String
    }

    /// The disposition type as it was sent; `form-data` for a part of a form.
    package let type: String

    /// All parameters in the order in which they were sent. The value of `filename*` is not percent-decoded.
    package let parameters: [Parameter]

    /// The name of the form's field; nil if no name was sent.
    package let name: String?

    /// The file name as it was sent; nil if no file name was sent.
    ///
    /// If the value has both `filename*` and `filename`, `filename*` takes precedence (RFC 6266 §4.3). A `filename*`
    /// that cannot be decoded is ignored.
    package let filename: String?

    package init(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(MultipartError) {
        let layout = try DispositionLayout(bytes, range)
        type = String(repairing: bytes.extracting(layout.type))
        name = layout.name.text(in: bytes)
        filename = layout.shownFilename.text(in: bytes)
        parameters = layout.parameters(in: bytes.extracting(..<range.upperBound))
    }
}
