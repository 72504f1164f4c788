#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension MultipartFormData {
    /// Collects a message from an asynchronous sequence of chunks: short content in memory, long files on disk.
    ///
    /// ```swift
    /// let form = try await MultipartFormData(collecting: request.body, contentType: request.contentType) { headers in
    ///     headers.name == "photo" ? .disk(upTo: 5 << 20) : .accept
    /// }
    /// try await form["photo"]?.save(to: fileURL)
    /// ```
    ///
    /// The next chunk is requested when the last one has been kept. No file is written on a thread of Swift's tasks.
    ///
    /// - Parameters:
    ///   - source: The message's chunks.
    ///   - contentType: The Content-Type field's value, such as `multipart/form-data; boundary=x`; nil if it is absent.
    ///   - options: How to parse and keep the message, and the limits on its size.
    ///   - route: Decides by a part's header fields, before its body arrives, what to do with it; may throw any error. It
    ///     is called where the caller runs. All parts are accepted by default.
    /// - Throws: ``MultipartError`` if the field or the message is malformed, exceeds a limit, was cut off or cannot be
    ///   kept; or what the source or the route throws. No file is then left.
    @inlinable
    public init<Source: AsyncSequence>(
        collecting source: Source,
        contentType: String?,
        options: MultipartCollector.Options = MultipartCollector.Options(),
        route: (HeaderFields) throws -> MultipartCollector.Route = { _ in .accept }
    ) async throws where Source.Element: Collection<UInt8> {
        try await self.init(contentType: contentType, options, route: route, nextChunk: source.nextElement())
    }

    @usableFromInline
    init<Chunk: Collection<UInt8>>(
        contentType: String?,
        _ options: MultipartCollector.Options,
        route: (HeaderFields) throws -> MultipartCollector.Route,
        nextChunk makeNextChunk: @autoclosure () -> NextElement<Chunk>
    ) async throws {
        let boundary = try options.parser.boundary(of: contentType)
        var parser = MultipartParser(boundary: boundary, options: options.parser)
        let assembler = Offloaded(FormAssembler(boundary: boundary, options))
        // After the boundary is known, since a source may be iterated only once.
        let nextChunk = makeNextChunk()
        while let chunk = try await nextChunk(#isolation) {
            // Parsed in place, and copied only if it is not contiguous or another thread needs it.
            var action: ParserActions.Kind?
            let isContiguous = try chunk.readInPlace { bytes in
                action = try assembler.value.takeEvents(of: &parser, in: bytes, route)
            }
            if isContiguous, action == nil { continue }
            try await assembler.take(chunk.data, first: action, of: &parser, route)
        }
        parser.finish()
        try await assembler.take(Data(), of: &parser, route)
        self = assembler.value.form
    }
}

extension Offloaded<FormAssembler> {
    /// Takes a parser's events in bytes; those that use the disk on a thread that may block. `first` is one of these that
    /// the parser has already returned.
    fileprivate func take(
        _ bytes: Data,
        first: ParserActions.Kind? = nil,
        of parser: inout MultipartParser,
        _ route: (HeaderFields) throws -> MultipartCollector.Route
    ) async throws {
        var next = try first ?? value.takeEvents(of: &parser, in: bytes.span, route)
        while let action = next {
            try await perform { [parser] in try $0.takeOnDisk(action, of: parser, in: bytes.span) }
            next = try value.takeEvents(of: &parser, in: bytes.span, route)
        }
    }
}
