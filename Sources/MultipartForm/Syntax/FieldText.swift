/// The text of header fields and the places where they stand in it, in one piece of memory.
///
/// A value: copies share the memory until one of them is replaced.
package struct FieldText: @unchecked Sendable {
    // SAFETY: `replace` and `append` alone change memory, after they have seen that no other value has it.

    /// What stands before the places and the text.
    private struct Header: BitwiseCopyable {
        let capacity: Int
        /// How many places the text begins after.
        var placeCapacity = 0
        var placeCount = 0
        var length = 0
        var disposition: DispositionLayout?
    }

    /// The places, then the text. One reference, so that handing it on costs next to nothing.
    private var memory: ManagedBuffer<Header, FieldPlace>

    private static let empty = FieldText(capacity: 0)

    /// Creates an empty text.
    package init() {
        self = .empty
    }

    private init(capacity: Int) {
        memory = .create(minimumCapacity: capacity) { _ in Header(capacity: capacity) }
    }

    // SAFETY: the header was written when the memory was made.
    private var header: Header { unsafe memory.withUnsafeMutablePointerToHeader { unsafe $0.pointee } }

    /// How many fields there are.
    package var placeCount: Int { header.placeCount }

    /// Where the parts of the Content-Disposition stand, when the parser has read it.
    package var disposition: DispositionLayout? { header.disposition }

    /// Looks at the fields' places and the text.
    @inline(__always)
    package func read<Result, Failure: Error>(
        _ body: (Span<FieldPlace>, Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // SAFETY: so many places have been written and, after their room, so many bytes; they stay while the memory is
        // held, and the spans end with the closure.
        return unsafe try memory.withUnsafeMutablePointers { header, places throws(Failure) in
            let count = unsafe header.pointee.placeCount
            let length = unsafe header.pointee.length
            let text = unsafe UnsafeMutableRawPointer(places + header.pointee.placeCapacity)
                .bindMemory(to: UInt8.self, capacity: length)
            return unsafe try body(
                UnsafeBufferPointer(start: places, count: count).span,
                UnsafeBufferPointer(start: text, count: length).span
            )
        }
    }

    /// Replaces the fields by others, in the same memory if it suffices and nobody else has it.
    ///
    /// - Parameters:
    ///   - text: The fields, with anything between.
    ///   - places: Where they stand in it.
    ///   - disposition: Where the parts of the Content-Disposition stand.
    package mutating func replace(
        with text: Span<UInt8>,
        _ places: Span<FieldPlace>,
        _ disposition: DispositionLayout? = nil
    ) {
        let stride = MemoryLayout<FieldPlace>.stride
        let needed = places.count + (text.count + stride - 1) / stride
        if !isKnownUniquelyReferenced(&memory) || header.capacity < needed {
            // No more than that: fields that are kept should not cost what the next ones may need.
            self = FieldText(capacity: needed)
        }
        write(places, text, placeCapacity: places.count, disposition)
    }

    /// Writes places and a text over what is there.
    @inline(__always)
    private func write(
        _ places: Span<FieldPlace>,
        _ text: Span<UInt8>,
        placeCapacity: Int,
        _ disposition: DispositionLayout? = nil
    ) {
        // SAFETY: the caller has seen that nobody else has the memory, and that there is room for all of it.
        unsafe memory.withUnsafeMutablePointers { header, start in
            unsafe header.pointee.placeCapacity = placeCapacity
            unsafe header.pointee.placeCount = places.count
            unsafe header.pointee.length = text.count
            unsafe header.pointee.disposition = disposition
            unsafe places.withUnsafeBytes { unsafe UnsafeMutableRawPointer(start).copy($0) }
            unsafe text.withUnsafeBytes { unsafe UnsafeMutableRawPointer(start + placeCapacity).copy($0) }
        }
    }

    /// Appends a field, in the same memory if it has room and nobody else has it.
    ///
    /// - Complexity: O(*n*) in the length of the field, amortized: memory grows to twice what is needed.
    package mutating func append(_ name: Span<UInt8>, _ value: Span<UInt8>) {
        let start = header.length
        let valueStart = start + name.count
        let end = valueStart + value.count
        precondition(end <= UInt32.max, "header fields are shorter than 4 GiB in total")
        let count = placeCount
        let stride = MemoryLayout<FieldPlace>.stride
        let textCapacity = (header.capacity - header.placeCapacity) * stride
        if !isKnownUniquelyReferenced(&memory) || count == header.placeCapacity || end > textCapacity {
            let places = max(4, 2 * (count + 1))
            let grown = FieldText(capacity: places + (2 * end + stride - 1) / stride)
            read { old, text in grown.write(old, text, placeCapacity: places) }
            self = grown
        }
        let place = FieldPlace(name: start..<valueStart, value: valueStart..<end)
        // SAFETY: nobody else has the memory, and it has room for another place and for the field.
        unsafe memory.withUnsafeMutablePointers { header, places in
            unsafe (places + count).initialize(to: place)
            let text = unsafe UnsafeMutableRawPointer(places + header.pointee.placeCapacity)
            unsafe name.withUnsafeBytes { unsafe (text + start).copy($0) }
            unsafe value.withUnsafeBytes { unsafe (text + valueStart).copy($0) }
            unsafe header.pointee.placeCount = count + 1
            unsafe header.pointee.length = end
            // The new field may be another disposition.
            unsafe header.pointee.disposition = nil
        }
    }
}

extension UnsafeMutableRawPointer {
    @inline(__always)
    fileprivate func copy(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        // SAFETY: the caller has room for the bytes.
        unsafe copyMemory(from: start, byteCount: bytes.count)
    }
}
