/// Bytes and byte classes of the header grammar.
///
/// The classes are controls (RFC 5234), `tchar` (RFC 9110 §5.6.2) and `bchars` (RFC 2046 §5.1.1).
///
/// Inlining the functions of this enum saves 2.5% of the instructions of the benchmark `headers-heavy`.
package enum ASCII {
    static let null: UInt8 = 0x00
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let quote: UInt8 = 0x22
    static let percent: UInt8 = 0x25
    static let apostrophe: UInt8 = 0x27
    static let asterisk: UInt8 = 0x2A
    static let comma: UInt8 = 0x2C
    static let hyphen: UInt8 = 0x2D
    static let period: UInt8 = 0x2E
    static let slash: UInt8 = 0x2F
    static let zero: UInt8 = 0x30
    static let colon: UInt8 = 0x3A
    static let semicolon: UInt8 = 0x3B
    static let equals: UInt8 = 0x3D
    static let questionMark: UInt8 = 0x3F
    static let openBracket: UInt8 = 0x5B
    static let backslash: UInt8 = 0x5C
    static let closeBracket: UInt8 = 0x5D
    static let delete: UInt8 = 0x7F

    /// Whether `byte` is SP or HTAB, the white space of a header field (RFC 9110 §5.6.3).
    @inline(__always)
    package static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == space || byte == tab
    }

    /// Whether `byte` is a control character other than HTAB: 0x00–0x08, 0x0A–0x1F or DEL.
    @inline(__always)
    package static func isControl(_ byte: UInt8) -> Bool {
        (byte < 0x20 && byte != tab) || byte == delete
    }

    /// Whether `byte` is a `tchar` (RFC 9110 §5.6.2): a letter, a digit, or one of ``!#$%&'*+-.^_`|~``.
    @inline(__always)
    package static func isTokenCharacter(_ byte: UInt8) -> Bool {
        isIn(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE, byte)
    }

    /// Whether a boundary that the encoder sends may contain `byte`.
    ///
    /// Such a boundary may contain all `bchars` (RFC 2046 §5.1.1) except the comma. Some servers cut a boundary off at
    /// a comma.
    @inline(__always)
    static func isBoundaryCharacter(_ byte: UInt8) -> Bool {
        isIn(low: 0xA7FF_EB81_0000_0000, high: 0x07FF_FFFE_87FF_FFFE, byte)
    }

    /// Whether `byte` is a letter, a digit, or one of `-._`: a character of a token in strict mode's grammar.
    @inline(__always)
    package static func isPlainTokenCharacter(_ byte: UInt8) -> Bool {
        isIn(low: 0x03FF_6000_0000_0000, high: 0x07FF_FFFE_87FF_FFFE, byte)
    }

    /// Whether `byte` belongs to a set of ASCII bytes.
    ///
    /// Bit *n* of `low` is 1 if byte *n* belongs to the set. Bit *n* of `high` is 1 if byte 64 + *n* belongs to the
    /// set.
    @inline(__always)
    private static func isIn(low: UInt64, high: UInt64, _ byte: UInt8) -> Bool {
        byte < 128 && ((byte < 64 ? low : high) &>> UInt64(byte & 63)) & 1 == 1
    }

    /// Whether `byte` is a decimal digit.
    @inline(__always)
    package static func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10
    }

    @inline(__always)
    static func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26
    }

    @inline(__always)
    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }

    /// Returns the value of a hexadecimal digit in either letter case; nil for any other byte.
    package static func hexadecimalValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Returns `range` without the white space at its ends.
    @inline(__always)
    package static func trimmingWhitespace(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        var lower = range.lowerBound
        var upper = range.upperBound
        while lower < upper, isWhitespace(bytes[lower]) { lower += 1 }
        while lower < upper, isWhitespace(bytes[upper - 1]) { upper -= 1 }
        return lower..<upper
    }

    /// Whether CR LF begins at `offset`.
    @inline(__always)
    package static func isLineBreak(_ bytes: Span<UInt8>, at offset: Int) -> Bool {
        offset &+ 1 < bytes.count && bytes[offset] == carriageReturn && bytes[offset &+ 1] == lineFeed
    }
}

