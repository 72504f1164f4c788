internal import Foundation

/// Memory that is filled with a chunk, and then owned by it.
///
/// - Invariant: there is room for at most `limit` bytes. The memory grows with the bytes written, not with the limit.
@safe struct ChunkMemory: ~Copyable {
    // SAFETY: the pointer is nil or from malloc, with room for `capacity` bytes. It is freed here, or by the chunk that
    // takes it over with its first `count` bytes, which have been written.
    private var memory: UnsafeMutableRawPointer?
    private var capacity = 0
    private(set) var count = 0
    private var limit = 0

    /// The longest chunk to allocate at once.
    private static let firstCapacity = 1 << 20

    /// Sets the maximum length of the chunk, which is empty.
    mutating func begin(limit: Int) {
        self.limit = limit
    }

    deinit {
        // SAFETY: nobody else has the pointer.
        unsafe free(memory)
    }

    /// Whether the chunk has its maximum length.
    var isFull: Bool { count == limit }

    /// Appends the bytes that `write` puts into a buffer of at least one byte, and returns their count.
    mutating func append(
        _ write: (UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int
    ) throws(MultipartError) -> Int {
        if count == capacity { try grow() }
        // SAFETY: the pointer has room for `capacity` bytes, of which the first `count` are taken.
        let room = unsafe UnsafeMutableRawBufferPointer(start: memory, count: capacity)
        let written = unsafe try write(UnsafeMutableRawBufferPointer(rebasing: room[count...]))
        count += written
        return written
    }

    private mutating func grow() throws(MultipartError) {
        let grown = capacity < limit / 2 ? max(capacity * 2, min(limit, Self.firstCapacity)) : limit
        // SAFETY: the old pointer is replaced if realloc succeeds, and stays valid if it does not.
        guard let memory = unsafe realloc(memory, grown) else {
            throw MultipartError(.encodedLengthTooLarge)
        }
        unsafe self.memory = memory
        capacity = grown
    }

    /// Returns the chunk, or nil if it is empty, and begins the next one.
    mutating func take() -> Data? {
        guard count > 0, let memory = unsafe memory else { return nil }
        // SAFETY: the memory was allocated by malloc, is owned by the chunk, and is forgotten here.
        let kept = count == capacity ? unsafe memory : unsafe realloc(memory, count) ?? memory
        let chunk = unsafe Data(bytesNoCopy: kept, count: count, deallocator: .free)
        unsafe self.memory = nil
        capacity = 0
        count = 0
        return chunk
    }
}
