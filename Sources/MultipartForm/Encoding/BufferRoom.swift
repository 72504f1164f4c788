internal import Foundation

/// The room that a buffer has been given, so that it need not grow by itself: where the system refuses memory, `Data`
/// would end the process.
struct BufferRoom {
    /// The index up to which there is room for sure.
    private var end = 0

    /// Makes room for more bytes.
    ///
    /// - Parameters:
    ///   - count: How many bytes are about to be appended.
    ///   - data: The buffer.
    /// - Throws: ``MultipartError/Code/encodedLengthTooLarge`` if there is no memory for them.
    mutating func reserve(_ count: Int, in data: inout Data) throws(MultipartError) {
        let (needed, overflow) = data.endIndex.addingReportingOverflow(count)
        guard !overflow else { throw MultipartError(.encodedLengthTooLarge) }
        guard needed > end else { return }
        // A buffer grows by half, except for the first time.
        for capacity in [end / 2 * 3, needed] where capacity >= needed {
            guard let memory = unsafe MessageMemory.allocate(capacity) else { continue }
            // SAFETY: the memory only shows that there is as much, and is not used.
            unsafe free(memory)
            data.reserveCapacity(capacity)
            end = capacity
            return
        }
        throw MultipartError(.encodedLengthTooLarge)
    }
}
