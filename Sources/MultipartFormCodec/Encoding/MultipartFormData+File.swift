#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Encodes a form to a file.
extension MultipartFormData {
    /// Writes the encoded form to a new file, for instance to upload it in a background session. Never overwrites an
    /// existing file.
    ///
    /// This method blocks the thread until the file is complete. In asynchronous code, call the `async` method of the
    /// same name instead.
    ///
    /// The form is first written to a file in the same directory, under a name that begins with `.multipart-form-`. The
    /// complete file is then moved to the URL. So if the process is killed before the move, no incomplete file is left
    /// at the URL. If anything fails, the file is removed.
    ///
    /// The file's mode is 0o666 without the bits of the process's umask, as for any file that the process creates. The
    /// file is not synced to the disk: if the machine crashes soon after, the file can be missing, empty or incomplete.
    ///
    /// - Parameters:
    ///   - fileURL: The URL of the new file.
    ///   - progress: Receives how many bytes have been encoded.
    /// - Throws: ``MultipartError``:
    ///   - an error that ``encode()`` throws;
    ///   - an error if something exists at the URL, or if the file cannot be created or written;
    ///   - ``MultipartError/Code/cancelled``, if `progress` ends the encoding.
    public func writeEncodedData(to fileURL: URL, progress: EncodingProgress? = nil) throws {
        let plan = try EncodingPlan(self)
        let file = try NewFile(beside: fileURL)
        var reader = EncodedFormReader(plan, progress: progress)
        try reader.forEachBuffer { bytes throws(MultipartError) in try file.write(bytes, for: fileURL) }
        try file.finish(at: fileURL)
    }

    /// Writes the encoded form to a new file, without blocking the caller's actor. Never overwrites an existing file.
    ///
    /// This method does what ``writeEncodedData(to:progress:)-4q1uw`` does, with these differences:
    /// - It writes the file on another thread.
    /// - The form may have asynchronous content.
    /// - If the task is cancelled, the encoding ends and the file is removed.
    ///
    /// At the top level of `main.swift`, Swift 6.3 calls the blocking method even after `await`. So call the
    /// asynchronous method from a function.
    ///
    /// - Parameters:
    ///   - fileURL: The URL of the new file.
    ///   - progress: Receives how many bytes have been encoded.
    /// - Throws: `CancellationError` if the task is cancelled. Otherwise ``MultipartError``:
    ///   - an error that ``encode()`` throws, but not `body-part-is-asynchronous`;
    ///   - an error if something exists at the URL, or if the file cannot be created or written;
    ///   - ``MultipartError/Code/cancelled``, if `progress` ends the encoding.
    public func writeEncodedData(to fileURL: URL, progress: EncodingProgress? = nil) async throws {
        // Throws the errors of the form before the file is created.
        _ = try EncodingPlan(self, allowsAsynchronous: true)
        let file = OffloadedState<NewFile?>(nil)
        try await file.perform { $0 = try NewFile(beside: fileURL) }
        for try await chunk in chunks(ofSize: 1 << 20, progress: progress) {
            try await file.perform { try $0?.write(chunk.span, for: fileURL) }
        }
        try await file.perform { try $0?.finish(at: fileURL) }
    }
}

extension EncodedFormReader {
    fileprivate mutating func forEachBuffer(
        _ sink: (Span<UInt8>) throws(MultipartError) -> Void
    ) throws(MultipartError) {
        let scratch = ScratchBuffer(count: 1 << 20)
        while case let count = unsafe try read(into: scratch.bytes, from: .stream), count > 0 {
            // SAFETY: the slice contains exactly the bytes that were read. `sink` uses the slice only during the call.
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: scratch.bytes[..<count])
            try sink(unsafe bytes.bindMemory(to: UInt8.self).span)
        }
    }
}

