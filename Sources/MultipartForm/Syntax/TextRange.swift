/// The range in bytes of a part's name, file name or type, or none. It takes 8 bytes, and a form has three of them for
/// each part.
struct TextRange: Sendable, BitwiseCopyable {
    // The highest bit of each bound is a flag; the other bits suffice, because a section is shorter than 2 GiB. Only
    // `none` is empty and has both flags.
    private let lower: UInt32
    private let upper: UInt32

    private static let flag: UInt32 = 1 << 31

    static let none = TextRange(lower: .max, upper: .max)

    private init(lower: UInt32, upper: UInt32) {
        self.lower = lower
        self.upper = upper
    }

    /// - Parameters:
    ///   - range: The range, which ends below 2 GiB.
    ///   - hasEscapes: Whether a backslash in it may escape the next byte.
    ///   - isExtended: Whether it is the value of an extended parameter that can be decoded (RFC 8187 §3.2).
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

    /// The text, decoded; nil if there is none.
    func text(in bytes: Span<UInt8>) -> String? {
        guard exists else { return nil }
        let range = unchecked
        if isExtended { return DispositionLayout.decodeExtended(bytes, range, hasEscapes: hasEscapes) }
        guard hasEscapes else { return String(repairing: bytes.extracting(range)) }
        return String(repairing: Parameters.unescape(bytes, range, hasEscapes: true, everyPair: false).span)
    }

    /// Appends the text, decoded, in UTF-8; false if there is none.
    ///
    /// Makes no `String` where possible, so that decoding a form (benchmark `coding decode`) takes 4% fewer
    /// instructions.
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

    /// Whether the decoded text equals `text` byte for byte in UTF-8; decodes the text only if its bytes may differ
    /// from the decoded ones.
    func equals(_ text: String, in bytes: Span<UInt8>) -> Bool {
        guard exists else { return false }
        let range = unchecked
        // A U+FFFD in `text` may stand for bytes that are not UTF-8.
        guard !hasEscapes, !isExtended, !text.unicodeScalars.contains("\u{FFFD}") else {
            return self.text(in: bytes)?.utf8.elementsEqual(text.utf8) == true
        }
        return bytes.equals(text, in: range)
    }
}
