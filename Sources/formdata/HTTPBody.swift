import MultipartFormCodec

/// Extracts a multipart message from the bytes after an HTTP head.
///
/// - Input: the bytes after the head, in pieces of any size.
/// - Output: the bytes of the message. They are not copied.
/// - Cost: linear time, constant memory.
///
/// The chunks of the chunked transfer coding are joined (RFC 9112 §7.1). Any other body has the length that
/// Content-Length gives or, without Content-Length, ends with the input.
struct HTTPBody {
    private enum State {
        /// In a body without chunks. The value is the number of bytes that have not been read yet; nil if the body ends
        /// with the input.
        case plain(UInt64?)
        /// In the line with the size of a chunk. The value is the size so far; nil before its first digit.
        case size(UInt64?)
        /// In the chunk extension, which follows the size in the same line. The value is the size.
        case sizeExtension(UInt64)
        case content(UInt64)
        /// After the content of a chunk, before the line break.
        case contentEnd
        /// In the trailer section, after the last chunk. The value is the number of bytes in the current line so far.
        case trailer(Int)
        case ended
    }

    /// The maximum length of ``surplusBeginning``, in bytes.
    private static let shownSurplus = 256

    private var state: State
    /// The number of bytes of the message that have been read.
    private(set) var length: UInt64 = 0
    /// The number of bytes after the message that have been read.
    private(set) var surplus: UInt64 = 0
    /// The first bytes after the message.
    private(set) var surplusBeginning: ContiguousArray<UInt8> = []
    /// The offset of the next byte, counted from the end of the head.
    private var offset: UInt64 = 0

    init(contentLength: UInt64?) {
        state = .plain(contentLength)
    }

    static var chunked: HTTPBody {
        var body = HTTPBody(contentLength: nil)
        body.state = .size(nil)
        return body
    }

    /// Whether the body would be incomplete if the input ended after the bytes that have been read.
    var isCutOff: Bool {
        switch state {
        case .plain(let rest): rest ?? 0 > 0
        case .ended: false
        case .size, .sizeExtension, .content, .contentEnd, .trailer: true
        }
    }

    /// Reads the next piece of the input, and calls `body` with those bytes of the piece that belong to the message.
    mutating func take(_ piece: Span<UInt8>, _ body: (Span<UInt8>) throws -> Void) throws {
        var rest = piece
        // Each pass reads at least one byte.
        while !rest.isEmpty {
            var count = 1
            switch state {
            case .plain(let left):
                count = min(rest.count, left.map { Int(clamping: $0) } ?? .max)
                state = .plain(left.map { $0 - UInt64(count) })
                try give(rest.extracting(first: count), body)
                if count == 0 { count = skip(rest) }
            case .content(let left):
                count = min(rest.count, Int(clamping: left))
                state = left == UInt64(count) ? .contentEnd : .content(left - UInt64(count))
                try give(rest.extracting(first: count), body)
            case .ended:
                count = skip(rest)
            case .size, .sizeExtension, .contentEnd, .trailer:
                try takeFraming(rest[0])
            }
            rest = rest.extracting(droppingFirst: count)
            offset += UInt64(count)
        }
    }

    /// Skips bytes after the message. Counts them in `surplus`, and keeps the first of them in `surplusBeginning`.
    /// Returns the number of skipped bytes.
    private mutating func skip(_ bytes: Span<UInt8>) -> Int {
        surplus += UInt64(bytes.count)
        surplusBeginning.append(copying: bytes.extracting(first: Self.shownSurplus - surplusBeginning.count))
        return bytes.count
    }

    private mutating func give(_ bytes: Span<UInt8>, _ body: (Span<UInt8>) throws -> Void) throws {
        guard !bytes.isEmpty else { return }
        length += UInt64(bytes.count)
        try body(bytes)
    }

    /// Reads a byte that is not content of a chunk. The byte belongs to the line with a chunk's size, to the line break
    /// after a chunk, or to the trailer section. Lines may end in LF alone.
    private mutating func takeFraming(_ byte: UInt8) throws(ToolError) {
        switch (state, byte) {
        case (.size(let size), _) where ASCII.hexadecimalValue(byte) != nil:
            let size = size ?? 0
            guard size < 1 << 56 else { throw malformed("a chunk's size has more than 15 digits after leading zeros") }
            state = .size(size << 4 | UInt64(ASCII.hexadecimalValue(byte) ?? 0))
        case (.size(nil), _):
            throw malformed("a chunk of the HTTP body has no size")
        case (.size(let size?), UInt8(ascii: "\n")), (.sizeExtension(let size), UInt8(ascii: "\n")):
            state = size == 0 ? .trailer(0) : .content(size)
        case (.size(let size?), _) where "; \t\r".utf8.contains(byte):
            state = .sizeExtension(size)
        case (.size, _):
            throw malformed("a chunk's size is no hexadecimal number")
        case (.contentEnd, UInt8(ascii: "\n")):
            state = .size(nil)
        case (.contentEnd, UInt8(ascii: "\r")):
            break
        case (.contentEnd, _):
            throw malformed("a chunk of the HTTP body does not have its size")
        case (.trailer(let length), UInt8(ascii: "\n")):
            state = length == 0 ? .ended : .trailer(0)
        case (.trailer(let length), _):
            state = .trailer(byte == UInt8(ascii: "\r") ? length : length + 1)
        default:
            break
        }
    }

    private func malformed(_ reason: String) -> ToolError {
        let place = "at offset \(offset) after the head"
        return ToolError(.malformed, "malformed-chunk", "\(reason) (\(place))", offset: offset)
    }
}
