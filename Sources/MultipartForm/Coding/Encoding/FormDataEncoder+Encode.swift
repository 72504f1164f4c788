// Encodes values to forms.
extension FormDataEncoder {
    /// Encodes a value to a new form.
    ///
    /// - Parameters:
    ///   - value: A value with keys, such as a struct or a dictionary.
    ///   - boundary: The form's boundary; by default a new random one.
    /// - Returns: The form, with a part for each text, number and file in the value.
    /// - Throws: An `EncodingError` with a ``FormDataCodingIssue``, or what the value throws.
    public func encode(_ value: some Encodable, boundary: Boundary = .random()) throws -> MultipartFormData {
        let encoding = FormEncoding(self)
        let root = try encoding.encoded(value, at: nil, depth: 0).resolved
        if let failure = encoding.failure { throw failure }
        guard case .container(let node) = root, node.kind == .keyed else {
            throw encoding.error(CodingProblem(.notKeyedRoot), value, at: nil)
        }
        var writer = PartWriter(encoding, boundary)
        try writer.write(root)
        return writer.form
    }

    /// Appends the parts of a value to a form that may have others: all of them, or none if it throws.
    ///
    /// - Parameters:
    ///   - value: A value with keys, such as a struct or a dictionary.
    ///   - form: The form.
    /// - Throws: An `EncodingError` with a ``FormDataCodingIssue``, or what the value throws.
    public func encode(_ value: some Encodable, into form: inout MultipartFormData) throws {
        form.append(contentsOf: try encode(value, boundary: form.boundary))
    }
}
