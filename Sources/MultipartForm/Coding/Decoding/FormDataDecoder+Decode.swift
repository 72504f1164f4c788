#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Decodes values from forms and from whole messages.
extension FormDataDecoder {
    /// Decodes a value from a form, such as one that was collected with its files on disk.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - form: The form; content in files and streams is read only if the value needs it.
    /// - Returns: The value.
    /// - Throws: A `DecodingError` with a ``FormDataCodingIssue``, or what the type throws.
    public func decode<T: Decodable>(_ type: T.Type, from form: MultipartFormData) throws -> T {
        let form = try DecodedForm(form, self)
        let value = try FormNodeDecoder(form, nil, .node(NameTree.root), depth: 0).decoded(type)
        try form.checkAttempts()
        try form.checkNames()
        return value
    }

    /// Decodes a value from a whole message in memory.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - body: The message.
    ///   - contentType: The value of the message's Content-Type field.
    ///   - options: The limits and the mode of the parser.
    /// - Returns: The value.
    /// - Throws: A ``MultipartError`` if the message is malformed, a `DecodingError` with a ``FormDataCodingIssue``, or
    ///   what the type throws.
    public func decode<T: Decodable>(
        _ type: T.Type,
        from body: Data,
        contentType: String?,
        options: MultipartParser.Options = MultipartParser.Options()
    ) throws -> T {
        try decode(type, from: MultipartFormData(parsing: body, contentType: contentType, options: options))
    }
}
