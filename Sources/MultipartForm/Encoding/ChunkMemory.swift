internal import Foundation

/// Memory that is filled with a chunk, and becomes the chunk's own.
///
/// - Invariant: there is room for at most `limit` bytes. The memory grows with what has come, not with what was asked
///   for.
@safe struct ChunkMemory: ~Copyable {
    // SAFETY: the pointer is nil or of malloc's, with room for `capacity` bytes. It is freed here, or by the chunk it
    // is handed on to. Only its first `count` bytes, which have been written, are handed on.
    private var memory: UnsafeMutableRawPointer?
    private var capacity = 0
    private(set) var count = 0
    private var limit = 0

    /// The longest chunk to allocate at once.
    private static let firstCapacity = 1 << 20

    /// Sets how long the chunk may become, while it is empty.
    mutating func begin(limit: Int) {
        self.limit = limit
    }

    deinit {
        // SAFETY: nobody else has the pointer.
        unsafe free(memory)
    }

    /// Whether there is room for no more.
    var isFull: Bool { count == limit }

    /// Appends bytes that a closure writes.
    ///
    /// - Parameter write: Gets the room there is, at least a byte, and returns how many bytes it has written.
    /// - Returns: How many they were.
    /// - Throws: What the closure throws, or ``MultipartError/Code/encodedLengthTooLarge``.
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

    /// The chunk; nil if it is empty. The next one begins.
    mutating func take() -> Data? {
        guard count > 0, let memory = unsafe memory else { return nil }
        // SAFETY: the memory was allocated by malloc, becomes the chunk's own, and is forgotten here.
        let kept = count == capacity ? unsafe memory : unsafe realloc(memory, count) ?? memory
        let chunk = unsafe Data(bytesNoCopy: kept, count: count, deallocator: .free)
        unsafe self.memory = nil
        capacity = 0
        count = 0
        return chunk
    }
}
