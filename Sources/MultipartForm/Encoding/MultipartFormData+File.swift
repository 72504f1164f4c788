#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Encodes forms to files.
extension MultipartFormData {
    /// Writes the encoded form to a new file, such as for a background session. Never overwrites anything. Blocks the
    /// thread until the file is complete; asynchronous code calls the `async` method of the same name instead.
    ///
    /// The form is written beside the URL, under a name that begins with `.multipart-form-`, and renamed when it is
    /// complete: a process that is killed leaves no incomplete file at the URL. If anything fails, the file is removed.
    /// The file's mode is 0o666 without the bits of the process' mask, as for any file that the process creates. The
    /// file is not synced to the disk: if the machine crashes soon after, the file can be missing, empty or incomplete.
    ///
    /// - Parameters:
    ///   - fileURL: The file to create.
    ///   - progress: Receives how much has been written.
    /// - Throws: ``MultipartError``: what ``encode()`` throws, an error for a file that exists or that cannot be
    ///   created or written, or ``MultipartError/Code/cancelled``.
    public func writeEncodedData(to fileURL: URL, progress: EncodingProgress? = nil) throws {
        let plan = try EncodingPlan(self)
        let file = try NewFile(beside: fileURL)
        var reader = EncodedFormReader(plan, progress: progress)
        try reader.forEachBuffer { bytes throws(MultipartError) in try file.write(bytes, for: fileURL) }
        try file.finish(at: fileURL)
    }

    /// Writes the encoded form to a new file, and leaves the caller's actor free meanwhile. Never overwrites anything.
    ///
    /// This method does what ``writeEncodedData(to:progress:)-2ga63`` does, on another thread. In addition, the form
    /// may have asynchronous sequences, and cancelling the task ends the encoding and removes the file.
    ///
    /// At the top level of `main.swift`, Swift 6.3 calls the blocking method even after `await`. So call the
    /// asynchronous method from a function.
    ///
    /// - Parameters:
    ///   - fileURL: The file to create.
    ///   - progress: Receives how much has been encoded.
    /// - Throws: ``MultipartError``: what ``encode()`` throws, except for asynchronous sequences; an error for a file
    ///   that exists or that cannot be created or written; or ``MultipartError/Code/cancelled``. `CancellationError` if
    ///   the task is cancelled.
    public func writeEncodedData(to fileURL: URL, progress: EncodingProgress? = nil) async throws {
        // Throws the errors of the form before a file is created.
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
            // SAFETY: the sink uses the bytes that were read only during the call.
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: scratch.bytes[..<count])
            try sink(unsafe bytes.bindMemory(to: UInt8.self).span)
        }
    }
}

extension MultipartFormData {
    /// Encodes to memory if the form is short, else to a temporary file, for a client that sends `Data` and files by
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
    /// Content is read as ``chunks(ofSize:from:bytesPerSecond:progress:)`` reads it, and the file is written on a
    /// thread of Dispatch. The file lives as long as the call.
    ///
    /// - Parameters:
    ///   - limit: The maximum length of a message to keep in memory, in bytes. A message of unknown length stays in
    ///     memory until it exceeds the limit. With URLSession on Linux, which may crash when it uploads a file, pass
    ///     `.max`.
    ///   - temporaryDirectory: Where to create the file; nil for the system's temporary directory.
    ///   - progress: Receives how much has been encoded.
    ///   - body: Called once with the message, where the caller runs. When it returns or throws, the file is removed.
    /// - Returns: What `body` returns.
    /// - Throws: ``MultipartError``: what ``encode()`` throws, or a file that cannot be created or written;
    ///   `CancellationError` if the task is cancelled while encoding; else what `body` throws.
    public func withEncodedForm<Result>(
        inMemoryUpTo limit: Int,
        temporaryDirectory: URL? = nil,
        progress: EncodingProgress? = nil,
        _ body: (EncodedForm) async throws -> Result
    ) async throws -> Result {
        let plan = try EncodingPlan(self, allowsAsynchronous: true)
        if let length = plan.length.flatMap(Int.init(exactly:)), length <= limit {
            // One chunk of the message's whole length.
            var chunks = chunks(ofSize: length, progress: progress).makeAsyncIterator()
            return try await call(body, with: .data(try await chunks.next() ?? Data()))
        }
        var chunks = chunks(ofSize: 1 << 20, progress: progress).makeAsyncIterator()
        // A message of unknown length stays in memory until it exceeds the limit.
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

    /// Writes `start` and all further `chunks` to a temporary file. Empties `start`, so that its memory is freed early.
    private func writeTemporaryFile(
        in directory: URL,
        _ start: inout Data,
        _ chunks: inout EncodedFormChunks.AsyncIterator
    ) async throws -> TemporaryFile {
        guard directory.isLocalFile else { throw MultipartError(.outputStreamURLInvalid, path: directory.errorText) }
        let path = directory.path
        let output = OffloadedState<(writer: TemporaryFileWriter?, file: TemporaryFile?)>((nil, nil))
        try await output.perform { output in
            output.writer = try MultipartError.wrap(
                .outputStreamCreationFailed,
                path: path,
                try TemporaryFileWriter(in: directory, prefix: "form-")
            )
        }
        var next = start.isEmpty ? try await chunks.next() : start
        start = Data()
        while let chunk = next {
            try await output.perform { output in
                try MultipartError.wrap(
                    .outputStreamWriteFailed,
                    path: path,
                    try output.writer?.pieces.write(chunk.span)
                )
            }
            next = try await chunks.next()
        }
        try await output.perform { output in
            output.file = try MultipartError.wrap(.outputStreamWriteFailed, path: path, try output.writer?.finish())
        }
        guard let file = output.value.file else { preconditionFailure("a finished writer has a file") }
        return file
    }
}
