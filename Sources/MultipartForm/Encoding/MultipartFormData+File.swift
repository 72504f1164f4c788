public import Foundation

extension MultipartFormData {
    /// Writes the encoded form to a new file, with memory bounded by a buffer.
    ///
    /// Nothing may exist at the URL, and nothing is ever overwritten. The form is written beside it, under a name that
    /// begins with `.multipart-form-`, and gets its own name in one step when it is complete: a process that is killed
    /// leaves no half file there. If anything fails, what was written is removed.
    ///
    /// - Parameters:
    ///   - fileURL: The file to create.
    ///   - progress: Gets the total and the completed count in bytes; the total is -1 if it is unknown. Cancelling it
    ///     ends the writing.
    /// - Throws: ``MultipartError``: what ``encode(progress:)`` throws, a file that exists, cannot be created or
    ///   written, or ``MultipartError/Code/cancelled``.
    public func writeEncodedData(to fileURL: URL, progress: Progress? = nil) throws(MultipartError) {
        let plan = try EncodingPlan(self)
        guard fileURL.isLocalFile else { throw MultipartError(.outputStreamURLInvalid, path: fileURL.errorText) }
        let file: AtomicFile
        do {
            file = try AtomicFile(creating: fileURL.path, permissions: 0o666)
        } catch {
            throw MultipartError(.outputStreamCreationFailed, writing: fileURL, error)
        }
        // SAFETY: the bytes are those that were read, and are written before the buffer is used again.
        _ = unsafe try Self.write(plan, progress, fileURL) { bytes throws(POSIXError) in unsafe try file.write(bytes) }
        try file.finish(at: fileURL)
    }

    /// The encoded form in memory if it is short, else in a temporary file.
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
    ) throws(MultipartError) -> EncodedForm {
        let plan = try EncodingPlan(self)
        if let length = plan.length, length <= limit {
            return .data(try Self.encode(plan, progress: progress))
        }
        let directory = directory ?? FileSystem.temporaryDirectory
        guard directory.isLocalFile else { throw MultipartError(.outputStreamURLInvalid, path: directory.errorText) }
        let url = directory.appendingPathComponent(TemporaryName.random(prefix: "form-"), isDirectory: false)
        let file: OutputFile
        do {
            file = try OutputFile(creating: url.path, permissions: FileSystem.privateMode)
        } catch {
            throw MultipartError(.outputStreamCreationFailed, path: directory.path, underlying: error)
        }
        // SAFETY: the bytes are those that were read, and are written before the buffer is used again.
        let length = unsafe try Self.write(plan, progress, directory) { bytes throws(POSIXError) in
            unsafe try file.write(bytes)
        }
        do {
            return .file(EncodedForm.File(TemporaryFile(at: url, try file.keep(), length: length)))
        } catch {
            throw MultipartError(.outputStreamWriteFailed, path: directory.path, underlying: error)
        }
    }

    /// Writes a form through one buffer, and returns its length in bytes.
    private static func write(
        _ plan: EncodingPlan,
        _ progress: Progress?,
        _ url: URL,
        to file: (UnsafeRawBufferPointer) throws(POSIXError) -> Void
    ) throws(MultipartError) -> UInt64 {
        var reader = FormDataReader(plan, progress: progress)
        let scratch = ScratchBuffer(count: 1 << 20)
        while true {
            // SAFETY: only the bytes that were read are passed on.
            let count = unsafe try reader.read(into: scratch.bytes)
            guard count > 0 else { return reader.offset }
            do {
                unsafe try file(UnsafeRawBufferPointer(rebasing: scratch.bytes[..<count]))
            } catch {
                throw MultipartError(.outputStreamWriteFailed, path: url.path, underlying: error)
            }
        }
    }
}
