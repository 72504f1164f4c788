public import Foundation

extension MultipartFormData {
    /// The length of the encoded form in bytes, for a Content-Length field.
    ///
    /// Exact; nil only if a content's length is unknown, or if ``encode()`` would throw for a header or a sum of
    /// lengths. The contents are not read.
    public var encodedLength: UInt64? {
        (try? EncodingPlan(self))?.length
    }

    /// The encoded form, whole in memory.
    ///
    /// Encoding again gives the same bytes, unless a part is a stream that can be read once.
    ///
    /// - Throws: ``MultipartEncodingError``: the form's ``firstError``, a header that cannot be written, a content
    ///   that cannot be read or has not its declared length, or a collision with a boundary chosen by the caller.
    public func encode() throws(MultipartEncodingError) -> Data {
        try Self.encode(EncodingPlan(self))
    }

    /// Encodes into memory of exactly the plan's length.
    static func encode(_ plan: EncodingPlan) throws(MultipartEncodingError) -> Data {
        var reader = FormDataReader(plan)
        guard let length = reader.length else { return try Self.readAll(&reader) }
        // The declared length may be anything: let the system say whether there is room, and touch no page before
        // it is needed.
        guard let count = Int(exactly: length), let memory = unsafe malloc(count) else {
            throw MultipartEncodingError(.encodedLengthTooLarge)
        }
        do throws(MultipartEncodingError) {
            // SAFETY: the memory has count bytes, and becomes the result's own once the reader has filled it.
            let buffer = unsafe UnsafeMutableRawBufferPointer(start: memory, count: count)
            let filled = unsafe try reader.read(into: buffer)
            precondition(filled == count, "a reader yields the length of its plan")
            return unsafe Data(bytesNoCopy: memory, count: count, deallocator: .free)
        } catch {
            unsafe free(memory)
            throw error
        }
    }

    /// Collects a message of unknown length.
    private static func readAll(_ reader: inout FormDataReader) throws(MultipartEncodingError) -> Data {
        var result = Data()
        // SAFETY: the buffer is freed on every exit; only the bytes that were read are copied.
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
        defer { unsafe buffer.deallocate() }
        while true {
            let count = unsafe try reader.read(into: buffer)
            guard count > 0 else { return result }
            unsafe result.append(contentsOf: buffer[..<count])
        }
    }
}
