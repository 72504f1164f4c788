#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension MultipartFormData {
    /// Writes the encoded form to a new file, such as for a background session. Never overwrites anything. It blocks the
    /// thread until the file is complete: in asynchronous code, the method of the same name that is awaited does not.
    ///
    /// The form is written beside the URL, under a name that begins with `.multipart-form-`, and renamed when it is
    /// complete: a killed process leaves no half file at the URL. If anything fails, the file is removed. Who may read it is
    /// as for any file that the process creates: its mode is 0o666 without the process' mask.
    ///
    /// - Parameters:
    ///   - fileURL: The file to create.
    ///   - progress: Receives how much has been written.
    /// - Throws: ``MultipartError``: what ``encode()`` throws, a file that exists, cannot be created or
    ///   written, or ``MultipartError/Code/cancelled``.
    public func writeEncodedData(to fileURL: URL, progress: EncodingProgress? = nil) throws {
        let plan = try EncodingPlan(self)
        let file = try AtomicFile(at: fileURL)
        var reader = EncodedFormReader(plan, progress: progress)
        try reader.forEachBuffer { bytes throws(MultipartError) in try file.write(bytes) }
        try file.finish()
    }

    /// Writes the encoded form to a new file, and leaves the caller's actor free meanwhile. Never overwrites anything.
    ///
    /// It is ``writeEncodedData(to:progress:)-2ga63`` on another thread, but for two things: the form may have asynchronous
    /// sequences, and if the task is cancelled, the encoding ends and the file is removed.
    ///
    /// At the top level of `main.swift`, Swift 6.3 calls the other one even after `await`; call this one in a function.
    ///
    /// - Parameters:
    ///   - fileURL: The file to create.
    ///   - progress: Receives how much has been encoded.
    /// - Throws: ``MultipartError``: what ``encode()`` throws but for asynchronous sequences, a file that exists, cannot be
    ///   created or written, or ``MultipartError/Code/cancelled``; `CancellationError` if the task is cancelled.
    public func writeEncodedData(to fileURL: URL, progress: EncodingProgress? = nil) async throws {
        // Fails before there is a file.
        _ = try EncodingPlan(self, allowsAsynchronous: true)
        let file = Offloaded<AtomicFile?>(nil)
        try await file.perform { $0 = try AtomicFile(at: fileURL) }
        for try await chunk in chunks(ofSize: 1 << 20, progress: progress) {
            try await file.perform { try $0?.write(chunk.span) }
        }
        try await file.perform { try $0?.finish() }
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
