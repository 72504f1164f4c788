public import Foundation

/// Collects a whole form from chunks that are pushed: short contents in memory, long files on disk.
///
/// ```swift
/// var collector = MultipartCollector(boundary: boundary)
/// for chunk in chunks { try collector.append(chunk) }
/// let form = try collector.finish()
/// ```
///
/// Where the chunks come from a sequence, ``MultipartFormData`` has initializers that do this. The message is bounded
/// by ``Limits`` and ``CollectionOptions``. Files are written at once, by the caller of ``append(_:)``. Whatever fails,
/// no file is left; a collector that is dropped leaves none either.
public struct MultipartCollector: ~Copyable, @unchecked Sendable {
    // SAFETY: everything stored is Sendable but the file being written. That one is made here and never handed out,
    // and a collector has one owner at a time since it cannot be copied.
    private var parser: MultipartParser
    private var store: PartStore
    private var failure: (any Error)?

    /// Creates a collector for a message whose boundary is known.
    ///
    /// - Parameters:
    ///   - boundary: The value of the Content-Type field's boundary parameter.
    ///   - limits: What the message may cost. Where `maxPartBytes` or `maxTotalBytes` is nil, that of
    ///     ``Limits/collecting`` holds.
    ///   - mode: How strictly to read.
    ///   - options: Where contents are kept, and how much of them.
    ///   - policy: Tells what becomes of each part; all are accepted unless given.
    public init(
        boundary: Boundary,
        limits: Limits = .collecting,
        mode: ParsingMode = .lenient,
        options: CollectionOptions = .default,
        policy: @escaping PartRoute.Policy = { _ in .accept }
    ) {
        self.init(
            boundary: boundary,
            limits: limits,
            mode: mode,
            options: options,
            fileSystem: .system,
            policy: policy
        )
    }

    /// Creates a collector for a message with a Content-Type field's value.
    ///
    /// - Parameters:
    ///   - contentType: The field's value, such as `multipart/form-data; boundary=x`.
    ///   - limits: What the message may cost. Where `maxPartBytes` or `maxTotalBytes` is nil, that of
    ///     ``Limits/collecting`` holds.
    ///   - mode: How strictly to read, the field's value included.
    ///   - options: Where contents are kept, and how much of them.
    ///   - policy: Tells what becomes of each part; all are accepted unless given.
    /// - Throws: ``MultipartParsingError`` if the value is not that of a form.
    public init(
        contentType: String,
        limits: Limits = .collecting,
        mode: ParsingMode = .lenient,
        options: CollectionOptions = .default,
        policy: @escaping PartRoute.Policy = { _ in .accept }
    ) throws(MultipartParsingError) {
        let boundary = try Boundary(contentType: contentType, mode: mode)
        self.init(boundary: boundary, limits: limits, mode: mode, options: options, policy: policy)
    }

    /// Creates a collector on a file system of a test's own.
    package init(
        boundary: Boundary,
        limits: Limits = .collecting,
        mode: ParsingMode = .lenient,
        options: CollectionOptions,
        fileSystem: FileSystem,
        policy: @escaping PartRoute.Policy = { _ in .accept }
    ) {
        parser = MultipartParser(boundary: boundary, limits: limits.forCollecting, mode: mode)
        store = PartStore(boundary: boundary, options: options, policy: policy, fileSystem: fileSystem)
    }

    /// Takes a chunk, and keeps the contents that are in it.
    ///
    /// - Parameter chunk: The next bytes of the message, cut anywhere; may be empty.
    /// - Throws: ``MultipartParsingError`` if the message is malformed or exceeds a limit, ``MultipartReceivingError`` if
    ///   its contents cannot be kept, or what the policy throws. The same error is thrown from then on.
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
    /// - Throws: ``MultipartParsingError`` if the message was cut off; else as ``append(_:)`` does.
    public consuming func finish() throws -> MultipartFormData {
        if let failure { throw failure }
        parser.finish()
        while let event = try parser.next() {
            if case .endOfPart = event { try store.endPart() }
        }
        return store.form
    }

    private static func read(
        _ bytes: Span<UInt8>,
        _ parser: inout MultipartParser,
        _ store: inout PartStore
    ) throws {
        try parser.parse(bytes, bodyAt: { store.bodyOffset = $0 }) { event, body in try store.take(event, body) }
    }
}