extension MultipartFormData {
    /// Encodes a short form to memory and a long form to a temporary file, for a client that sends `Data` and files by
    /// different methods.
    ///
    /// ```swift
    /// let (_, response) = try await form.withEncodedForm(inMemoryUpTo: 10_000_000) { encoded in
    ///     switch encoded {
    ///     case .data(let data): try await session.upload(for: request, from: data)
    ///     case .file(let file): try await session.upload(for: request, fromFile: file)
    ///     }
    /// }
    /// ```
    ///
    /// Content is read as ``chunks(ofSize:from:bytesPerSecond:progress:)`` reads it. The file is written on a thread of
    /// Dispatch, and exists until `body` returns or throws.
    ///
    /// - Parameters:
    ///   - limit: The maximum length of a message to keep in memory, in bytes. A message of unknown length stays in
    ///     memory until it exceeds the limit. With URLSession on Linux, pass `.max`, because URLSession may crash there
    ///     when it uploads a file.
    ///   - temporaryDirectory: The directory of the file; nil for the system's temporary directory.
    ///   - progress: Receives how many bytes have been encoded.
    ///   - body: Called once with the message, on the caller's actor.
    /// - Returns: The value that `body` returns.
    /// - Throws: One of these errors:
    ///   - a ``MultipartError`` that ``encode()`` throws, but not `body-part-is-asynchronous`;
    ///   - a ``MultipartError`` if the file cannot be created or written, or if `progress` ends the encoding;
    ///   - `CancellationError`, if the task is cancelled during the encoding;
    ///   - an error that `body` throws.
    public func withEncodedForm<Result>(
        inMemoryUpTo limit: Int,
        temporaryDirectory: URL? = nil,
        progress: EncodingProgress? = nil,
        _ body: (EncodedForm) async throws -> Result
    ) async throws -> Result {
        let plan = try EncodingPlan(self, allowsAsynchronous: true)
        if let length = plan.length.flatMap(Int.init(exactly:)), length <= limit {
            // The whole message is one chunk.
            var chunks = chunks(ofSize: length, progress: progress).makeAsyncIterator()
            return try await call(body, with: .data(try await chunks.next() ?? Data()))
        }
        var chunks = chunks(ofSize: 1 << 20, progress: progress).makeAsyncIterator()
        // Keeps a message of unknown length in memory until it exceeds the limit.
        var start = Data()
        while plan.length == nil, limit > 0, start.count <= limit {
            guard let chunk = try await chunks.next() else { return try await call(body, with: .data(start)) }
            start.append(chunk)
        }
        let file = try await writeTemporaryFile(in: temporaryDirectory ?? TemporaryFile.directory, &start, &chunks)
        defer { withExtendedLifetime(file) {} }
        return try await call(body, with: .file(file.url))
    }

    private func call<Result>(
        _ body: (EncodedForm) async throws -> Result,
        with form: EncodedForm
    ) async throws -> Result {
        do {
            return try await body(form)
        } catch {
            await resumeOnCallerExecutor()
            throw error
        }
    }

    /// Writes `start`, then all further `chunks`, to a temporary file. Empties `start`, so that its memory is freed as
    /// soon as the bytes are written.
    private func writeTemporaryFile(
        in directory: URL,
        _ start: inout Data,
        _ chunks: inout EncodedFormChunks.AsyncIterator
    ) async throws -> TemporaryFile {
        guard directory.isLocalFile else { throw MultipartError(.outputStreamURLInvalid, path: directory.errorText) }
        let path = directory.path
        let output = OffloadedState<(pieces: PieceWriter, url: URL)?>(nil)
        try await output.perform { output in
            let (file, url) = try MultipartError.wrap(
                .outputStreamCreationFailed,
                path: path,
                try TemporaryFile.create(in: directory, prefix: "form-")
            )
            output = (PieceWriter(file), url)
        }
        var next = start.isEmpty ? try await chunks.next() : start
        start = Data()
        while let chunk = next {
            try await output.perform { output in
                try MultipartError.wrap(.outputStreamWriteFailed, path: path, try output?.pieces.write(chunk.span))
            }
            next = try await chunks.next()
        }
        let file = TemporaryFile(length: output.value?.pieces.length ?? 0)
        try await output.perform { output in
            guard let url = output?.url else { return }
            let identity = try MultipartError.wrap(.outputStreamWriteFailed, path: path, try output?.pieces.finish())
            if let identity { file.complete(at: url, identity) }
        }
        return file
    }
}
