// Spans compared and hashed by their bytes, and copied to collections.
extension Span<UInt8> {
    /// Whether two spans have the same bytes.
    package func equals(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        var offset = 0
        while offset + 8 <= count {
            // SAFETY: any 8 bytes are a UInt64; both spans have them.
            let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
            guard unsafe word == other.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self) else {
                return false
            }
            offset += 8
        }
        while offset < count {
            guard self[offset] == other[offset] else { return false }
            offset += 1
        }
        return true
    }

    /// Whether the bytes begin with those of a collection.
    package func starts(with prefix: some Collection<UInt8>) -> Bool {
        guard count >= prefix.count else { return false }
        return zip(indices, prefix).allSatisfy { self[$0] == $1 }
    }

    /// Hashes the bytes and their number, so that what follows cannot be taken for them.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        // SAFETY: the buffer is read inside the closure only.
        unsafe withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
}

extension RangeReplaceableCollection where Element: BitwiseCopyable {
    package init(copying span: Span<Element>) {
        // SAFETY: the buffer is read inside the closure only.
        self = unsafe span.withUnsafeBufferPointer { unsafe Self($0) }
    }

    package mutating func append(copying span: Span<Element>) {
        // An array would allocate for nothing, too (`hyphens-only`).
        guard !span.isEmpty else { return }
        // SAFETY: the buffer is read inside the closure only.
        unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
