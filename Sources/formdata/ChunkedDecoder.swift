/// Undoes the chunked transfer coding (RFC 9112 §7.1).
///
/// - Input: the body of a recorded message.
/// - Output: the chunks' data, one behind the other.
/// - Invariant: `remaining` is what the current chunk still has.
/// - Cost: linear; chunk lines are bounded to 4 KiB and the trailer section to 64 KiB.
struct ChunkedDecoder {
    private static let lineLimit = 4 * 1024
    private static let trailerLimit = 64 * 1024

    private var remaining: UInt64 = 0
    private var isFirst = true
    private var isFinished = false

    /// Fills a buffer, which is not empty, as far as one read goes; 0 behind the last chunk.
    ///
    /// - Throws: ``ToolError`` if the coding is malformed, or ends early.
    mutating func read(_ input: inout BufferedInput, into output: UnsafeMutableRawBufferPointer) throws -> Int {
        if remaining == 0, !isFinished { try readChunkHead(&input) }
        guard !isFinished else { return 0 }
        // SAFETY: a part of the caller's buffer, within its bounds.
        let room = UnsafeMutableRawBufferPointer(rebasing: output.prefix(Int(clamping: remaining)))
        let count = try input.read(into: room)
        guard count > 0 else { throw Self.end(input) }
        remaining -= UInt64(count)
        return count
    }

    private mutating func readChunkHead(_ input: inout BufferedInput) throws {
        if !isFirst {
            guard try Self.line(&input, limit: Self.lineLimit).isEmpty else {
                throw Self.malformed("chunk is longer than its size", input)
            }
        }
        isFirst = false
        let line = try Self.line(&input, limit: Self.lineLimit)
        let digits = line.prefix { Self.value(ofHexDigit: $0) != nil }
        let next = line.dropFirst(digits.count).first { $0 != 0x20 && $0 != 0x09 }
        guard !digits.isEmpty, next == nil || next == UInt8(ascii: ";") else {
            throw Self.malformed("chunk has no size", input)
        }
        remaining = try digits.reduce(0) { size, digit in
            guard size >> 60 == 0 else { throw Self.malformed("chunk size exceeds 64 bits", input) }
            return size << 4 | UInt64(Self.value(ofHexDigit: digit) ?? 0)
        }
        guard remaining == 0 else { return }
        isFinished = true
        var room = Self.trailerLimit
        // Each turn takes a line from the room there is.
        while true {
            let trailer = try Self.line(&input, limit: room)
            guard !trailer.isEmpty else { return }
            room -= trailer.count + 2
        }
    }

    /// The next line without its CR LF.
    private static func line(_ input: inout BufferedInput, limit: Int) throws -> [UInt8] {
        guard var line = try input.line(limit: limit) else {
            throw try input.peek(1).isEmpty ? end(input) : malformed("chunk line exceeds its limit", input)
        }
        guard line.last == 0x0A else { throw end(input) }
        line.removeLast()
        guard line.last == 0x0D else { throw malformed("chunk line does not end in CR LF", input) }
        line.removeLast()
        return line
    }

    private static func value(ofHexDigit byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    private static func malformed(_ message: String, _ input: BufferedInput) -> ToolError {
        .recording("malformed-chunk", message, offset: input.offset)
    }

    private static func end(_ input: BufferedInput) -> ToolError {
        .recording("unexpected-end", "recording ends before the last chunk", offset: input.offset)
    }
}