extension ASCII {
    /// Replaces each lone CR and each lone LF with CR LF, as browsers do (HTML §4.10.22.4).
    ///
    /// The result is at most twice as long as `text`.
    package static func normalizingLineBreaks(_ text: some Sequence<UInt8>) -> [UInt8] {
        var previous: UInt8 = 0
        return normalizingLineBreaks(text, after: &previous)
    }

    /// Replaces each lone CR and each lone LF with CR LF in the next piece of a text that arrives in pieces.
    ///
    /// `previous` is the last byte of the preceding piece. Before the first piece, `previous` may be any byte except
    /// CR. The function sets `previous` to the last byte of this piece.
    package static func normalizingLineBreaks(_ text: some Sequence<UInt8>, after previous: inout UInt8) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.underestimatedCount)
        for byte in text {
            switch byte {
            case lineFeed where previous == carriageReturn:
                break
            case lineFeed, carriageReturn:
                output.append(carriageReturn)
                output.append(lineFeed)
            default:
                output.append(byte)
            }
            previous = byte
        }
        return output
    }
}

// These functions search text, eight bytes at a time. Inlining them saves 4% of the instructions of the benchmark
// `headers-heavy`.
extension ASCII {
    /// Returns the offset of the first CR, LF or NUL in `bytes[start..<end]`, or `end` if no byte matches.
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

    /// Returns the offset of the first byte in `bytes[start...]` that is DEL or below SP, or `bytes.count` if no byte
    /// matches.
    @inline(__always)
    package static func endOfPlainText(_ bytes: Span<UInt8>, from start: Int) -> Int {
        let end = first(bytes, from: start, to: bytes.count) { Word.marksOutsidePrintable($0) }
        // The fast search stops at DEL and at a byte below SP, but also at a byte beyond ASCII. If it stops at a byte
        // beyond ASCII, the slower search continues there. This is rare, because nearly all text is ASCII.
        if end == bytes.count || bytes[end] < 0x80 { return end }
        return first(bytes, from: end, to: bytes.count) { Word.marksOfControls($0) }
    }

    /// Returns the offset of the first byte in `bytes[start...]` that ends plain quoted text, or `bytes.count` if no
    /// byte ends it.
    ///
    /// These bytes end plain quoted text:
    ///
    /// - a quote or a backslash
    /// - DEL, or a byte below SP
    /// - if `isASCII` is true, a byte beyond ASCII
    @inline(__always)
    package static func endOfPlainQuotedText(_ bytes: Span<UInt8>, from start: Int, isASCII: Bool = false) -> Int {
        let end = first(bytes, from: start, to: bytes.count) {
            Word.marksOutsidePrintable($0) | Word.marksOfQuoting($0)
        }
        if isASCII || end == bytes.count || bytes[end] < 0x80 { return end }
        return first(bytes, from: end, to: bytes.count) { Word.marksOfControls($0) | Word.marksOfQuoting($0) }
    }

    /// Returns the end of the run of letters, digits and hyphens that begins at `start`. The run may be empty.
    @inline(__always)
    package static func endOfName(_ bytes: Span<UInt8>, from start: Int) -> Int {
        first(bytes, from: start, to: bytes.count) { Word.marksOutsideNames($0) }
    }

    /// Returns the end of the run of `tchar` (RFC 9110 §5.6.2) that begins at `start`. The run may be empty.
    @inline(__always)
    package static func endOfToken(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while true {
            index = first(bytes, from: index, to: bytes.count) { Word.marksOutsideNames($0) }
            guard index < bytes.count, isTokenCharacter(bytes[index]) else { return index }
            index += 1
        }
    }

    /// Returns the offset of the first byte beyond ASCII in `bytes[start...]`, or `bytes.count` if all bytes are ASCII.
    @inline(__always)
    package static func endOfASCII(_ bytes: Span<UInt8>, from start: Int) -> Int {
        first(bytes, from: start, to: bytes.count) { $0 & Word.highBits }
    }

    /// Returns the offset of the first `byte` in `bytes[start...]`, or `bytes.count` if no byte matches.
    @inline(__always)
    static func firstOffset(of byte: UInt8, in bytes: Span<UInt8>, from start: Int) -> Int {
        first(bytes, from: start, to: bytes.count) { Word.marks($0, equalTo: byte) }
    }

