#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

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
    /// Content is read as ``chunks(ofSize:from:bytesPerSecond:progress:)`` reads it, and the file is written on a thread of
    /// Dispatch. The file lives as long as the call.
    ///
    /// - Parameters:
    ///   - limit: The longest message to keep in memory, in bytes. A message of unknown length is written to a file.
    ///   - temporaryDirectory: Where to create the file; nil for the system's temporary directory.
    ///   - progress: Receives how much has been encoded.
    ///   - body: Is called once with the message, where the caller runs. When it returns or throws, the file is removed.
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
            // A message is not empty, and so is one chunk.
            var chunks = chunks(ofSize: length, progress: progress).makeAsyncIterator()
            return try await call(body, with: .data(try await chunks.next() ?? Data()))
        }
        let file = try await writeTemporaryFile(in: temporaryDirectory ?? FileSystem.temporaryDirectory, progress)
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
            await returnToCaller()
            throw error
        }
    }

    private func writeTemporaryFile(in directory: URL, _ progress: EncodingProgress?) async throws -> TemporaryFile {
        guard directory.isLocalFile else { throw MultipartError(.outputStreamURLInvalid, path: directory.errorText) }
        let path = directory.path
        let output = Offloaded<(writer: TemporaryFileWriter?, file: TemporaryFile?)>((nil, nil))
        try await output.perform { output in
            output.writer = try MultipartError.wrap(
                .outputStreamCreationFailed,
                path: path,
                try TemporaryFileWriter(in: directory, prefix: "form-")
            )
        }
        for try await chunk in chunks(ofSize: 1 << 20, progress: progress) {
            try await output.perform { output in
                try MultipartError.wrap(.outputStreamWriteFailed, path: path, try output.writer?.write(chunk.span))
            }
        }
        try await output.perform { output in
            output.file = try MultipartError.wrap(.outputStreamWriteFailed, path: path, try output.writer?.finish())
        }
        guard let file = output.value.file else { preconditionFailure("a finished writer has a file") }
        return file
    }
}
