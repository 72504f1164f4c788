/// The byte range of a part's name, file name or type; ``none`` if the part does not have that text.
///
/// A value takes only 8 bytes, because each ``SectionLayout`` has three such ranges.
struct TextRange: Sendable, BitwiseCopyable {
    // The highest bit of each bound is a flag. The other 31 bits suffice, because a section is shorter than 2 GiB. Only
    // `none` has all bits set.
    private let lower: UInt32
    private let upper: UInt32

    private static let flag: UInt32 = 1 << 31

    static let none = TextRange(lower: .max, upper: .max)

    private init(lower: UInt32, upper: UInt32) {
        self.lower = lower
        self.upper = upper
    }

    /// Creates a range with the flags that say how to decode the text.
    ///
    /// - Parameters:
    ///   - range: The range of the text, which ends below 2 GiB.
    ///   - hasEscapes: Whether a backslash in the text may escape the next byte.
    ///   - isExtended: Whether the text is the value of an extended parameter (RFC 8187 §3.2).
    init(_ range: Range<Int>, hasEscapes: Bool = false, isExtended: Bool = false) {
        lower = UInt32(range.lowerBound) | (isExtended ? Self.flag : 0)
        upper = UInt32(range.upperBound) | (hasEscapes ? Self.flag : 0)
    }

    var exists: Bool { upper != .max }

    var range: Range<Int>? { exists ? unchecked : nil }

    private var unchecked: Range<Int> { Int(lower & ~Self.flag)..<Int(upper & ~Self.flag) }
    private var hasEscapes: Bool { upper & Self.flag != 0 }
    private var isExtended: Bool { lower & Self.flag != 0 }

    func moved(by distance: Int) -> TextRange {
        let range = unchecked
        return TextRange(
            range.lowerBound + distance..<range.upperBound + distance,
            hasEscapes: hasEscapes,
            isExtended: isExtended
        )
    }

    /// Returns the decoded text; nil if the range is ``none`` or the text cannot be decoded.
    func text(in bytes: Span<UInt8>) -> String? {
        guard exists else { return nil }
        let range = unchecked
        if isExtended { return DispositionLayout.decodeExtended(bytes, range, hasEscapes: hasEscapes) }
        guard hasEscapes else { return String(repairing: bytes.extracting(range)) }
        return String(repairing: Parameters.unescape(bytes, range, hasEscapes: true, everyPair: false).span)
    }

    /// Appends the decoded text in UTF-8, and returns true; returns false if there is no text.
    ///
    /// Copies unescaped UTF-8 without making a `String`, so that decoding a form (benchmark `coding decode`) takes 4%
    /// fewer instructions.
    func appendText(in bytes: Span<UInt8>, to result: inout ContiguousArray<UInt8>) -> Bool {
        guard exists else { return false }
        let isPlain = !isExtended && !hasEscapes
        if isPlain, String.isUTF8(bytes.extracting(unchecked)) {
            result.append(copying: bytes.extracting(unchecked))
        } else {
            guard let text = text(in: bytes) else { return false }
            result.append(contentsOf: text.utf8)
        }
        return true
    }

    /// Whether the decoded text equals `text`, byte for byte in UTF-8. Decodes the text only if decoding may change its
    /// bytes.
    func equals(_ text: String, in bytes: Span<UInt8>) -> Bool {
        guard exists else { return false }
        let range = unchecked
        // A U+FFFD in `text` may match bytes that are not UTF-8, because decoding replaces such bytes by U+FFFD.
        guard !hasEscapes, !isExtended, !text.unicodeScalars.contains("\u{FFFD}") else {
            return self.text(in: bytes)?.utf8.elementsEqual(text.utf8) == true
        }
        return bytes.equals(text, in: range)
    }
}
