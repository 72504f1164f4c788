public import Foundation

extension MultipartFormData {
    /// Writes the encoded form to a new file, with memory bounded by a buffer.
    ///
    /// Nothing may stand at the URL, and nothing is ever overwritten. The form is written beside it, under a name that
    /// begins with `.multipart-form-`, and gets its own name in one step when it is complete: a process that is killed
    /// leaves no half file there. If anything fails, what was written is removed.
    ///
    /// - Parameters:
    ///   - fileURL: The file to create.
    ///   - progress: Told the total and the completed count in bytes; the total is -1 if it is unknown. Cancelling it
    ///     ends the writing.
    /// - Throws: ``MultipartEncodingError``: what ``encode(progress:)`` throws, a file that exists, cannot be created or
    ///   written, or ``MultipartEncodingError/Reason/cancelled``.
    public func writeEncodedData(to fileURL: URL, progress: Progress? = nil) throws(MultipartEncodingError) {
        let plan = try EncodingPlan(self)
        guard fileURL.isLocalFile else { throw MultipartEncodingError(.outputStreamURLInvalid(url: fileURL)) }
        let file: AtomicFile
        do {
            file = try AtomicFile(creating: fileURL.path, permissions: 0o666)
        } catch {
            throw MultipartEncodingError(creating: fileURL, failedBy: error)
        }
        // SAFETY: the bytes are those that were read, and are written before the buffer is used again.
        _ = unsafe try Self.write(plan, progress) { bytes throws(POSIXError) in unsafe try file.write(bytes) }
        do {
            try file.finish()
        } catch {
            throw MultipartEncodingError(completing: fileURL, failedBy: error)
        }
    }

    /// The encoded form in memory if it is short, else in a temporary file.
    ///
    /// - Parameters:
    ///   - limit: The longest message to keep in memory, in bytes. A message of unknown length goes to a file.
    ///   - directory: Where to create the file; the system's temporary directory unless given.
    ///   - progress: As in ``writeEncodedData(to:progress:)``.
    /// - Returns: The message; its file is removed with its last reference.
    /// - Throws: ``MultipartEncodingError``, as ``encode(progress:)`` and ``writeEncodedData(to:progress:)`` do.
    public func encode(
        inMemoryUpTo limit: UInt64 = 10_000_000,
        directory: URL? = nil,
        progress: Progress? = nil
    ) throws(MultipartEncodingError) -> EncodedForm {
        let plan = try EncodingPlan(self)
        if let length = plan.length, length <= limit {
            return .data(try Self.encode(plan, progress: progress))
        }
        let directory = directory ?? FileSystem.temporaryDirectory
        guard directory.isLocalFile else { throw MultipartEncodingError(.outputStreamURLInvalid(url: directory)) }
        let url = directory.appendingPathComponent(TemporaryName.random(prefix: "form-"), isDirectory: false)
        let file: OutputFile
        do {
            file = try OutputFile(creating: url.path, permissions: 0o600)
        } catch {
            throw MultipartEncodingError(creating: url, failedBy: error)
        }
        // SAFETY: the bytes are those that were read, and are written before the buffer is used again.
        let length = unsafe try Self.write(plan, progress) { bytes throws(POSIXError) in unsafe try file.write(bytes) }
        do {
            return .file(EncodedFile(url: url, try file.keep(), length: length))
        } catch {
            throw MultipartEncodingError(.outputStreamWriteFailed, underlying: error)
        }
    }

    /// Writes to any sink through one buffer; the sink may throw.
    package func write(
        bufferSize: Int = 1 << 20,
        progress: Progress? = nil,
        to sink: (UnsafeRawBufferPointer) throws(MultipartEncodingError) -> Void
    ) throws(MultipartEncodingError) -> UInt64 {
        // SAFETY: the sink is given what was read, and uses it inside the call only.
        unsafe try Self.pump(try EncodingPlan(self), bufferSize: bufferSize, progress: progress, to: sink)
    }

    private static func write(
        _ plan: EncodingPlan,
        _ progress: Progress?,
        to file: (UnsafeRawBufferPointer) throws(POSIXError) -> Void
    ) throws(MultipartEncodingError) -> UInt64 {
        // SAFETY: what was read is handed on.
        unsafe try pump(plan, bufferSize: 1 << 20, progress: progress) { bytes throws(MultipartEncodingError) in
            do {
                unsafe try file(bytes)
            } catch {
                throw MultipartEncodingError(.outputStreamWriteFailed, underlying: error)
            }
        }
    }

    private static func pump(
        _ plan: EncodingPlan,
        bufferSize: Int,
        progress: Progress?,
        to sink: (UnsafeRawBufferPointer) throws(MultipartEncodingError) -> Void
    ) throws(MultipartEncodingError) -> UInt64 {
        var reader = FormDataReader(plan, progress: progress)
        // SAFETY: the buffer is freed on every exit; only the bytes that were read are passed on.
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 4096)
        defer { unsafe buffer.deallocate() }
        while true {
            let count = unsafe try reader.read(into: buffer)
            guard count > 0 else { return reader.offset }
            unsafe try sink(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }
}
