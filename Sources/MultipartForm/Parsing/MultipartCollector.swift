public import Foundation

/// Collects a whole form from chunks that are pushed: short content in memory, long files on disk.
///
/// ```swift
/// var collector = try MultipartCollector(contentType: contentType) { headers in
///     headers.name == "avatar" ? .disk(upTo: 5 << 20) : .accept
/// }
/// for chunk in chunks { try collector.append(chunk) }
/// let form = try collector.finish()
/// ```
///
/// Where the chunks come from a sequence, ``MultipartFormData`` has initializers that do this. Files are written at
/// once, by the caller of ``append(_:)``. Whatever fails, no file is left; a collector that is dropped leaves none
/// either.
public struct MultipartCollector: ~Copyable, @unchecked Sendable {
    // SAFETY: everything stored is Sendable except the file being written. That is made here and never leaves, and a
    // collector has one owner at a time since it cannot be copied.
    private var parser: MultipartParser
    private var store: PartStore
    private var failure: (any Error)?

    /// Creates a collector for a message with a Content-Type field.
    ///
    /// - Parameters:
    ///   - contentType: The field's value, such as `multipart/form-data; boundary=x`; nil if the message has no such
    ///     field.
    ///   - options: How to read the message, where its content is kept, and how much of it.
    ///   - route: Decides what becomes of a part by its header fields, before its body has come; may throw an error of
    ///     its own. All parts are accepted unless given.
    /// - Throws: ``MultipartError``: ``MultipartError/Code/unsupportedMediaType``, which a server answers with 415, or
    ///   another code of the Content-Type field.
    public init(
        contentType: String?,
        options: Options = Options(),
        route: @escaping @Sendable (HeaderFields) throws -> Route = { _ in .accept }
    ) throws(MultipartError) {
        let boundary = try Boundary(contentType: contentType, mode: options.parser.mode)
        self.init(boundary: boundary, options: options, route: route)
    }

    /// Creates a collector for a message whose boundary is known.
    ///
    /// - Parameters:
    ///   - boundary: The value of the Content-Type field's boundary parameter.
    ///   - options: How to read the message, where its content is kept, and how much of it.
    ///   - route: Decides what becomes of a part by its header fields; all parts are accepted unless given.
    public init(
        boundary: Boundary,
        options: Options = Options(),
        route: @escaping @Sendable (HeaderFields) throws -> Route = { _ in .accept }
    ) {
        self.init(boundary: boundary, options: options, fileSystem: .system, route: route)
    }

    /// Creates a collector on a file system of a test's own.
    package init(
        boundary: Boundary,
        options: Options,
        fileSystem: FileSystem,
        route: @escaping @Sendable (HeaderFields) throws -> Route = { _ in .accept }
    ) {
        parser = MultipartParser(boundary: boundary, options: options.parser.forCollecting)
        store = PartStore(boundary: boundary, options, fileSystem: fileSystem, route: route)
    }

    /// Takes a chunk, and keeps the content that is in it.
    ///
    /// - Parameter chunk: The next bytes of the message, cut anywhere; may be empty.
    /// - Throws: ``MultipartError`` if the message is malformed, exceeds a limit or cannot be kept, or what the route
    ///   throws. The same error is thrown from then on.
    public mutating func append(_ chunk: some ContiguousBytes) throws {
        if let failure { throw failure }
        do {
            // SAFETY: the span is used inside the closure only.
            try unsafe chunk.withUnsafeBytes { raw in
                try Self.read(unsafe raw.bindMemory(to: UInt8.self).span, &parser, &store)
            }
        } catch {
            failure = error
            store.discard()
            throw error
        }
    }

    /// Ends the message.
    ///
    /// - Returns: The form; its temporary files live as long as its parts.
    /// - Throws: ``MultipartError`` if the message was cut off; else as ``append(_:)`` does.
    public consuming func finish() throws -> MultipartFormData {
        if let failure { throw failure }
        let error = try parser.readEnd { event, body, offset throws in try store.take(event, body, bodyAt: offset) }
        if let error { throw error }
        return store.form
    }

    private static func read(
        _ bytes: Span<UInt8>,
        _ parser: inout MultipartParser,
        _ store: inout PartStore
    ) throws {
        let error = try parser.read(bytes) { event, body, offset throws in
            try store.take(event, body, bodyAt: offset)
        }
        if let error { throw error }
    }
}
