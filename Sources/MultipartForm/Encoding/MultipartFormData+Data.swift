public import Foundation

extension MultipartFormData {
    /// The length of the encoded form in bytes, for a Content-Length field.
    ///
    /// Exact; nil only if a content's length is unknown, or if ``encode(progress:)`` would throw for a header or a sum
    /// of lengths. No content is read.
    ///
    /// - Complexity: O(*n*) in the number of parts and the length of their headers.
    public var encodedLength: UInt64? {
        (try? EncodingPlan(self, allowsAsynchronous: true))?.length
    }

    /// The encoded form, whole in memory.
    ///
    /// Encoding again gives the same bytes, unless a part is a stream that can be read once.
    ///
    /// - Parameter progress: Gets the total and the completed count in bytes; the total is -1 if it is unknown.
    ///   Cancelling it ends the encoding.
    /// - Returns: The whole message.
    /// - Throws: ``MultipartError``: the form's ``firstError``, a header that cannot be written, a content
    ///   that cannot be read or does not have its declared length, a collision with a boundary that you chose, or
    ///   ``MultipartError/Code/cancelled``.
    public func encode(progress: Progress? = nil) throws(MultipartError) -> Data {
        try Self.encode(EncodingPlan(self), progress: progress)
    }

    /// Encodes into memory of exactly the plan's length.
    static func encode(_ plan: EncodingPlan, progress: Progress?) throws(MultipartError) -> Data {
        var reader = FormDataReader(plan, progress: progress)
        guard let length = reader.length else { return try reader.next(maxLength: .max) ?? Data() }
        // The declared length may be anything: the system decides whether there is room, and no page is touched before
        // it is needed.
        guard let count = Int(exactly: length), let memory = unsafe MessageMemory.allocate(count) else {
            throw MultipartError(.encodedLengthTooLarge)
        }
        do throws(MultipartError) {
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
    /// A client that sends many forms keeps one buffer, since fresh memory costs several times the copy. `Data`
    /// releases its memory when it is emptied: cut the buffer back, with `removeSubrange(_:)`, to what stands before
    /// the form, such as a request's head of a byte or more.
    ///
    /// - Parameters:
    ///   - data: Where to append. If an error is thrown it is as long as before.
    ///   - progress: As in ``encode(progress:)``.
    /// - Throws: ``MultipartError``, as ``encode(progress:)`` does.
    public func encode(into data: inout Data, progress: Progress? = nil) throws(MultipartError) {
        let plan = try EncodingPlan(self)
        guard let length = plan.length else {
            let message = try Self.encode(plan, progress: progress)
            try Self.reserve(UInt64(message.count), in: &data)
            data.append(message)
            return
        }
        try Self.reserve(length, in: &data)
        var reader = FormDataReader(plan, progress: progress)
        let before = data.count
        do throws(MultipartError) {
            while !reader.isAtEnd {
                if try !reader.appendContent(to: &data) { try Self.appendBlock(of: &reader, to: &data) }
            }
        } catch {
            data.removeLast(data.count - before)
            throw error
        }
    }

    /// Appends the next bytes to a buffer with room for them.
    private static func appendBlock(of reader: inout FormDataReader, to data: inout Data) throws(MultipartError) {
        let start = data.count
        // `Data` grows by writing zeros. So few at a time are still in the core's caches when the bytes come.
        data.count += reader.chunkLength(64 * 1024)
        let result = unsafe data.withUnsafeMutableBytes { bytes in
            Result { () throws(MultipartError) in
                // SAFETY: what `data` has just grown by.
                unsafe try reader.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[start...]))
            }
        }
        _ = try result.get()
    }

    /// Makes room for more bytes in a buffer, which would end the process if it grew where the system refuses memory.
    private static func reserve(_ count: UInt64, in data: inout Data) throws(MultipartError) {
        let (capacity, overflow) = data.count.addingReportingOverflow(Int(clamping: count))
        guard !overflow, let memory = unsafe MessageMemory.allocate(capacity) else {
            throw MultipartError(.encodedLengthTooLarge)
        }
        // SAFETY: the memory only shows that there is as much, and is not used.
        unsafe free(memory)
        data.reserveCapacity(capacity)
    }

    /// A reader of the encoded form: pull buffers from it until it yields none.
    ///
    /// - Parameter progress: As in ``encode(progress:)``. It counts bytes as they are delivered, at most every 4 KiB.
    /// - Returns: A reader at the message's start.
    /// - Throws: ``MultipartError``: the form's ``firstError``, or a header that cannot be written.
    public func makeReader(progress: Progress? = nil) throws(MultipartError) -> FormDataReader {
        FormDataReader(try EncodingPlan(self), progress: progress)
    }
}
