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
            var assembler = FormAssembler(boundary: boundary, options)
            var worker = FileWorker()
            let scratch = ScratchBuffer(count: 64 * 1024)
            var count: Int
            repeat {
                do {
                    count = unsafe try reader.read(into: scratch.bytes)
                } catch {
                    count = 0
                    assembler.fail(error)
                }
                // SAFETY: the assembler and the worker read only the first `count` bytes, which were read from the
                // stream.
                let bytes = unsafe UnsafeRawBufferPointer(rebasing: scratch.bytes[..<count]).bindMemory(to: UInt8.self)
                    .span
                assembler.assemble(bytes, isLast: count == 0, route)
                try worker.perform(assembler.work.steps, in: bytes)
                assembler.work.removeAll()
            } while count > 0
            self = assembler.form
        }
    }
#endif
