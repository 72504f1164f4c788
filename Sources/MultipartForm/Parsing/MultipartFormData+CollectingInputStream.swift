#if FullFoundation
    public import Foundation

    // Collects forms from Foundation's input streams.
    extension MultipartFormData {
        /// Collects a message from a stream, on a thread that may block: short content in memory, long files on disk.
        ///
        /// - Parameters:
        ///   - stream: The message. The stream is opened if it is not open, read to its end, and closed.
        ///   - contentType: The Content-Type field's value, such as `multipart/form-data; boundary=x`; nil if it is
        ///     absent.
        ///   - options: How to parse and keep the message, and the limits on its size.
        ///   - route: Decides by a part's header fields what to do with it; all parts are accepted by default.
        /// - Throws: ``MultipartError`` if the field or the message is malformed, exceeds a limit, was cut off or
        ///   cannot be kept, or the stream cannot be read; or what the route throws. No file is then left.
        public init(
            collecting stream: InputStream,
            contentType: String?,
            options: MultipartCollector.Options = MultipartCollector.Options(),
            route: (HeaderFields) throws -> MultipartCollector.Route = { _ in .accept }
        ) throws {
            let boundary = try options.parser.boundary(of: contentType)
            var reader = ContentReader(try OpenedInputStream(stream))
            var parser = MultipartParser(reported: boundary, options.parser)
            var assembler = FormAssembler(boundary: boundary, options)
            let scratch = ScratchBuffer(count: 64 * 1024)
            var hasEnded = false
            while !hasEnded {
                let count: Int
                do {
                    // SAFETY: the assembler reads only the bytes that were read from the stream.
                    count = unsafe try reader.read(into: scratch.bytes)
                } catch {
                    // If the kept bytes cannot be written, that error counts: they came before what else has failed.
                    try assembler.flushFile()
                    throw error
                }
                if count == 0 {
                    parser.finish()
                    hasEnded = true
                }
                let bytes = unsafe UnsafeRawBufferPointer(rebasing: scratch.bytes[..<count]).bindMemory(to: UInt8.self)
                    .span
                try assembler.assemble(bytes, of: &parser, route)
            }
            self = assembler.form
        }
    }
#endif
