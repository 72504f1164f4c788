// Hashes spans, and copies them to collections.
extension Span<UInt8> {
    /// Hashes the count and the bytes. So two spans that are hashed in a row, such as `ab` and `c`, differ from `a` and
    /// `bc`.
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
        // Appending no bytes would make an array allocate (benchmark `hyphens-only`).
        guard !span.isEmpty else { return }
        // SAFETY: the buffer is read inside the closure only.
        unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
