extension String {
    /// The text of bytes: UTF-8, with U+FFFD for each maximal subpart that is not.
    package init(decoding bytes: Span<UInt8>) {
        // SAFETY: the buffer is read inside the closure only.
        self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

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
