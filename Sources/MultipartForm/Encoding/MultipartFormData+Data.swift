#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Encodes forms to memory, or through a reader.
extension MultipartFormData {
    /// The length of the encoded form in bytes, for a Content-Length field.
    ///
    /// The length is exact. It is nil only if a content's length is unknown, or if ``encode()`` would throw the
    /// ``firstError`` or an error of a header or of the total length. No content is read.
    ///
    /// - Complexity: O(*n*) in the number of parts and the length of their headers.
    public var encodedLength: UInt64? {
        (try? EncodingPlan(self, allowsAsynchronous: true))?.length
    }

    /// Encodes the form to memory, for a short form.
    ///
    /// Encoding again gives the same bytes, unless a part is a stream that can be read only once.
    ///
    /// - Returns: The whole message.
    /// - Throws: ``MultipartError``: the form's ``firstError``, a header that cannot be written, a content that cannot
    ///   be read or does not have its declared length, or a boundary of your choice that occurs in a content.
    public func encode() throws -> Data {
        try Self.encode(EncodingPlan(self))
    }

    /// Encodes into one chunk, whose memory is exactly as long as the message if its length is known.
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
    /// A client that sends many forms should reuse one buffer, since fresh memory costs several times the copy. `Data`
    /// releases its memory when it becomes empty: use `removeSubrange(_:)` to remove only the form, and keep what
    /// precedes it, such as a request's head.
    ///
    /// - Parameter data: The buffer. If an error is thrown, its length is unchanged.
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

    /// Reserves room for more bytes. Throws if the system refuses the memory; `Data` would then end the process.
    private static func reserve(_ count: UInt64, in data: inout Data) throws(MultipartError) {
        let (capacity, overflow) = data.count.addingReportingOverflow(Int(clamping: count))
        guard !overflow, let memory = unsafe SystemMemory.allocate(capacity) else {
            throw tooLarge(count)
        }
        // SAFETY: the allocation only shows that the system has the memory; it is not used.
        unsafe SystemMemory.release(memory)
        data.reserveCapacity(capacity)
    }

    /// Creates a reader of the encoded form, for a socket or a pipe that you write to; read until it returns no more
    /// bytes.
    ///
    /// Content that ends before the offset is not opened if its length is known; otherwise it is read and discarded. In
    /// the content at the offset, the reader seeks if the content is in memory or in a file; bytes of a stream are read
    /// and discarded. This content must still have its declared length. If you chose the boundary, the bytes right
    /// before the offset are also searched, for a boundary that ends after the offset.
    ///
    /// - Parameter offset: Where in the message to begin, in bytes, to resume an upload there; at most its length.
    /// - Returns: A reader whose next byte is the one at the offset.
    /// - Throws: ``MultipartError``: the form's ``firstError``, or a header that cannot be written;
    ///   `offset-beyond-end`; `not-replayable` if a consumed stream must be read
    ///   again; or an error of the content at the offset.
    public func makeReader(from offset: UInt64 = 0) throws -> EncodedFormReader {
        var reader = EncodedFormReader(try EncodingPlan(self))
        if offset > 0 { _ = try reader.move(to: offset, from: .stream) }
        return reader
    }
}

extension EncodedFormReader {
    /// Appends the next bytes to a buffer that has enough capacity.
    fileprivate mutating func append(to data: inout Data) throws(MultipartError) {
        // Content in memory is appended whole if it need not be searched for the boundary.
        if isInContent, collisionCheck == nil, case .data(let bytes) = nextContent {
            let rest = bytes.dropFirst(Int(clamping: content?.delivered ?? 0))
            data.append(rest)
            endContent()
            return try advance(by: rest.count)
        }
        let start = data.count
        // `Data` grows by writing zeros. At most 64 KiB of them are written at a time, so that they are still in the
        // cache when they are overwritten.
        data.count += chunkLength(64 * 1024)
        let result = unsafe data.withUnsafeMutableBytes { bytes in
            Result { () throws(MultipartError) in
                // SAFETY: the bytes by which `data` has just grown.
                unsafe try read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[start...]), from: .stream)
            }
        }
        _ = try result.get()
    }
}
