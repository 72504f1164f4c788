public import Foundation

extension MultipartFormData {
    /// Collects a message whose chunks come from an asynchronous sequence: short contents in memory, long files on
    /// disk.
    ///
    /// The next chunk is asked for when the last one has been kept. Files are written on the caller's executor. What the
    /// source throws comes through; whatever fails, no file is left.
    ///
    /// - Parameters:
    ///   - source: The message's chunks.
    ///   - boundary: The value of the Content-Type field's boundary parameter.
    ///   - limits: What the message may cost. Where `maxPartBytes` or `maxTotalBytes` is nil, that of
    ///     ``Limits/collecting`` holds.
    ///   - mode: How strictly to read.
    ///   - options: Where contents are kept, and how much of them.
    ///   - policy: Tells what becomes of each part; all are accepted unless given.
    /// - Throws: ``MultipartParsingError`` if the message is malformed, exceeds a limit, or was cut off;
    ///   ``MultipartReceivingError`` if its contents cannot be kept; or what the source or the policy throws.
    public init<Source: AsyncSequence>(
        collecting source: Source,
        boundary: Boundary,
        limits: Limits = .collecting,
        mode: ParsingMode = .lenient,
        options: CollectionOptions = .default,
        policy: @escaping PartRoute.Policy = { _ in .accept }
    ) async throws where Source.Element: ContiguousBytes {
        var collector = MultipartCollector(
            boundary: boundary,
            limits: limits,
            mode: mode,
            options: options,
            policy: policy
        )
        for try await chunk in source { try collector.append(chunk) }
        self = try collector.finish()
    }

    /// Collects a message that came with a Content-Type field, and whose chunks come from an asynchronous sequence.
    ///
    /// ```swift
    /// let form = try await MultipartFormData(collecting: chunks, contentType: contentType) { headers in
    ///     headers.name == "photo" ? .toDisk : .accept
    /// }
    /// try form["photo"]?.moveFile(to: url)
    /// ```
    ///
    /// - Parameters:
    ///   - source: The message's chunks.
    ///   - contentType: The field's value, such as `multipart/form-data; boundary=x`.
    ///   - limits: What the message may cost. Where `maxPartBytes` or `maxTotalBytes` is nil, that of
    ///     ``Limits/collecting`` holds.
    ///   - mode: How strictly to read, the field's value included.
    ///   - options: Where contents are kept, and how much of them.
    ///   - policy: Tells what becomes of each part; all are accepted unless given.
    /// - Throws: As the initializer with a boundary does; ``MultipartParsingError`` also if the field is not a form's.
    public init<Source: AsyncSequence>(
        collecting source: Source,
        contentType: String,
        limits: Limits = .collecting,
        mode: ParsingMode = .lenient,
        options: CollectionOptions = .default,
        policy: @escaping PartRoute.Policy = { _ in .accept }
    ) async throws where Source.Element: ContiguousBytes {
        let boundary = try Boundary(contentType: contentType, mode: mode)
        try await self.init(
            collecting: source,
            boundary: boundary,
            limits: limits,
            mode: mode,
            options: options,
            policy: policy
        )
    }

    /// Collects a message in chunks: short contents in memory, long files on disk.
    ///
    /// - Parameters:
    ///   - chunks: The message's bytes, cut anywhere.
    ///   - boundary: The value of the Content-Type field's boundary parameter.
    ///   - limits: What the message may cost. Where `maxPartBytes` or `maxTotalBytes` is nil, that of
    ///     ``Limits/collecting`` holds.
    ///   - mode: How strictly to read.
    ///   - options: Where contents are kept, and how much of them.
    ///   - policy: Tells what becomes of each part; all are accepted unless given.
    /// - Throws: ``MultipartParsingError`` if the message is malformed, exceeds a limit, or was cut off;
    ///   ``MultipartReceivingError`` if its contents cannot be kept; or what the policy throws. No file is then left.
    public init(
        collecting chunks: some Sequence<some ContiguousBytes>,
        boundary: Boundary,
        limits: Limits = .collecting,
        mode: ParsingMode = .lenient,
        options: CollectionOptions = .default,
        policy: @escaping PartRoute.Policy = { _ in .accept }
    ) throws {
        var collector = MultipartCollector(
            boundary: boundary,
            limits: limits,
            mode: mode,
            options: options,
            policy: policy
        )
        for chunk in chunks { try collector.append(chunk) }
        self = try collector.finish()
    }

