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

extension Collection<UInt8> {
    /// Calls `body` with the bytes in place or, if they are not contiguous, with copies of up to 64 KiB, in order.
    func forEachSpan(_ body: (Span<UInt8>) throws -> Void) throws {
        // SAFETY: the buffer is read inside the closure only.
        if try withContiguousStorageIfAvailable({ try body(unsafe $0.span) }) != nil { return }
        var rest = self[...]
        while !rest.isEmpty {
            let piece = ContiguousArray(rest.prefix(64 * 1024))
            try body(piece.span)
            rest = rest.dropFirst(piece.count)
        }
    }
}
