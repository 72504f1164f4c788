import MultipartForm

/// Extracts a message from the bytes that follow an HTTP head: joins the chunks of the chunked transfer coding (RFC
/// 9112 §7.1), or stops after as many bytes as Content-Length says.
///
/// - Input: the bytes after the head, in pieces of any size.
/// - Output: the message's bytes, without a copy.
/// - Cost: linear; memory for a line.
struct HTTPBody {
    private enum State {
        /// Not chunked: this many bytes are left; nil for all up to the end of the input.
        case plain(UInt64?)
        /// In the line with a chunk's size, of which this many digits have been read.
        case size(UInt64, digits: Int)
        /// After the size, in the same line.
        case sizeExtension(UInt64)
        case content(UInt64)
        /// After a chunk's content, before the end of its line.
        case contentEnd
        /// In the lines after the last chunk; the current line has this many bytes so far.
        case trailer(Int)
        case ended
    }

    /// The maximum number of bytes to keep after the message.
    private static let shownSurplus = 256

    private var state: State
    /// How many bytes of the message have been read, and how many bytes after the message.
    private(set) var length: UInt64 = 0
    private(set) var surplus: UInt64 = 0
    /// The first bytes after the message.
    private(set) var surplusBeginning: ContiguousArray<UInt8> = []
    /// How many bytes of the body have been read, including chunk sizes.
    private var offset: UInt64 = 0

    init(contentLength: UInt64?) {
        state = .plain(contentLength)
    }

    /// A body in chunks.
    static var chunked: HTTPBody {
        var body = HTTPBody(contentLength: nil)
        body.state = .size(0, digits: 0)
        return body
    }

    /// Whether the body is incomplete so far.
    var isCutOff: Bool {
        switch state {
        case .plain(let rest): rest ?? 0 > 0
        case .ended: false
        case .size, .sizeExtension, .content, .contentEnd, .trailer: true
        }
    }

    /// Calls `body` with the message's bytes in a piece.
    mutating func take(_ piece: Span<UInt8>, _ body: (Span<UInt8>) throws -> Void) throws {
        var rest = piece
        // Each pass takes at least one byte.
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

    /// Skips bytes after the message, and returns how many.
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

    /// Takes a byte that is not in a chunk's content. Lines may end in LF alone.
    private mutating func takeFraming(_ byte: UInt8) throws(ToolError) {
        switch (state, byte) {
        case (.size(let size, let digits), _) where ASCII.hexadecimalValue(byte) != nil:
            guard size < 1 << 56 else { throw malformed("a chunk's size has more than 15 digits after leading zeros") }
            state = .size(size << 4 | UInt64(ASCII.hexadecimalValue(byte) ?? 0), digits: digits + 1)
        case (.size(_, digits: 0), _):
            throw malformed("a chunk of the HTTP body has no size")
        case (.size(let size, _), UInt8(ascii: "\n")), (.sizeExtension(let size), UInt8(ascii: "\n")):
            state = size == 0 ? .trailer(0) : .content(size)
        case (.size(let size, _), _) where "; \t\r".utf8.contains(byte):
            state = .sizeExtension(size)
        case (.size, _):
            throw malformed("a chunk's size is no hexadecimal number")
        case (.contentEnd, UInt8(ascii: "\n")):
            state = .size(0, digits: 0)
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