    /// Collects a message that came with a Content-Type field, in chunks.
    ///
    /// - Parameters:
    ///   - chunks: The message's bytes, cut anywhere.
    ///   - contentType: The field's value, such as `multipart/form-data; boundary=x`.
    ///   - limits: What the message may cost. Where `maxPartBytes` or `maxTotalBytes` is nil, that of
    ///     ``Limits/collecting`` holds.
    ///   - mode: How strictly to read, the field's value included.
    ///   - options: Where contents are kept, and how much of them.
    ///   - policy: Tells what becomes of each part; all are accepted unless given.
    /// - Throws: As the initializer with a boundary does; ``MultipartParsingError`` also if the field is not a form's.
    public init(
        collecting chunks: some Sequence<some ContiguousBytes>,
        contentType: String,
        limits: Limits = .collecting,
        mode: ParsingMode = .lenient,
        options: CollectionOptions = .default,
        policy: @escaping PartRoute.Policy = { _ in .accept }
    ) throws {
        let boundary = try Boundary(contentType: contentType, mode: mode)
        try self.init(
            collecting: chunks,
            boundary: boundary,
            limits: limits,
            mode: mode,
            options: options,
            policy: policy
        )
    }

    /// Collects a message from a stream: short contents in memory, long files on disk.
    ///
    /// - Parameters:
    ///   - stream: The message; opened if need be, read to its end, and closed.
    ///   - boundary: The value of the Content-Type field's boundary parameter.
    ///   - limits: What the message may cost. Where `maxPartBytes` or `maxTotalBytes` is nil, that of
    ///     ``Limits/collecting`` holds.
    ///   - mode: How strictly to read.
    ///   - options: Where contents are kept, and how much of them.
    ///   - policy: Tells what becomes of each part; all are accepted unless given.
    /// - Throws: ``MultipartEncodingError`` if the stream cannot be read; else as for chunks. No file is then left.
    public init(
        collecting stream: InputStream,
        boundary: Boundary,
        limits: Limits = .collecting,
        mode: ParsingMode = .lenient,
        options: CollectionOptions = .default,
        policy: @escaping PartRoute.Policy = { _ in .accept }
    ) throws {
        let reader = try ContentReader(stream)
        var collector = MultipartCollector(
            boundary: boundary,
            limits: limits,
            mode: mode,
            options: options,
            policy: policy
        )
        // SAFETY: the buffer is freed on every exit; the collector reads only the bytes that were read from the stream.
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 4096)
        defer { unsafe buffer.deallocate() }
        while case let count = unsafe try reader.read(into: buffer), count > 0 {
            unsafe try collector.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
        self = try collector.finish()
    }

    /// Collects a message that came with a Content-Type field, from a stream.
    ///
    /// - Parameters:
    ///   - stream: The message; opened if need be, read to its end, and closed.
    ///   - contentType: The field's value, such as `multipart/form-data; boundary=x`.
    ///   - limits: What the message may cost. Where `maxPartBytes` or `maxTotalBytes` is nil, that of
    ///     ``Limits/collecting`` holds.
    ///   - mode: How strictly to read, the field's value included.
    ///   - options: Where contents are kept, and how much of them.
    ///   - policy: Tells what becomes of each part; all are accepted unless given.
    /// - Throws: As the initializer with a boundary does; ``MultipartParsingError`` also if the field is not a form's.
    public init(
        collecting stream: InputStream,
        contentType: String,
        limits: Limits = .collecting,
        mode: ParsingMode = .lenient,
        options: CollectionOptions = .default,
        policy: @escaping PartRoute.Policy = { _ in .accept }
    ) throws {
        let boundary = try Boundary(contentType: contentType, mode: mode)
        try self.init(
            collecting: stream,
            boundary: boundary,
            limits: limits,
            mode: mode,
            options: options,
            policy: policy
        )
    }
}
