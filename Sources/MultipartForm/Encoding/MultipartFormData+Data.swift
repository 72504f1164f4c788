public import Foundation

extension MultipartFormData {
    /// The length of the encoded form in bytes, for a Content-Length field.
    ///
    /// Exact; nil only if a content's length is unknown, or if ``encode(progress:)`` would throw for a header or a sum of
    /// lengths. The contents are not read.
    public var encodedLength: UInt64? {
        (try? EncodingPlan(self, allowsAsynchronous: true))?.length
    }

    /// The encoded form, whole in memory.
    ///
    /// Encoding again gives the same bytes, unless a part is a stream that can be read once.
    ///
    /// - Parameter progress: Told the total and the completed count in bytes; the total is -1 if it is unknown.
    ///   Cancelling it ends the encoding.
    /// - Returns: The whole message.
    /// - Throws: ``MultipartEncodingError``: the form's ``firstError``, a header that cannot be written, a content
    ///   that cannot be read or has not its declared length, a collision with a boundary chosen by the caller, or
    ///   ``MultipartEncodingError/Reason/cancelled``.
    public func encode(progress: Progress? = nil) throws(MultipartEncodingError) -> Data {
        try Self.encode(EncodingPlan(self), progress: progress)
    }

    /// Encodes into memory of exactly the plan's length.
    static func encode(_ plan: EncodingPlan, progress: Progress?) throws(MultipartEncodingError) -> Data {
        var reader = FormDataReader(plan, progress: progress)
        guard let length = reader.length else {
            var data = Data()
            try append(&reader, to: &data)
            return data
        }
        // The declared length may be anything: let the system say whether there is room, and touch no page before
        // it is needed.
        guard let count = Int(exactly: length), let memory = unsafe MessageMemory.allocate(count) else {
            throw MultipartEncodingError(.encodedLengthTooLarge)
        }
        do throws(MultipartEncodingError) {
            // SAFETY: the memory has count bytes, and becomes the result's own once the reader has filled it.
            let buffer = unsafe UnsafeMutableRawBufferPointer(start: memory, count: count)
            for start in stride(from: 0, to: count, by: MessageMemory.largePage) {
                let page = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: buffer[start...].prefix(MessageMemory.largePage)
                )
                // Linux clears a new page towards where it is touched, and is faster upwards by half.
                unsafe page[page.count - 1] = 0
                let filled = unsafe try reader.read(into: page)
                precondition(filled == page.count, "a reader yields the length of its plan")
            }
            return unsafe Data(bytesNoCopy: memory, count: count, deallocator: .free)
        } catch {
            unsafe free(memory)
            throw error
        }
    }

    /// Appends the encoded form to a buffer of the caller's.
    ///
    /// A client that sends many forms keeps one buffer and so spares the system's work of handing out fresh memory,
    /// which costs several times the copy. `Data` gives its memory back when it is emptied: cut the buffer back, with
    /// `removeSubrange(_:)`, to what stands before the form, such as a request's head of a byte or more.
    ///
    /// - Parameters:
    ///   - data: Where to append. If an error is thrown it is as long as before.
    ///   - progress: As in ``encode(progress:)``.
    /// - Throws: ``MultipartEncodingError``, as ``encode(progress:)`` does.
    public func encode(into data: inout Data, progress: Progress? = nil) throws(MultipartEncodingError) {
        var reader = try makeReader(progress: progress)
        let before = data.count
        do throws(MultipartEncodingError) {
            try Self.append(&reader, to: &data)
        } catch {
            data.removeLast(data.count - before)
            throw error
        }
    }

    /// A reader of the encoded form, for any way out: pull buffers from it until it yields none.
    ///
    /// - Parameter progress: As in ``encode(progress:)``. It is told of bytes as they are handed out, some thousand at a
    ///   time.
    /// - Returns: A reader at the message's start.
    /// - Throws: ``MultipartEncodingError``: the form's ``firstError``, or a header that cannot be written.
    public func makeReader(progress: Progress? = nil) throws(MultipartEncodingError) -> FormDataReader {
        FormDataReader(try EncodingPlan(self), progress: progress)
    }

    private static func append(
        _ reader: inout FormDataReader,
        to data: inout Data
    ) throws(MultipartEncodingError) {
        var room = BufferRoom()
        if let length = reader.length { try room.reserve(length, in: &data) }
        // SAFETY: the buffer is freed on every exit; only the bytes that were read are copied.
        let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 4096)
        defer { unsafe scratch.deallocate() }
        while unsafe try reader.append(to: &data, &room, through: scratch) {}
    }
}
