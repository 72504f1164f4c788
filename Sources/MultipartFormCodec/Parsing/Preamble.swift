/// The preamble of a message: all bytes before the first dash-boundary.
struct Preamble: Sendable {
    /// The length of the preamble so far, in bytes. Bytes at the end that may begin the dash-boundary do not count.
    private(set) var length: UInt64 = 0
    /// Whether the preamble has bytes other than line breaks.
    private(set) var hasText = false
    /// The first nonempty line of the message, which an error may quote. A line that is too long for a delimiter is
    /// cut.
    private var firstLine: ContiguousArray<UInt8> = []
    private var isInFirstLine = true
    /// The number of CR and LF bytes before `firstLine`.
    private var emptyLength = 0

    /// The maximum length of a dash-boundary: two hyphens, and a boundary of 70 bytes.
    private static let maxDelimiterLength = 2 + 70

    /// Extends the preamble up to the position `end` in the chunk `bytes`, and sets its new length. A negative `end` is
    /// in an earlier chunk.
    mutating func extend(with bytes: Span<UInt8>, upTo end: Int, length: UInt64) {
        // An earlier chunk may have ended with bytes that looked like the beginning of the dash-boundary. If these
        // bytes belong to the preamble after all, they are text, because the dash-boundary has no line breaks.
        if length > self.length, self.length < length &- UInt64(max(end, 0)) { hasText = true }
        self.length = length
        var index = 0
        while !hasText, index < end {
            hasText = bytes[index] != ASCII.carriageReturn && bytes[index] != ASCII.lineFeed
            index += 1
        }
        index = 0
        while isInFirstLine, index < bytes.count {
            keep(bytes[index])
            index += 1
        }
    }

    private mutating func keep(_ byte: UInt8) {
        if byte != ASCII.carriageReturn, byte != ASCII.lineFeed {
            firstLine.append(byte)
            isInFirstLine = firstLine.count <= Self.maxDelimiterLength
        } else if firstLine.isEmpty {
            emptyLength += 1
        } else {
            isInFirstLine = false
        }
    }

    /// Returns a reason that names the boundary in the first line and the expected boundary. Returns nil if the first
    /// line does not look like a delimiter. Uses only the first `limit` bytes of the message.
    func otherBoundary(than dashBoundary: [UInt8], within limit: Int) -> String? {
        let line = firstLine.prefix(max(0, limit - emptyLength))
        guard line.starts(with: [ASCII.hyphen, ASCII.hyphen]) else { return nil }
        guard let boundary = try? Boundary(validating: line.dropFirst(2), mode: .strict) else { return nil }
        let expected = String(decoding: dashBoundary.dropFirst(2), as: UTF8.self).printable(upTo: 64)
        return "message begins with boundary \"\(boundary)\", not \"\(expected)\""
    }
}
