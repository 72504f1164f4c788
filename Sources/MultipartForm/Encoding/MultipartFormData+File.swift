public import Foundation

extension MultipartFormData {
    /// Writes the encoded form to a new file, such as for a background session. Never overwrites anything.
    ///
    /// The form is written beside the URL, under a name that begins with `.multipart-form-`, and renamed when it is
    /// complete: a killed process leaves no half file at the URL. If anything fails, the file is removed.
    ///
    /// - Parameters:
    ///   - fileURL: The file to create.
    ///   - progress: Gets the total and the completed count in bytes; the total is -1 if it is unknown. Cancelling it
    ///     ends the writing.
    /// - Throws: ``MultipartError``: what ``encode(progress:)`` throws, a file that exists, cannot be created or
    ///   written, or ``MultipartError/Code/cancelled``.
    public func writeEncodedData(to fileURL: URL, progress: Progress? = nil) throws {
        let plan = try EncodingPlan(self)
        let file = try AtomicFile(at: fileURL) { path throws(POSIXError) in
            try OutputFile(creating: path, permissions: 0o666)
        }
        var reader = EncodedFormReader(plan, progress: progress)
        try reader.forEachBuffer { bytes throws(MultipartError) in try file.write(bytes) }
        try file.finish()
    }

    /// The encoded form in memory if it is short, else in a temporary file, where a form may have any length.
    ///
    /// - Parameters:
    ///   - limit: The longest message to keep in memory, in bytes. A message of unknown length is written to a file.
    ///   - directory: Where to create the file; the system's temporary directory unless given.
    ///   - progress: As in ``writeEncodedData(to:progress:)``.
    /// - Returns: The message; its file is removed with its last reference.
    /// - Throws: ``MultipartError``, as ``encode(progress:)`` and ``writeEncodedData(to:progress:)`` do.
    public func encode(
        inMemoryUpTo limit: UInt64,
        directory: URL? = nil,
        progress: Progress? = nil
    ) throws -> EncodedForm {
        let plan = try EncodingPlan(self)
        if let length = plan.length, length <= limit {
            return .data(try Self.encode(plan, progress: progress))
        }
        let directory = directory ?? FileSystem.temporaryDirectory
        guard directory.isLocalFile else { throw MultipartError(.outputStreamURLInvalid, path: directory.errorText) }
        let path = directory.path
        var file = try MultipartError.wrap(
            .outputStreamCreationFailed,
            path: path,
            try TemporaryFileWriter(in: directory, prefix: "form-")
        )
        var reader = EncodedFormReader(plan, progress: progress)
        try reader.forEachBuffer { bytes throws(MultipartError) in
            try MultipartError.wrap(.outputStreamWriteFailed, path: path, try file.write(bytes))
        }
        let content = try MultipartError.wrap(.outputStreamWriteFailed, path: path, try file.finish())
        return .file(EncodedForm.File(content))
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
