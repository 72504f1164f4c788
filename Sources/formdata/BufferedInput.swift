/// An input whose next bytes can be looked at before they are taken.
///
/// - Input: a source.
/// - Output: lines and bytes, each once.
/// - Invariant: what was looked at is handed out before anything else is read.
/// - Cost: bytes that nobody looked at go straight to the caller's buffer.
struct BufferedInput {
    private let source: InputSource
    private var buffer: [UInt8] = []
    private var position = 0
    /// How many bytes have been taken.
    private(set) var offset: UInt64 = 0

    /// Creates an input.
    init(_ source: InputSource) {
        self.source = source
    }

    /// The next bytes, up to a number of them; fewer only if the input ends there. They are not taken.
    mutating func peek(_ count: Int) throws -> ArraySlice<UInt8> {
        while buffer.count - position < count {
            guard try fill() else { break }
        }
        return buffer[position...].prefix(count)
    }

    /// Takes the next line with its LF; the last one may have none.
    ///
    /// - Parameter limit: The longest line allowed, in bytes.
    /// - Returns: The line, not empty; nil if the input has ended, or if the line is longer than the limit.
    /// - Throws: ``ToolError`` if reading fails.
    mutating func line(limit: Int) throws -> [UInt8]? {
        var searched = 0
        while true {
            let ahead = buffer[position...]
            if let end = ahead.dropFirst(searched).firstIndex(of: 0x0A) {
                return end - position < limit ? take(end + 1 - position) : nil
            }
            searched = ahead.count
            guard searched <= limit else { return nil }
            guard try fill() else { break }
        }
        let rest = buffer.count - position
        return rest > 0 && rest <= limit ? take(rest) : nil
    }

    /// Fills a buffer as far as one read goes; 0 at the end.
    mutating func read(into output: UnsafeMutableRawBufferPointer) throws -> Int {
        var count = min(output.count, buffer.count - position)
        if count > 0 {
            output.copyBytes(from: buffer[position..<position + count])
            position += count
        } else {
            count = try source.read(into: output)
        }
        offset += UInt64(count)
        return count
    }

    private mutating func take(_ count: Int) -> [UInt8] {
        defer {
            position += count
            offset += UInt64(count)
        }
        return Array(buffer[position..<position + count])
    }

    /// Reads ahead; false at the end.
    private mutating func fill() throws -> Bool {
        buffer.removeFirst(position)
        position = 0
        let kept = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: 1 << 16))
        var count = 0
        defer { buffer.removeLast(buffer.count - kept - count) }
        // SAFETY: the room just appended, used inside the closure only.
        count = try buffer.withUnsafeMutableBytes { try source.read(into: .init(rebasing: $0[kept...])) }
        return count > 0
    }
}
