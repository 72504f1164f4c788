/// Finds the end of plain text in a header line, 16 bytes at a time. Plain text is a run of bytes that strict mode
/// accepts without checking each byte. ``End`` lists the bytes that end plain text.
///
/// - Input: bytes, and the offset at which to start.
/// - Output: the offset of the first byte that ends plain text, or the number of bytes if no byte ends it.
/// - Cost: linear; no allocation.
package enum HeaderSearch {
    private typealias Vector = SIMD16<UInt8>
    private typealias Mask = SIMDMask<SIMD16<Int8>>

    /// The bytes that end plain text, in a word or in quoted text.
    ///
    /// A hyphen ends both kinds of text if one of these follows it:
    /// - another hyphen, as in a dash-boundary
    /// - `di` in any letter case, as in `content-disposition`
    package enum End {
        /// All bytes except letters, digits and hyphens.
        case word
        /// Controls, DEL, bytes beyond ASCII, and `"`, `\`, `[`, `]`, `,`, `:`, `;`, `<` and `=`. HTAB is a control,
        /// too.
        case quotedText
    }

    /// Returns the offset of the first byte in `bytes[start...]` that ends plain text, or `bytes.count` if no byte ends
    /// it.
    @inline(__always)
    static func first(_ end: End, _ bytes: Span<UInt8>, from start: Int) -> Int {
        #if DEBUG
            // Vector code is slow in debug builds.
            return firstOneByOne(end, bytes, from: start)
        #else
            return firstInVectors(end, bytes, from: start)
        #endif
    }

    @inline(__always)
    package static func firstInVectors(_ end: End, _ bytes: Span<UInt8>, from start: Int) -> Int {
        precondition(start >= 0, "the offset lies within the bytes")
        var offset = start
        // Each pass tests 16 bytes. It also reads the next two bytes, which decide whether a hyphen ends the text.
        while offset <= bytes.count &- 18 {
            // SAFETY: the last byte loaded, at `offset + 17`, lies within the bytes. Both types have 16 bytes.
            let found = unsafe unsafeBitCast(ends(end, bytes.bytes, offset), to: SIMD2<UInt64>.self)
            // `littleEndian` moves the byte of the lowest offset to the lowest bits.
            if found[0] != 0 { return offset &+ found[0].littleEndian.trailingZeroBitCount &>> 3 }
            if found[1] != 0 { return offset &+ 8 &+ found[1].littleEndian.trailingZeroBitCount &>> 3 }
            offset &+= 16
        }
        return firstOneByOne(end, bytes, from: offset)
    }

    // Not inlined. If it were inlined, its callers would become so large that the compiler would no longer inline
    // other, more frequent calls in them.
    @inline(never)
    package static func firstOneByOne(_ end: End, _ bytes: Span<UInt8>, from start: Int) -> Int {
        var offset = start
        while offset < bytes.count, !isEnd(end, bytes, offset) { offset += 1 }
        return offset
    }

    /// Returns a mask with a lane for each of the 16 bytes at `offset`. A lane is true if its byte ends plain text.
    ///
    /// - Safety: the 18 bytes from `offset` on lie within the bytes.
    @unsafe @inline(__always)
    private static func ends(_ end: End, _ bytes: RawSpan, _ offset: Int) -> Mask {
        // SAFETY: the caller promises that 18 bytes from `offset` on lie within the bytes.
        let here = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: Vector.self)
        let next = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset &+ 1, as: Vector.self)
        let second = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset &+ 2, as: Vector.self)
        let isWord = equals(next | Vector(repeating: 0x20), "d") .& equals(second | Vector(repeating: 0x20), "i")
        let hyphens = equals(here, "-") .& (isWord .| equals(next, "-"))
        switch end {
        case .word: return hyphens .| isOutsideWords(here)
        case .quotedText: return hyphens .| isOutsidePrintable(here) .| isSpecial(here)
        }
    }

    @inline(__always)
    private static func equals(_ vector: Vector, _ character: Unicode.Scalar) -> Mask {
        vector .== Vector(repeating: UInt8(ascii: character))
    }

    @inline(__always)
    private static func isSpecial(_ here: Vector) -> Mask {
        let isColonToEquals = (here &- Vector(repeating: ASCII.colon)) .<= Vector(repeating: 3)
        let isBracketOrBackslash = (here &- Vector(repeating: ASCII.openBracket)) .<= Vector(repeating: 2)
        return isColonToEquals .| isBracketOrBackslash .| equals(here, "\"") .| equals(here, ",")
    }

    // The next three functions compare bytes as signed numbers. Bytes and sums above 0x7F are negative, so one
    // comparison finds them together with small numbers. For instance, `byte + 1 < 0x21` finds the bytes 0x00–0x1F, DEL
    // and all bytes beyond ASCII.

    @inline(__always)
    private static func isOutsidePrintable(_ here: Vector) -> Mask { isBelow(0x21, here &+ Vector(repeating: 1)) }

    @inline(__always)
    private static func isOutsideWords(_ here: Vector) -> Mask {
        let folded = here | Vector(repeating: 0x20)
        let isOtherThanLetter = isBelow(0x7F - 25, folded &+ Vector(repeating: 0x7F - UInt8(ascii: "z")))
        let isOtherThanDigit = isBelow(0x7F - 9, here &+ Vector(repeating: 0x7F - UInt8(ascii: "9")))
        return isOtherThanLetter .& isOtherThanDigit .& (here .!= Vector(repeating: ASCII.hyphen))
    }

    @inline(__always)
    private static func isBelow(_ limit: Int8, _ vector: Vector) -> Mask {
        // SAFETY: both types have 16 bytes.
        unsafe unsafeBitCast(vector, to: SIMD16<Int8>.self) .< SIMD16<Int8>(repeating: limit)
    }

    private static func isEnd(_ end: End, _ bytes: Span<UInt8>, _ offset: Int) -> Bool {
        let byte = bytes[offset]
        if byte == ASCII.hyphen { return isSpecialHyphen(bytes, offset) }
        switch end {
        case .word:
            return !ASCII.isLetter(byte) && !ASCII.isDigit(byte)
        case .quotedText:
            let isSpecial =
                ASCII.colon...ASCII.equals ~= byte || ASCII.openBracket...ASCII.closeBracket ~= byte
                || byte == ASCII.quote || byte == ASCII.comma
            return isSpecial || ASCII.isControl(byte) || byte == ASCII.tab || byte >= 0x80
        }
    }

    private static func isSpecialHyphen(_ bytes: Span<UInt8>, _ offset: Int) -> Bool {
        guard offset + 1 < bytes.count else { return false }
        return bytes[offset + 1] == ASCII.hyphen
            || offset + 2 < bytes.count && ASCII.matches(bytes, offset + 1..<offset + 3, "di")
    }
}
