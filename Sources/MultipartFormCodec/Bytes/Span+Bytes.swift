// Hashes spans, and copies them to collections.
extension Span<UInt8> {
    /// Hashes the count and then the bytes. Because of the count, hashing `ab` and then `c` gives another result than
    /// hashing `a` and then `bc`.
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

// Compares bytes, either exactly or ignoring letter case. All functions are linear and allocate nothing.
extension Span<UInt8> {
    /// Whether two spans have the same bytes.
    package func equals(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        // SAFETY: both spans have `count` bytes. The buffers are read only inside the closures.
        return unsafe withUnsafeBytes { bytes in
            unsafe other.withUnsafeBytes { other in
                guard let start = bytes.baseAddress, let otherStart = other.baseAddress else { return true }
                return unsafe start.equals(otherStart, count: bytes.count)
            }
        }
    }

    /// Whether the bytes in `range` are `text` in UTF-8.
    @inline(__always)
    func equals(_ text: String, in range: Range<Int>) -> Bool {
        range.count == text.utf8.count && zip(range, text.utf8).allSatisfy { self[$0] == $1 }
    }

    /// Whether the span begins with the bytes of `prefix`.
    package func starts(with prefix: some Collection<UInt8>) -> Bool {
        guard count >= prefix.count else { return false }
        return zip(indices, prefix).allSatisfy { self[$0] == $1 }
    }
}

extension ASCII {
    /// Whether `bytes[start...]` begins with `text`, in the same letter case. `text` has at least 8 bytes.
    @inline(__always)
    static func begins(_ bytes: Span<UInt8>, at start: Int, with text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        precondition(count >= 8, "shorter words are compared byte by byte")
        guard start >= 0, bytes.count - start >= count else { return false }
        // SAFETY: `text` has `count` readable bytes, and `bytes[start...]` has at least `count`. Each load reads 8
        // bytes, and ends at or before `count`.
        let wanted = unsafe UnsafeRawPointer(text.utf8Start)
        var offset = 0
        while true {
            let here = unsafe bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: start &+ offset, as: UInt64.self)
            guard unsafe here == wanted.loadUnaligned(fromByteOffset: offset, as: UInt64.self) else { return false }
            if offset &+ 8 == count { return true }
            offset = min(offset &+ 8, count &- 8)
        }
    }

    /// Whether `bytes[range]` is `word` in any letter case. Precondition: `word` is in lower case.
    @inline(__always)
    static func matches(_ bytes: Span<UInt8>, _ range: Range<Int>, _ word: StaticString) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        // SAFETY: a StaticString's start is valid for `utf8CodeUnitCount` bytes. The guard keeps `index` below this
        // count.
        let start = unsafe word.utf8Start
        let text = bytes.extracting(range)
        var index = 0
        while index < text.count {
            guard unsafe start[index] == lowercased(text[unchecked: index]) else { return false }
            index += 1
        }
        return true
    }

    /// Whether `bytes[range]` is `text` in UTF-8, ignoring the letter case of ASCII letters.
    static func matches(_ bytes: Span<UInt8>, _ range: Range<Int>, ignoringCaseOf text: String) -> Bool {
        range.count == text.utf8.count
            && zip(range, text.utf8).allSatisfy { lowercased(bytes[$0]) == lowercased($1) }
    }

    /// Whether `bytes[range]` is the field name that `usual` and `lowercase` spell, in any letter case.
    ///
    /// `lowercase` is the name in lower case. `usual` is the name's usual spelling, such as `Content-Type`, and has at
    /// least 8 bytes. The function compares `usual` first, eight bytes at a time, because this is faster.
    @inline(__always)
    static func isFieldName(
        _ bytes: Span<UInt8>,
        _ range: Range<Int>,
        usual: StaticString,
        lowercase: StaticString
    ) -> Bool {
        range.count == usual.utf8CodeUnitCount
            && (begins(bytes, at: range.lowerBound, with: usual) || matches(bytes, range, lowercase))
    }
}

extension UnsafeRawPointer {
    /// Whether the first `count` bytes at both addresses are equal. Compares eight bytes at a time.
    ///
    /// - Safety: both addresses have `count` readable bytes.
    @inline(__always)
    func equals(_ other: UnsafeRawPointer, count: Int) -> Bool {
        // SAFETY: each load ends at or before `count`.
        var offset = 0
        while offset &+ 8 <= count {
            let word = unsafe loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            guard unsafe word == other.loadUnaligned(fromByteOffset: offset, as: UInt64.self) else { return false }
            offset &+= 8
        }
        while offset < count {
            let byte = unsafe load(fromByteOffset: offset, as: UInt8.self)
            guard unsafe byte == other.load(fromByteOffset: offset, as: UInt8.self) else { return false }
            offset &+= 1
        }
        return true
    }
}
