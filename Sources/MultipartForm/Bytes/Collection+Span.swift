extension RangeReplaceableCollection where Element: BitwiseCopyable {
    package init(copying span: Span<Element>) {
        // SAFETY: the buffer is read inside the closure only.
        self = unsafe span.withUnsafeBufferPointer { unsafe Self($0) }
    }

    package mutating func append(copying span: Span<Element>) {
        // SAFETY: the buffer is read inside the closure only.
        unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
