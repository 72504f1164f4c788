// Hashes spans, and copies them to collections.
extension Span<UInt8> {
    /// Hashes the count and then the bytes. Because of the count, `ab` followed by `c` has another hash than `a`
    /// followed by `bc`.
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
        // An array allocates memory even if an empty buffer is appended.
        guard !span.isEmpty else { return }
        // SAFETY: the buffer is read inside the closure only.
        unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
