#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Encodes a form to memory, or creates a reader of its bytes.
extension MultipartFormData {
    /// The length of the encoded form in bytes, for a Content-Length field.
    ///
    /// The length is exact. No content is read. The property is nil only in these cases:
    /// - The length of a content is unknown.
    /// - ``encode()`` would throw the form's ``firstError``.
    /// - ``encode()`` would throw an error of the boundary, of a header, or of the total length.
    ///
    /// - Complexity: O(*n*) in the number of parts and the length of their headers.
    public var encodedLength: UInt64? {
        (try? EncodingPlan(self, allowsAsynchronous: true))?.length
    }

    /// Encodes the form to memory. Use this method for a short form.
    ///
    /// Encoding again gives the same bytes, unless a part is a stream that can be read only once.
    ///
    /// - Returns: The whole message.
    /// - Throws: ``MultipartError`` in these cases:
    ///   - The form has a ``firstError``.
    ///   - The boundary or a header cannot be sent.
    ///   - A content cannot be read, is asynchronous, or does not have its declared length.
    ///   - You chose the boundary, and a content contains two hyphens and the boundary.
    ///   - The message does not fit in memory.
    public func encode() throws -> Data {
        try Self.encode(EncodingPlan(self))
    }

    /// Encodes the message as one chunk. If the length of the message is known, allocates exactly that much memory.
    private static func encode(_ plan: EncodingPlan) throws(MultipartError) -> Data {
        var reader = EncodedFormReader(plan)
        var message = ChunkMemory()
        message.limit = reader.chunkLength(.max)
        if let length = plan.length {
            guard length <= Int.max, message.reserve() else { throw tooLarge(length) }
        }
        try reader.fill(&message, from: .stream)
        precondition(plan.length == nil || message.isFull, "a reader yields the length of its plan")
        return message.take() ?? Data()
    }

    private static func tooLarge(_ length: UInt64) -> MultipartError {
        MultipartError(ErrorCode.encodedLengthTooLarge, "message of \(length) bytes does not fit in memory")
    }

    /// Appends the encoded form to a buffer.
    ///
    /// If you send many forms, reuse one buffer, because getting fresh memory takes several times as long as copying
    /// the bytes. A `Data` that becomes empty releases its memory. So leave some bytes in the buffer, such as the head
    /// of a request, and remove only the form, with `removeSubrange(_:)`.
    ///
    /// - Parameter data: The buffer. If this method throws, the length of the buffer is unchanged.
    /// - Throws: ``MultipartError``, as ``encode()`` does.
    public func encode(into data: inout Data) throws {
        let plan = try EncodingPlan(self)
        guard let length = plan.length else {
            let message = try Self.encode(plan)
            try Self.reserve(UInt64(message.count), in: &data)
            data.append(message)
            return
        }
        try Self.reserve(length, in: &data)
        var reader = EncodedFormReader(plan)
        let before = data.count
        do throws(MultipartError) {
            while !reader.isAtEnd { try reader.append(to: &data) }
        } catch {
            data.removeLast(data.count - before)
            throw error
        }
    }

    /// Reserves room for `count` more bytes. Throws if the system refuses the memory. Without this check, `Data` would
    /// end the process.
    private static func reserve(_ count: UInt64, in data: inout Data) throws(MultipartError) {
        let (capacity, overflow) = data.count.addingReportingOverflow(Int(clamping: count))
        guard !overflow, let memory = unsafe SystemMemory.allocate(capacity) else {
            throw tooLarge(count)
        }
        // SAFETY: the allocation only shows that the system can provide the memory. Nothing uses this memory.
        unsafe SystemMemory.release(memory)
        data.reserveCapacity(capacity)
    }

    /// Creates a reader of the encoded form, for a socket or a pipe that you write to.
    ///
    /// Read until the reader returns no more bytes.
    ///
    /// The reader moves to the offset without returning bytes:
    /// - If content ends before the offset and its length is known, the reader does not open the content.
    /// - If content ends before the offset and its length is unknown, the reader reads and discards the content.
    /// - If the offset is within content in memory or in a file, the reader seeks.
    /// - If the offset is within a stream, the reader reads and discards the bytes before the offset.
    ///
    /// The content at the offset must still have its declared length. If you chose the boundary, the reader also
    /// searches the last bytes of content before the offset, because a boundary may begin there and end after the
    /// offset.
    ///
    /// - Parameter offset: The offset in the message at which to begin, in bytes, to resume an upload; at most the
    ///   length of the message.
    /// - Returns: A reader whose next byte is the byte at the offset.
    /// - Throws: ``MultipartError``:
    ///   - the form's ``firstError``;
    ///   - an error of the boundary, of a header, or of the total length;
    ///   - `body-part-is-asynchronous`;
    ///   - `offset-beyond-end`;
    ///   - `not-replayable`, if a stream must be read again but can be read only once;
    ///   - an error in reading content up to the offset.
    public func makeReader(from offset: UInt64 = 0) throws -> EncodedFormReader {
        var reader = EncodedFormReader(try EncodingPlan(self))
        if offset > 0 { _ = try reader.move(to: offset, from: .stream) }
        return reader
    }
}

extension EncodedFormReader {
    /// Appends the next bytes of the message to a buffer that has enough capacity.
    fileprivate mutating func append(to data: inout Data) throws(MultipartError) {
        // Content in memory that need not be searched for the boundary: appends the rest of it at once.
        if isInContent, collisionCheck == nil, case .data(let bytes) = nextContent {
            let rest = bytes.dropFirst(Int(clamping: content?.delivered ?? 0))
            data.append(rest)
            endContent()
            return try advance(by: rest.count)
        }
        let start = data.count
        // `Data` fills new memory with zeros. So `data` grows by at most 64 KiB at a time: the zeros are then still in
        // the CPU's cache when the message overwrites them.
        data.count += chunkLength(64 * 1024)
        let result = unsafe data.withUnsafeMutableBytes { bytes in
            Result { () throws(MultipartError) in
                // SAFETY: `bytes[start...]` are the bytes by which `data` has just grown.
                unsafe try read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[start...]), from: .stream)
            }
        }
        _ = try result.get()
    }
}
