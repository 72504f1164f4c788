#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension MultipartFormData {
    /// Writes the encoded form to a new file, such as for a background session. Never overwrites anything.
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
        let file = try AtomicFile(at: fileURL) { path throws(POSIXError) in
            try OutputFile(creating: path, permissions: 0o666)
        }
        var reader = EncodedFormReader(plan, progress: progress)
        try reader.forEachBuffer { bytes throws(MultipartError) in try file.write(bytes) }
        try file.finish()
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
