/// Collects a whole form from chunks: short content in memory, long files on disk.
///
/// ```swift
/// var collector = try MultipartCollector(contentType: contentType) { headers in
///     headers.name == "avatar" ? .disk(upTo: 5 << 20) : .accept
/// }
/// for chunk in chunks { try collector.append(chunk) }
/// let form = try collector.finish()
/// ```
///
/// ``MultipartFormData`` has initializers that collect an asynchronous sequence or a stream. Files are written during
/// ``append(_:)``, on the caller's thread. If collecting fails, or the collector is dropped, no file is left. A
/// collector cannot be copied.
public struct MultipartCollector: ~Copyable, @unchecked Sendable {
    // SAFETY: everything stored is Sendable except the file being written, which is made here and never leaves. A
    // collector cannot be copied, so it has one owner at a time.
    private var parser: MultipartParser
    private var assembler: FormAssembler
    private let route: @Sendable (HeaderFields) throws -> Route
    private var failure: (any Error)?

    /// Creates a collector for a message with a Content-Type field, as a request has it.
    ///
    /// - Parameters:
    ///   - contentType: The field's value, such as `multipart/form-data; boundary=x`; nil if there is no such field.
    ///   - options: How to parse and keep the message, and the limits on its size.
    ///   - route: Decides by a part's header fields, before its body arrives, what to do with it; may throw any error.
    ///     All parts are accepted by default.
    /// - Throws: ``MultipartError``: ``MultipartError/Code/unsupportedMediaType``, which a server answers with 415, or
    ///   another code of the Content-Type field.
    public init(
        contentType: String?,
        options: Options = Options(),
        route: @escaping @Sendable (HeaderFields) throws -> Route = { _ in .accept }
    ) throws {
        let boundary = try options.parser.boundary(of: contentType)
        self.init(reported: boundary, options, route)
    }

    /// Creates a collector for a message whose boundary is known, such as one that a framework has parsed.
    ///
    /// - Parameters:
    ///   - boundary: The value of the Content-Type field's boundary parameter.
    ///   - options: How to parse and keep the message, and the limits on its size.
    ///   - route: Decides by a part's header fields what to do with it; all parts are accepted by default.
    public init(
        boundary: Boundary,
        options: Options = Options(),
        route: @escaping @Sendable (HeaderFields) throws -> Route = { _ in .accept }
    ) {
        options.parser.report(boundary)
        self.init(reported: boundary, options, route)
    }

    private init(
        reported boundary: Boundary,
        _ options: Options,
        _ route: @escaping @Sendable (HeaderFields) throws -> Route
    ) {
        parser = MultipartParser(reported: boundary, options.parser)
        assembler = FormAssembler(boundary: boundary, options)
        self.route = route
    }

    /// Parses a chunk and keeps its content; call it with each chunk that arrives.
    ///
    /// Chunks may split the message anywhere.
    ///
    /// - Parameter chunk: The next bytes of the message; may be empty.
    /// - Throws: ``MultipartError`` if the message is malformed, exceeds a limit or cannot be kept, or what the route
    ///   throws. Later calls throw the same error.
    public mutating func append(_ chunk: some Collection<UInt8>) throws {
        if let failure { throw failure }
        do {
            try chunk.forEachSpan { try assembler.assemble($0, of: &parser, route) }
        } catch {
            failure = error
            assembler.discard()
            throw error
        }
    }

    /// Ends the message after its last chunk.
    ///
    /// - Returns: The form; its temporary files live as long as its parts. Its boundary is the message's, which its
    ///   sender chose. To send the form on, create `MultipartFormData(form)`, which has a random boundary, and check
    ///   the new form's ``MultipartFormData/firstError``.
    /// - Throws: ``MultipartError`` if the message was cut off; else as ``append(_:)`` does.
    public consuming func finish() throws -> MultipartFormData {
        if let failure { throw failure }
        parser.finish()
        try assembler.assemble(Span(), of: &parser, route)
        return assembler.form
    }
}
