#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Memory into which a chunk, or a whole message, is written; `take()` returns it as `Data` without a copy.
///
/// - Invariant: holds at most `limit` bytes. The memory grows with the bytes written, not with the limit, unless it is
///   reserved.
@safe struct ChunkMemory: ~Copyable {
    // SAFETY: the pointer is nil or from `SystemMemory`, with room for `capacity` bytes, of which `count` have been
    // written. It is freed here, or by the `Data` that `take()` returns.
    private var memory: UnsafeMutableRawPointer?
    private var capacity = 0
    private(set) var count = 0
    /// The length of a full chunk, to be set before its first byte.
    var limit = 0

    /// The maximum number of bytes to allocate before any is written.
    private static let firstCapacity = 1 << 20

    deinit {
        // SAFETY: no other reference to the memory exists.
        unsafe SystemMemory.release(memory)
    }

    var isEmpty: Bool { count == 0 }
    var isFull: Bool { count == limit }

    /// Allocates memory for `limit` bytes at once, before the first byte is written; returns false if the system
    /// refuses the memory.
    ///
    /// `limit` may have any value, because the system decides, and no page is touched before it is needed.
    mutating func reserve() -> Bool {
        guard let memory = unsafe SystemMemory.allocate(limit) else { return false }
        // SAFETY: there is no other memory yet.
        unsafe self.memory = memory
        capacity = limit
        return true
    }

    /// Appends the bytes that `write` puts into a buffer of at least one byte, and returns their count.
    mutating func append(
        _ write: (UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int
    ) throws(MultipartError) -> Int {
        if count == capacity { try grow() }
        // SAFETY: the memory has room for `capacity` bytes, of which the first `count` are used.
        let all = unsafe UnsafeMutableRawBufferPointer(start: memory, count: capacity)
        let endOfPage = (count / SystemMemory.largePage + 1) * SystemMemory.largePage
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: all[count..<min(endOfPage, capacity)])
        // Touching the last byte first makes Linux clear a large page upwards, a third faster (`encode-data`).
        unsafe room[room.count - 1] = 0
        let written = unsafe try write(room)
        count += written
        return written
    }

    private mutating func grow() throws(MultipartError) {
        let grown = capacity < limit / 2 ? max(capacity * 2, min(limit, Self.firstCapacity)) : limit
        // SAFETY: the old pointer is replaced if this succeeds, and stays valid if it fails.
        guard let memory = unsafe SystemMemory.reallocate(memory, grown) else {
            throw MultipartError(ErrorCode.encodedLengthTooLarge, "chunk of \(grown) bytes does not fit in memory")
        }
        unsafe self.memory = memory
        capacity = grown
    }

    /// Returns the chunk, or nil if it is empty, and begins the next one.
    mutating func take() -> Data? {
        guard count > 0, let memory = unsafe memory else { return nil }
        // SAFETY: the memory is from `SystemMemory`; from here on only `chunk` refers to it.
        let kept = count == capacity ? unsafe memory : unsafe SystemMemory.reallocate(memory, count) ?? memory
        let chunk = unsafe Data(bytesNoCopy: kept, count: count, deallocator: .free)
        unsafe self.memory = nil
        capacity = 0
        count = 0
        return chunk
    }
}
