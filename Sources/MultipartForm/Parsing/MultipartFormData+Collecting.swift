public import Foundation

extension MultipartFormData {
    /// Collects a message whose chunks come from an asynchronous sequence: short content in memory, long files on disk.
    ///
    /// ```swift
    /// let form = try await MultipartFormData(collecting: request.body, contentType: request.contentType) { headers in
    ///     headers.name == "photo" ? .disk(upTo: 5 << 20) : .accept
    /// }
    /// try form["photo"]?.save(to: fileURL)
    /// ```
    ///
    /// The next chunk is requested when the last one has been kept. Files are written on threads that may block, never
    /// on one of Swift's tasks.
    ///
    /// - Parameters:
    ///   - source: The message's chunks.
    ///   - contentType: The Content-Type field's value, such as `multipart/form-data; boundary=x`; nil if the message
    ///     has no such field.
    ///   - options: How to read the message, where its content is kept, and how much of it.
    ///   - route: Decides what becomes of a part by its header fields, before its body has come; may throw an error of
    ///     its own. All parts are accepted unless given.
    /// - Throws: ``MultipartError`` if the field or the message is malformed, exceeds a limit, was cut off or cannot be
    ///   kept; or what the source or the route throws. No file is then left.
    public init<Source: AsyncSequence>(
        collecting source: Source,
        contentType: String?,
        options: MultipartCollector.Options = MultipartCollector.Options(),
        route: @escaping @Sendable (HeaderFields) throws -> MultipartCollector.Route = { _ in .accept }
    ) async throws where Source.Element: ContiguousBytes {
        let boundary = try Boundary(contentType: contentType, mode: options.parser.mode)
        var parser = MultipartParser(boundary: boundary, options: options.parser.forCollecting)
        let store = AsynchronousStore(PartStore(boundary: boundary, options, route: route))
        let nextChunk = source.nextPiece()
        while let chunk = try await nextChunk(#isolation) {
            parser.append(chunk)
            while let event = try parser.next() { try await store.take(event, bodyAt: parser.bodyOffset) }
        }
        parser.finish()
        while let event = try parser.next() { try await store.take(event, bodyAt: parser.bodyOffset) }
        self = store.form
    }

    /// Collects a message from a stream: short content in memory, long files on disk.
    ///
    /// - Parameters:
    ///   - stream: The message; opened if need be, read to its end, and closed.
    ///   - contentType: The Content-Type field's value, such as `multipart/form-data; boundary=x`; nil if the message
    ///     has no such field.
    ///   - options: How to read the message, where its content is kept, and how much of it.
    ///   - route: Decides what becomes of a part by its header fields; all parts are accepted unless given.
    /// - Throws: ``MultipartError`` if the field or the message is malformed, exceeds a limit, was cut off or cannot be
    ///   kept, or the stream cannot be read; or what the route throws. No file is then left.
    public init(
        collecting stream: InputStream,
        contentType: String?,
        options: MultipartCollector.Options = MultipartCollector.Options(),
        route: @escaping @Sendable (HeaderFields) throws -> MultipartCollector.Route = { _ in .accept }
    ) throws {
        var reader = try ContentReader(stream)
        var collector = try MultipartCollector(contentType: contentType, options: options, route: route)
        let scratch = ScratchBuffer(count: 64 * 1024)
        // SAFETY: the collector reads only the bytes that were read from the stream.
        while case let count = unsafe try reader.read(into: scratch.bytes), count > 0 {
            unsafe try collector.append(UnsafeRawBufferPointer(rebasing: scratch.bytes[..<count]))
        }
        self = try collector.finish()
    }
}

/// A store that an asynchronous function fills. What uses the disk runs on threads that may block.
private final class AsynchronousStore: @unchecked Sendable {
    // SAFETY: one function uses the store, or the operation that it waits for.
    private var store: PartStore

    init(_ store: PartStore) {
        self.store = store
    }

    var form: MultipartFormData { store.form }

    func take(_ event: MultipartParser.Event<Data>, bodyAt offset: UInt64) async throws {
        switch event {
        case .part(let headers):
            try store.begin(headers, at: offset)
        case .body(let bytes):
            try await run(usingDisk: store.usesDisk(for: bytes.count)) { try $0.add(bytes.span) }
        case .endOfPart:
            try await run(usingDisk: store.usesDisk(for: 0)) { try $0.endPart() }
        case .end:
            break
        }
    }

    private func run(usingDisk: Bool, _ operation: @escaping @Sendable (inout PartStore) throws -> Void) async throws {
        guard usingDisk else { return try operation(&store) }
        try await BlockingPool.files.run { [weak self] in
            if let self { try operation(&self.store) }
        }
    }
}
