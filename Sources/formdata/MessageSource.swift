import MultipartForm

/// A multipart message to be read: its boundary, and its bytes without any framing around them.
struct MessageSource {
    private enum Framing {
        case untilEnd
        case length(remaining: UInt64)
        case chunked(ChunkedDecoder)
    }

    /// The longest first line that may give the boundary, in bytes.
    private static let lineLimit = 300

    /// The message's boundary.
    let boundary: Boundary

    /// The message's length in bytes, if it is known.
    let length: UInt64?

    private var input: BufferedInput
    private var framing = Framing.untilEnd
    /// What went wrong behind the bytes that were handed out last.
    private var failure: (any Error)?

    /// Finds the boundary, and in a recorded HTTP message the body.
    ///
    /// - Parameters:
    ///   - source: The open input.
    ///   - options: What the command line says about the message.
    /// - Throws: ``ToolError`` or `MultipartParsingError` if there is no boundary, or the recording is malformed.
    init(_ source: InputSource, _ options: MessageOptions) throws {
        input = BufferedInput(source)
        guard options.isHTTP else {
            length = source.length
            boundary = try Self.given(options) ?? Self.firstLine(&input, options.mode)
            return
        }
        // A wrong option is told before anything is read.
        let given = try Self.given(options)
        let head = try HTTPHead(&input)
        switch head.framing {
        case .length(let count):
            framing = .length(remaining: count)
            length = count
        case .chunked:
            framing = .chunked(ChunkedDecoder())
            length = nil
        case .untilEnd:
            length = nil
        }
        if let given {
            boundary = given
        } else if let contentType = head.contentType {
            boundary = try Boundary(contentType: contentType, mode: options.mode)
        } else {
            throw ToolError.recording(
                "missing-content-type",
                "header section has no Content-Type",
                offset: input.offset
            )
        }
    }

    /// Fills an array with the next bytes.
    ///
    /// - Parameters:
    ///   - block: What to fill; its old bytes are replaced.
    ///   - count: How many bytes; fewer come only at the end of the message, or before a failure, which
    ///     ``checkEnd()`` throws.
    mutating func fill(_ block: inout [UInt8], upTo count: Int) {
        var filled = 0
        while filled < count, failure == nil {
            // The array grows with what has come, not with what was asked for.
            if filled == block.count {
                block.append(contentsOf: repeatElement(0, count: min(count - filled, max(1 << 16, filled))))
            }
            let end = min(count, block.count)
            do {
                // SAFETY: room of the array, used inside the closure only.
                let read = try block.withUnsafeMutableBytes {
                    try self.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[filled..<end]))
                }
                guard read > 0 else { break }
                filled += read
            } catch {
                failure = error
            }
        }
        block.removeLast(block.count - filled)
    }

    /// Throws if the message did not end where it should.
    ///
    /// - Throws: ``ToolError`` if reading failed, or the recording is malformed or cut off.
    func checkEnd() throws {
        if let failure { throw failure }
    }

    private mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        switch framing {
        case .untilEnd:
            return try input.read(into: buffer)
        case .length(0):
            return 0
        case .length(let remaining):
            // SAFETY: a part of the caller's buffer, within its bounds.
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Int(clamping: remaining)))
            let count = try input.read(into: room)
            guard count > 0 else {
                throw ToolError.recording(
                    "unexpected-end",
                    "recording ends \(remaining) bytes before the Content-Length",
                    offset: input.offset
                )
            }
            framing = .length(remaining: remaining - UInt64(count))
            return count
        case .chunked(var decoder):
            defer { framing = .chunked(decoder) }
            return try decoder.read(&input, into: buffer)
        }
    }

    /// The boundary the command line gives.
    private static func given(_ options: MessageOptions) throws -> Boundary? {
        if let contentType = options.contentType {
            return try Boundary(contentType: contentType, mode: options.mode)
        }
        return try options.boundary.map { try Boundary($0, mode: options.mode) }
    }

    /// The boundary of the delimiter in the first line.
    private static func firstLine(_ input: inout BufferedInput, _ mode: ParsingMode) throws -> Boundary {
        let ahead = try input.peek(lineLimit + 1)
        let line = ahead.prefix { $0 != 0x0A }
        let isWholeInput = line.count + 1 >= ahead.count && ahead.count <= lineLimit
        guard line.starts(with: "--".utf8), line.count < ahead.count || isWholeInput else {
            let message = "first line does not give the boundary (at offset 0)"
            throw ToolError(.malformed, MultipartParsingError.Code.boundaryNotFound.rawValue, message, offset: 0)
        }
        var bytes = Array(line.dropFirst(2))
        while let last = bytes.last, [0x09, 0x0D, 0x20].contains(last) { bytes.removeLast() }
        // The close delimiter of an empty form.
        if isWholeInput, bytes.count > 2, bytes.suffix(2).elementsEqual("--".utf8) { bytes.removeLast(2) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw MultipartParsingError(.invalidBoundary, offset: 2)
        }
        return try Boundary(text, mode: mode)
    }
}
