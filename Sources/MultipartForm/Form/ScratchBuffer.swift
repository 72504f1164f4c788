/// A piece of memory for bytes on their way, freed with its owner.
@safe struct ScratchBuffer: ~Copyable {
    let bytes: UnsafeMutableRawBufferPointer

    /// Allocates a buffer.
    ///
    /// - Parameter count: Its length in bytes.
    init(count: Int) {
        // SAFETY: the owner hands it out only while it lives.
        unsafe bytes = .allocate(byteCount: count, alignment: 16)
    }

    deinit {
        // SAFETY: it is freed here alone.
        unsafe bytes.deallocate()
    }
}
