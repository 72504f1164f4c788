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
/// To collect an asynchronous sequence or a stream, use the initializers of ``MultipartFormData``.
///
/// ``append(_:)`` writes files on the caller's thread. If collecting fails, or if the collector is dropped, all its
/// files are removed. A collector cannot be copied.
public struct MultipartCollector: ~Copyable, @unchecked Sendable {
    // SAFETY: all stored values are Sendable, except the file that the worker is writing. The worker creates this file
    // and never passes it on. A collector cannot be copied, so it has one owner at a time.
    private var assembler: FormAssembler
    private var worker = FileWorker()
    private let route: @Sendable (HeaderFields) throws -> Route
    private var failure: (any Error)?

    /// Creates a collector for a message with a Content-Type field, such as an HTTP request.
    ///
    /// - Parameters:
    ///   - contentType: The field's value, such as `multipart/form-data; boundary=x`; nil if the message has no such
    ///     field.
    ///   - options: How to parse and keep the message, and the limits on its size.
    ///   - route: Called with a part's header fields, before the part's body arrives. Returns what to do with the part,
    ///     or throws any error. All parts are accepted by default.
    /// - Throws: ``MultipartError`` if the field is missing or malformed, has no boundary, or has a media type other
    ///   than `multipart/form-data`. A server answers ``MultipartError/Code/unsupportedMediaType`` with the status 415.
    public init(
        contentType: String?,
        options: Options = Options(),
        route: @escaping @Sendable (HeaderFields) throws -> Route = { _ in .accept }
    ) throws {
        let boundary = try options.parser.boundary(of: contentType)
        self.init(reported: boundary, options, route)
    }

    /// Creates a collector for a message with a known boundary, for example from a framework that has parsed the
    /// Content-Type field.
    ///
    /// - Parameters:
    ///   - boundary: The value of the Content-Type field's boundary parameter.
    ///   - options: How to parse and keep the message, and the limits on its size.
    ///   - route: Called with a part's header fields, before the part's body arrives. Returns what to do with the part,
    ///     or throws any error. All parts are accepted by default.
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
        assembler = FormAssembler(boundary: boundary, options)
        self.route = route
    }

    /// Parses a chunk and keeps its content. Call it with each chunk that arrives.
    ///
    /// Chunks may split the message anywhere.
    ///
    /// - Parameter chunk: The next bytes of the message; may be empty.
    /// - Throws: ``MultipartError`` if the message is malformed, exceeds a limit or cannot be kept. An error that the
    ///   closure `route` throws is rethrown unchanged. Later calls throw the same error.
    public mutating func append(_ chunk: some Collection<UInt8>) throws {
        if let failure { throw failure }
        do {
            try chunk.forEachSpan { try collect($0) }
        } catch {
            failure = error
            // Releases what has been collected.
            worker = FileWorker()
            assembler = FormAssembler(boundary: assembler.form.boundary, assembler.options)
            throw error
        }
    }

    private mutating func collect(_ bytes: Span<UInt8>, isLast: Bool = false) throws {
        assembler.assemble(bytes, isLast: isLast, route)
        defer { assembler.work.removeAll() }
        try worker.perform(assembler.work.steps, in: bytes)
    }

    /// Ends the message after its last chunk.
    ///
    /// - Returns: The form. Its temporary files exist as long as its parts. The form has the message's boundary, which
    ///   the sender chose. To send the form on, copy it with `MultipartFormData(form)`, which chooses a random
    ///   boundary. Then check the copy's ``MultipartFormData/firstError``.
    /// - Throws: ``MultipartError`` if the message was cut off; otherwise the same errors as ``append(_:)``.
    public consuming func finish() throws -> MultipartFormData {
        if let failure { throw failure }
        try collect(Span(), isLast: true)
        return assembler.form
    }
}