    /// Returns the offset of the first `byte` or `other` in `bytes[start...]`, or `bytes.count` if no byte matches.
    @inline(__always)
    static func firstOffset(of byte: UInt8, or other: UInt8, in bytes: Span<UInt8>, from start: Int) -> Int {
        first(bytes, from: start, to: bytes.count) { Word.marks($0, equalTo: byte) | Word.marks($0, equalTo: other) }
    }

    /// Returns the offset of the first byte in `bytes[start..<end]` that matches, or `end` if no byte matches.
    ///
    /// The closure `marks` takes eight bytes as one word. It returns a word in which the high bit of each matching byte
    /// is set. After the first match, high bits of other bytes may be set as well.
    @inline(__always)
    private static func first(_ bytes: Span<UInt8>, from start: Int, to end: Int, marks: (UInt64) -> UInt64) -> Int {
        precondition(start >= 0 && end <= bytes.count, "the range lies within the bytes")
        var index = start
        while index &+ 8 <= end {
            // SAFETY: the 8 bytes lie within `start..<end`. By the precondition, this range lies within the span.
            let word = unsafe bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self)
            let found = marks(word.littleEndian)
            if found != 0 { return index &+ found.trailingZeroBitCount &>> 3 }
            index &+= 8
        }
        guard index < end else { return end }
        // Searches the last eight bytes as one word. The word may overlap the previous word, but the bytes in the
        // overlap do not match. For a short name, searching the rest byte by byte would double the time.
        let last = end &- 8
        if last >= start {
            // SAFETY: the 8 bytes lie within `start..<end`. By the precondition, this range lies within the span.
            let word = unsafe bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: last, as: UInt64.self)
            let found = marks(word.littleEndian)
            return found == 0 ? end : last &+ found.trailingZeroBitCount &>> 3
        }
        while index < end, marks(UInt64(bytes[index]) &* Word.ones) == 0 { index += 1 }
        return index
    }

    /// Operations on a word. A word is eight bytes as one number, with the first byte in the lowest bits.
    ///
    /// Each operation returns a word of marks, in which the high bit of each matching byte is set. After the first
    /// match, an operation may also mark bytes that do not match.
    enum Word {
        fileprivate static let ones: UInt64 = 0x0101_0101_0101_0101
        fileprivate static let highBits: UInt64 = 0x8080_8080_8080_8080

        /// Marks the bytes that are less than `byte`. `byte` is at most 0x80.
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

        /// Marks DEL and the bytes below SP.
        static func marksOfControls(_ word: UInt64) -> UInt64 {
            // All marks up to the first match are correct. The subtraction borrows from the next byte only at a byte
            // below SP, which is a match. The addition never carries into the next byte, because each sum is at most
            // 0x80.
            ((word &- ones &* UInt64(space)) | ((word & ~highBits) &+ ones)) & ~word & highBits
        }

        /// Marks DEL, the bytes below SP, and the bytes beyond ASCII.
        static func marksOutsidePrintable(_ word: UInt64) -> UInt64 {
            // All marks up to the first match are correct. The subtraction borrows from the next byte only at a byte
            // below SP. The addition carries into the next byte only at 0xFF. Both bytes are matches.
            ((word &- ones &* UInt64(space)) | word | (word &+ ones)) & highBits
        }

        /// Marks all bytes except letters, digits and hyphens. All marks are correct, even after the first match.
        static func marksOutsideNames(_ word: UInt64) -> UInt64 {
            // The sums below never carry from one byte into the next, so all marks are correct.
            let low = word & ~highBits
            let folded = low | ones &* 0x20
            let isLetter = (folded &+ ones &* (0x80 - 0x61)) & ~(folded &+ ones &* (0x80 - 0x7B))
            let isDigit = (low &+ ones &* (0x80 - 0x30)) & ~(low &+ ones &* (0x80 - 0x3A))
            let isOther = (low ^ (ones &* UInt64(hyphen))) &+ ones &* 0x7F
            return (word | isOther & ~isLetter & ~isDigit) & highBits
        }
    }
}
