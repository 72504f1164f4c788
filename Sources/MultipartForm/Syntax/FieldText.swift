/// The text of header fields and their places in it, in one allocation that copies share until one of them changes.
package struct FieldText: @unchecked Sendable {
    // SAFETY: only `replace` and `append` write to the memory, and only if no other value refers to it.

    private struct Header: BitwiseCopyable {
        let capacity: Int
        /// The number of places reserved before the text.
        var placeCapacity = 0
        var placeCount = 0
        var length = 0
        var disposition: DispositionLayout?
    }

    /// The places, then the text. One reference, so that passing it on is cheap.
    private var memory: ManagedBuffer<Header, FieldPlace>

    private static let empty = FieldText(capacity: 0)

    init() {
        self = .empty
    }

    private init(capacity: Int) {
        memory = .create(minimumCapacity: capacity) { _ in Header(capacity: capacity) }
    }

    // SAFETY: the header was initialized with the memory.
    private var header: Header { unsafe memory.withUnsafeMutablePointerToHeader { unsafe $0.pointee } }

    var placeCount: Int { header.placeCount }

    /// The layout of the Content-Disposition, if the parser has scanned it.
    var disposition: DispositionLayout? { header.disposition }

    @inline(__always)
    package func read<Result, Failure: Error>(
        _ body: (Span<FieldPlace>, Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // SAFETY: the counted places and, after their capacity, the counted bytes are initialized and stay while the
        // memory is held; the spans end with the closure.
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

    /// Replaces the fields, in the same memory if it suffices and is not shared; `placeCapacity` reserves more places.
    mutating func replace(
        with text: Span<UInt8>,
        _ places: Span<FieldPlace>,
        _ disposition: DispositionLayout?,
        placeCapacity: Int? = nil
    ) {
        let placeCapacity = placeCapacity ?? places.count
        let stride = MemoryLayout<FieldPlace>.stride
        let needed = placeCapacity + (text.count + stride - 1) / stride
        if !isKnownUniquelyReferenced(&memory) || header.capacity < needed {
            // No more than needed: the fields may be kept.
            self = FieldText(capacity: needed)
        }
        // SAFETY: the memory is not shared and has room for all of it.
        unsafe memory.withUnsafeMutablePointers { header, start in
            unsafe header.pointee.placeCapacity = placeCapacity
            unsafe header.pointee.placeCount = places.count
            unsafe header.pointee.length = text.count
            unsafe header.pointee.disposition = disposition
            unsafe places.withUnsafeBytes { unsafe UnsafeMutableRawPointer(start).copy($0) }
            unsafe text.withUnsafeBytes { unsafe UnsafeMutableRawPointer(start + placeCapacity).copy($0) }
        }
    }

    /// Appends a field, in the same memory if it has room and is not shared; else the capacity doubles.
    mutating func append(_ name: Span<UInt8>, _ value: Span<UInt8>) {
        let start = header.length
        let valueStart = start + name.count
        let end = valueStart + value.count
        precondition(end <= UInt32.max, "header fields are shorter than 4 GiB in total")
        let count = placeCount
        let stride = MemoryLayout<FieldPlace>.stride
        let textCapacity = (header.capacity - header.placeCapacity) * stride
        if !isKnownUniquelyReferenced(&memory) || count == header.placeCapacity || end > textCapacity {
            let places = max(4, 2 * (count + 1))
            var grown = FieldText(capacity: places + (2 * end + stride - 1) / stride)
            read { old, text in grown.replace(with: text, old, nil, placeCapacity: places) }
            self = grown
        }
        let place = FieldPlace(name: start..<valueStart, value: valueStart..<end)
        // SAFETY: the memory is not shared, and has room for another place and for the field.
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
    func copy(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        // SAFETY: the caller has room for the bytes.
        unsafe copyMemory(from: start, byteCount: bytes.count)
    }
}
