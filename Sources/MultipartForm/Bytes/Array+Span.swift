extension Array where Element: BitwiseCopyable {
    /// A copy of a span.
    package init(copying span: Span<Element>) {
        // SAFETY: the buffer is read inside the closure only.
        self = unsafe span.withUnsafeBufferPointer { unsafe Array($0) }
    }

    /// Appends a copy of a span.
    package mutating func append(copying span: Span<Element>) {
        // SAFETY: the buffer is read inside the closure only.
        unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
