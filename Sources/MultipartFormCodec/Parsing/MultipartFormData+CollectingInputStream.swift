#if FullFoundation
    public import Foundation

    // Collects forms from Foundation's input streams.
    extension MultipartFormData {
        /// Collects a message from a stream: short content in memory, long files on disk. Call it on a thread that may
        /// block.
        ///
        /// - Parameters:
        ///   - stream: The message. The initializer opens the stream if necessary, reads it to its end, and closes it.
        ///   - contentType: The Content-Type field's value, such as `multipart/form-data; boundary=x`; nil if the
        ///     message has no such field.
        ///   - options: How to parse and keep the message, and the limits on its size.
        ///   - route: Called with a part's header fields, before the part's body arrives. Returns what to do with the
        ///     part, or throws any error. All parts are accepted by default.
        /// - Throws: ``MultipartError`` if the stream cannot be read, or if the field or the message is malformed,
        ///   exceeds a limit, was cut off or cannot be kept. An error that `route` throws is rethrown unchanged. After
        ///   an error, no file is left.
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
                    // SAFETY: the assembler reads only the first `count` bytes, which were read from the stream.
                    count = unsafe try reader.read(into: scratch.bytes)
                } catch {
                    // Before `error` is thrown, the buffered bytes are written. If the write fails, the write's error
                    // is thrown instead, because it concerns earlier bytes.
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
