/// Finds long runs of combining marks. They make comparing strings quadratic, because each comparison sorts the marks
/// of a run by their combining classes.
///
/// The limit is 30 marks in a row, as in Unicode's Stream-Safe Text Format (UAX #15 §13). No language's text has more.
package enum CombiningMarks {
    package static let limit = 30

    /// A run of more than ``limit`` marks has at least this many bytes, because a mark has at least two.
    private static let minRunLength = 2 * (limit + 1)

    /// Whether text in UTF-8 has more than ``limit`` marks in a row; bytes that are not UTF-8 are not marks.
    ///
    /// Linear, without a copy. It decodes one sample every ``minRunLength`` bytes, because a run that is too long
    /// covers at least one of them. Only where a sample is in a mark does it decode the run around it.
    package static func exceedLimit(_ text: Span<UInt8>) -> Bool {
        text.count >= minRunLength && ASCII.endOfASCII(text, from: 0) < text.count && hasLongRun(text)
    }

    /// Whether there is a run that is too long; takes samples as ``exceedLimit(_:)`` describes.
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

    /// The end of the run that covers `sample` and begins at or after `start`; nil if the run is too long.
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

    /// Whether the character with these bytes is a mark.
    private static func isMark(_ text: Span<UInt8>, _ sequence: Range<Int>) -> Bool {
        // A sequence of *n* bytes has 7 - *n* bits in its first byte, and six in each other one.
        guard sequence.count > 1 else { return false }
        var value = UInt32(text[sequence.lowerBound] & 0x7F >> UInt8(sequence.count))
        for index in sequence.dropFirst() { value = value << 6 | UInt32(text[index] & 0x3F) }
        // In most text, the marks are U+0300 to U+036F, of which only U+034F has combining class 0. No character below
        // U+0300 is a mark.
        guard value > 0x36F else { return value >= 0x300 && value != 0x34F }
        return Unicode.Scalar(value).map { $0.properties.canonicalCombiningClass != .notReordered } ?? false
    }
}
