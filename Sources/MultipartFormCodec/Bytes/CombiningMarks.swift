/// Finds long runs of combining marks. When Swift compares strings, it sorts the marks of each run by combining class.
/// For a long run, sorting takes quadratic time.
///
/// The limit is 30 marks in a row, as in Unicode's Stream-Safe Text Format (UAX #15 §13). No language has longer runs.
package enum CombiningMarks {
    package static let limit = 30

    /// The minimum length in bytes of a run of more than ``limit`` marks. Each mark has at least two bytes.
    private static let minRunLength = 2 * (limit + 1)

    /// Whether text in UTF-8 has more than ``limit`` marks in a row. Bytes that are not valid UTF-8 are not marks.
    ///
    /// The search is linear, and copies no text. The search tests samples: the last byte of every ``minRunLength``
    /// bytes. A run that is too long has at least ``minRunLength`` bytes, so it covers a sample. If a sample is not
    /// within a mark, the search does not decode the bytes before the sample.
    package static func exceedLimit(_ text: Span<UInt8>) -> Bool {
        text.count >= minRunLength && ASCII.endOfASCII(text, from: 0) < text.count && hasLongRun(text)
    }

    /// Whether `text` has a run that is too long. Tests samples, as ``exceedLimit(_:)`` describes.
    private static func hasLongRun(_ text: Span<UInt8>) -> Bool {
        var position = 0
        while position + minRunLength <= text.count {
            let sample = position + minRunLength - 1
            if isInMark(text, sample) {
                guard let end = endOfRun(in: text, from: position, past: sample) else { return true }
                position = end
            } else {
                position = sample + 1
            }
        }
        return false
    }

    /// Returns the end of the run that covers `sample` and begins at or after `start`; nil if the run is too long.
    private static func endOfRun(in text: Span<UInt8>, from start: Int, past sample: Int) -> Int? {
        var length = 0
        var position = start
        while position < text.count {
            let (end, isValid) = String.endOfSequence(in: text, from: position)
            if isValid, isMark(text, position..<end) {
                length += 1
                if length > limit { return nil }
            } else {
                length = 0
                if position > sample { return position }
            }
            position = end
        }
        return position
    }

    /// Whether the byte at `offset` belongs to a mark.
    private static func isInMark(_ text: Span<UInt8>, _ offset: Int) -> Bool {
        var start = offset
        while start > 0, offset - start < 3, text[start] & 0xC0 == 0x80 { start -= 1 }
        let (end, isValid) = String.endOfSequence(in: text, from: start)
        return isValid && end > offset && isMark(text, start..<end)
    }

    /// Whether the UTF-8 sequence in the range `sequence` is a mark.
    private static func isMark(_ text: Span<UInt8>, _ sequence: Range<Int>) -> Bool {
        // In a sequence of *n* bytes, the first byte has 7 - *n* bits of the character's value. Each other byte has six
        // bits.
        guard sequence.count > 1 else { return false }
        var value = UInt32(text[sequence.lowerBound] & 0x7F >> UInt8(sequence.count))
        for index in sequence.dropFirst() { value = value << 6 | UInt32(text[index] & 0x3F) }
        // No character below U+0300 is a mark. All characters from U+0300 to U+036F are marks, except U+034F. Other
        // marks are rare, and need a slower look-up.
        guard value > 0x36F else { return value >= 0x300 && value != 0x34F }
        return Unicode.Scalar(value).map { $0.properties.canonicalCombiningClass != .notReordered } ?? false
    }
}
