/// What precedes the first delimiter of a message.
struct Preamble: Sendable {
    /// The preamble's length so far, in bytes, without bytes at its end that may begin the delimiter.
    private(set) var length: UInt64 = 0
    /// Whether the preamble has bytes other than line breaks.
    private(set) var hasText = false
    /// The first line that is not empty, cut if it is too long for a delimiter; shown by an error.
    private var firstLine: ContiguousArray<UInt8> = []
    private var isInFirstLine = true
    /// The length, in bytes, of the line breaks before `firstLine`.
    private var emptyLength = 0

    /// The maximum length of two hyphens and a boundary.
    private static let maxDelimiterLength = 2 + 70

    /// Extends the preamble to a new length, by the bytes before `end`; if the preamble ends in an earlier chunk, `end`
    /// is negative.
    mutating func extend(with bytes: Span<UInt8>, upTo end: Int, length: UInt64) {
        // If the preamble grows by more than this chunk's bytes, earlier chunks have bytes that could have begun a
        // dash-boundary, but did not become a whole one. They are text.
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

    /// Says which boundary the first line has and which one was expected, if that line looks like a delimiter;
    /// otherwise nil. Reads only the first `limit` bytes of the message.
    func otherBoundary(than dashBoundary: [UInt8], within limit: Int) -> String? {
        let line = firstLine.prefix(max(0, limit - emptyLength))
        guard line.starts(with: [ASCII.hyphen, ASCII.hyphen]) else { return nil }
        guard let boundary = try? Boundary(validating: line.dropFirst(2), mode: .strict) else { return nil }
        let expected = String(decoding: dashBoundary.dropFirst(2), as: UTF8.self).printable(upTo: 64)
        return "message begins with boundary \"\(boundary)\", not \"\(expected)\""
    }
}
