/// Memory for bytes in transit, freed with its owner.
@safe struct ScratchBuffer: ~Copyable {
    let bytes: UnsafeMutableRawBufferPointer

    init(count: Int) {
        // SAFETY: the pointer does not outlive its owner.
        unsafe bytes = .allocate(byteCount: count, alignment: 16)
    }

    deinit {
        // SAFETY: it is freed only here.
        unsafe bytes.deallocate()
    }
}
