#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Memory for the bytes of a chunk or of a whole message. ``take()`` returns the bytes as `Data` without copying them.
///
/// - Invariant: holds at most `limit` bytes. The memory grows as bytes are written, unless ``reserve()`` has allocated
///   `limit` bytes at once.
@safe struct ChunkMemory: ~Copyable {
    // SAFETY: the pointer is nil or from `SystemMemory`. The memory has room for `capacity` bytes, and its first
    // `count` bytes have been written. This value frees the memory, unless `take()` has passed the memory to a `Data`.
    // The `Data` then frees it.
    private var memory: UnsafeMutableRawPointer?
    private var capacity = 0
    private(set) var count = 0
    /// The length of a full chunk, in bytes. Set it before the first byte is written.
    var limit = 0

    /// The maximum size of the first allocation, in bytes, if ``reserve()`` is not called.
    private static let firstCapacity = 1 << 20

    deinit {
        // SAFETY: no other reference to the memory exists.
        unsafe SystemMemory.release(memory)
    }

    var isEmpty: Bool { count == 0 }
    var isFull: Bool { count == limit }

    /// Allocates memory for `limit` bytes at once, before the first byte is written. Returns false if the system
    /// refuses.
    mutating func reserve() -> Bool {
        guard let memory = unsafe SystemMemory.allocate(limit) else { return false }
        // SAFETY: `self.memory` is nil until this assignment, so no memory leaks.
        unsafe self.memory = memory
        capacity = limit
        return true
    }

    /// Calls `write` with a buffer of at least one byte, appends the bytes that `write` puts there, and returns their
    /// count.
    mutating func append(
        _ write: (UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int
    ) throws(MultipartError) -> Int {
        if count == capacity { try grow() }
        // SAFETY: the memory has room for `capacity` bytes.
        let all = unsafe UnsafeMutableRawBufferPointer(start: memory, count: capacity)
        let endOfPage = (count / SystemMemory.largePage + 1) * SystemMemory.largePage
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: all[count..<min(endOfPage, capacity)])
        // `room` lies within one large page. Linux clears a new page when a program first writes to the page, and
        // clears the bytes around the written byte last. Writing the last byte first makes Linux clear the page from
        // its first byte to its last. The benchmark `encode-data` is then a third faster.
        unsafe room[room.count - 1] = 0
        let written = unsafe try write(room)
        count += written
        return written
    }

    private mutating func grow() throws(MultipartError) {
        let grown = capacity < limit / 2 ? max(capacity * 2, min(limit, Self.firstCapacity)) : limit
        // SAFETY: if this call succeeds, the new pointer replaces the old one. If it fails, the old pointer stays
        // valid.
        guard let memory = unsafe SystemMemory.reallocate(memory, grown) else {
            throw MultipartError(ErrorCode.encodedLengthTooLarge, "chunk of \(grown) bytes does not fit in memory")
        }
        unsafe self.memory = memory
        capacity = grown
    }

    /// Returns the chunk, and begins an empty chunk. Returns nil if no byte has been written.
    mutating func take() -> Data? {
        guard count > 0, let memory = unsafe memory else { return nil }
        // SAFETY: the memory is from `SystemMemory`, so a `Data` can free it. From here on, only `chunk` refers to the
        // memory.
        let kept = count == capacity ? unsafe memory : unsafe SystemMemory.reallocate(memory, count) ?? memory
        let chunk = unsafe Data(bytesNoCopy: kept, count: count, deallocator: .free)
        unsafe self.memory = nil
        capacity = 0
        count = 0
        return chunk
    }
}
