/// Finds where runs of text end, eight bytes at a time.
///
/// The functions are inlined: `headers-heavy` takes 4% fewer instructions.
extension ASCII {
    /// The offset of the first CR, LF or NUL of `bytes[start..<end]`, or `end`.
    @inline(__always)
    package static func endOfText(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
        var index = start
        while true {
            index = first(bytes, from: index, to: end) { Word.marks($0, below: carriageReturn + 1) }
            guard index < end else { return end }
            let byte = bytes[index]
            if byte == carriageReturn || byte == lineFeed || byte == null { return index }
            index += 1
        }
    }

    /// The offset of the first byte of `bytes[start...]` below SP or DEL, or their count.
    @inline(__always)
    package static func endOfPlainText(_ bytes: Span<UInt8>, from start: Int) -> Int {
        let end = first(bytes, from: start, to: bytes.count) { Word.marksOutsidePrintable($0) }
        // Nearly all text is ASCII, in which controls are found with fewer instructions.
        if end == bytes.count || bytes[end] < 0x80 { return end }
        return first(bytes, from: end, to: bytes.count) { Word.marksOfControls($0) }
    }

    /// The offset of the first quote, backslash or end of plain text in `bytes[start...]`, or their count; if `isASCII`,
    /// also of the first byte beyond ASCII.
    @inline(__always)
    package static func endOfPlainQuotedText(_ bytes: Span<UInt8>, from start: Int, isASCII: Bool = false) -> Int {
        let end = first(bytes, from: start, to: bytes.count) {
            Word.marksOutsidePrintable($0) | Word.marksOfQuoting($0)
        }
        if isASCII || end == bytes.count || bytes[end] < 0x80 { return end }
        return first(bytes, from: end, to: bytes.count) { Word.marksOfControls($0) | Word.marksOfQuoting($0) }
    }

    /// The offset of the first byte of `bytes[start...]` that no token may have (RFC 9110 §5.6.2), or their count.
    @inline(__always)
    package static func endOfToken(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while true {
            index = first(bytes, from: index, to: bytes.count) { Word.marksOutsideNames($0) }
            guard index < bytes.count, isTokenCharacter(bytes[index]) else { return index }
            index += 1
        }
    }

    /// The offset of the first byte of `bytes[start...]` beyond ASCII, or their count.
    @inline(__always)
    package static func endOfASCII(_ bytes: Span<UInt8>, from start: Int) -> Int {
        first(bytes, from: start, to: bytes.count) { $0 & Word.highBits }
    }

    /// The offset of the first byte of `bytes[start...]` that equals `byte`, or their count.
    @inline(__always)
    static func firstOffset(of byte: UInt8, in bytes: Span<UInt8>, from start: Int) -> Int {
        first(bytes, from: start, to: bytes.count) { Word.marks($0, equalTo: byte) }
    }

    /// The offset of the first byte of `bytes[start..<end]` whose high bit `marks` sets, or `end`; after the first,
    /// `marks` may also mark bytes that do not match.
    @inline(__always)
    private static func first(_ bytes: Span<UInt8>, from start: Int, to end: Int, marks: (UInt64) -> UInt64) -> Int {
        precondition(start >= 0 && end <= bytes.count, "the range lies within the bytes")
        var index = start
        while index &+ 8 <= end {
            // SAFETY: the 8 bytes end at or before `end`, which lies within the span.
            let word = unsafe bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self)
            let found = marks(word.littleEndian)
            if found != 0 { return index &+ found.trailingZeroBitCount &>> 3 }
            index &+= 8
        }
        guard index < end else { return end }
        // The last word may overlap bytes that are not marked. One by one, the last bytes of a short name take as long as
        // the rest of it.
        let last = end &- 8
        if last >= start {
            // SAFETY: the 8 bytes begin at or after `start`, which is not negative, and end at `end`.
            let word = unsafe bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: last, as: UInt64.self)
            let found = marks(word.littleEndian)
            return found == 0 ? end : last &+ found.trailingZeroBitCount &>> 3
        }
        while index < end, marks(UInt64(bytes[index]) &* Word.ones) == 0 { index += 1 }
        return index
    }

    /// Eight bytes as one number, the first in its lowest bits.
    enum Word {
        fileprivate static let ones: UInt64 = 0x0101_0101_0101_0101
        fileprivate static let highBits: UInt64 = 0x8080_8080_8080_8080

        /// Marks the bytes below `byte`, which is at most 0x80.
        static func marks(_ word: UInt64, below byte: UInt8) -> UInt64 {
            (word &- ones &* UInt64(byte)) & ~word & highBits
        }

        static func marks(_ word: UInt64, equalTo byte: UInt8) -> UInt64 {
            marks(word ^ (ones &* UInt64(byte)), below: 1)
        }

        /// Marks quotes and backslashes.
        static func marksOfQuoting(_ word: UInt64) -> UInt64 {
            marks(word, equalTo: quote) | marks(word, equalTo: backslash)
        }

        /// Marks the bytes below SP and DEL.
        static func marksOfControls(_ word: UInt64) -> UInt64 {
            // Only a marked byte borrows from the next one; no sum of seven bits carries into it.
            ((word &- ones &* UInt64(space)) | ((word & ~highBits) &+ ones)) & ~word & highBits
        }

        /// Marks the bytes below SP, DEL and the bytes beyond ASCII.
        static func marksOutsidePrintable(_ word: UInt64) -> UInt64 {
            // Only a marked byte borrows from the next one, or carries into it.
            ((word &- ones &* UInt64(space)) | word | (word &+ ones)) & highBits
        }

        /// Marks exactly the bytes other than letters, digits and hyphens.
        static func marksOutsideNames(_ word: UInt64) -> UInt64 {
            // No sum of these carries into the next byte.
            let low = word & ~highBits
            let folded = low | ones &* 0x20
            let isLetter = (folded &+ ones &* (0x80 - 0x61)) & ~(folded &+ ones &* (0x80 - 0x7B))
            let isDigit = (low &+ ones &* (0x80 - 0x30)) & ~(low &+ ones &* (0x80 - 0x3A))
            let isOther = (low ^ (ones &* UInt64(hyphen))) &+ ones &* 0x7F
            return (word | isOther & ~isLetter & ~isDigit) & highBits
        }
    }
}
