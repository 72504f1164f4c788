#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Where bytes of a message come from, ordered by how long a read may block.
enum ByteSource: Comparable {
    /// Headers or content in memory: a read never blocks.
    case memory
    /// A file: a read blocks as long as the disk does.
    case file
    /// A stream: a read may block forever.
    case stream
    /// An asynchronous sequence: not the reader but its owner awaits the bytes.
    case asynchronous
}

/// Where a part's content is, or why there is none.
enum BodyContent: Sendable {
    case data(Data)
    /// A short part in one array: its header section, then, from index `from` on, its content.
    case inline(ContiguousArray<UInt8>, from: Int)
    /// A file, or a range of its bytes. A read throws if the file has changed since it was appended or parsed.
    case file(SourceFile, range: Range<UInt64>?)
    /// A whole temporary file, which is removed with the last reference to it unless it has been saved.
    case temporaryFile(TemporaryFile)
    /// A stream; its length may be unknown.
    case stream(StreamSource, length: UInt64?)
    /// No content, because the part cannot be sent. `fields` has the header fields if the header section could not be
    /// written; otherwise it is nil.
    case refused(MultipartError, fields: HeaderFields?)
    /// An asynchronous sequence; its length may be unknown. `makePieces` begins an iteration, and throws a
    /// `MultipartError` if the sequence cannot be iterated again.
    case asynchronous(length: UInt64?, makePieces: @Sendable () throws -> NextElement<Data>)

    var length: UInt64? {
        switch self {
        case .data(let data): UInt64(data.count)
        case .inline(let bytes, let start): UInt64(bytes.count - start)
        case .file(let file, let range): range.map { $0.upperBound - $0.lowerBound } ?? file.size
        case .temporaryFile(let file): file.length
        case .stream(_, let length), .asynchronous(let length, _): length
        case .refused: nil
        }
    }

    var error: MultipartError? {
        if case .refused(let error, _) = self { error } else { nil }
    }

    /// Calls `body` with the content if it is in memory and has at most `limit` bytes; otherwise returns nil.
    func withBytesInMemory<Result>(upTo limit: Int = .max, _ body: (Span<UInt8>) -> Result) -> Result? {
        switch self {
        case .data(let data): data.count <= limit ? body(data.span) : nil
        case .inline(let bytes, let start): bytes.count - start <= limit ? body(bytes.span.extracting(start...)) : nil
        case .file, .temporaryFile, .stream, .refused, .asynchronous: nil
        }
    }

    /// The content if it is in memory.
    var dataInMemory: Data? {
        if case .data(let data) = self { return data }
        return withBytesInMemory { Data(copying: $0) }
    }

    /// The same content. Data of at most `limit` bytes is copied, because a slice would keep the whole message in
    /// memory.
    func copied(upTo limit: Int) -> BodyContent {
        guard case .data(let data) = self, data.count <= limit else { return self }
        return .data(Data(copying: data.span))
    }

    /// The file that holds exactly the content; nil if there is no such file.
    var fileURL: URL? {
        switch self {
        case .file(let file, range: nil): file.url
        case .temporaryFile(let file): file.url
        case .data, .inline, .file, .stream, .asynchronous, .refused: nil
        }
    }

    var source: ByteSource {
        switch self {
        case .data, .inline, .refused: .memory
        case .file, .temporaryFile: .file
        case .stream: .stream
        case .asynchronous: .asynchronous
        }
    }

    /// Where the content is, in words for a part's description.
    var location: String {
        switch source {
        case .memory: "in memory"
        case .file: "in a file"
        case .stream: "in a stream"
        case .asynchronous: "in an asynchronous sequence"
        }
    }
}

extension BodyContent {
    /// Creates the content of a text field, in UTF-8. The content is `refused` if the charset of `contentType` decodes
    /// the bytes to another text.
    init(_ text: String, _ contentType: String?) {
        self = .data(Data(utf8: text))
        guard let name = contentType.flatMap(HeaderFields.charset) else { return }
        guard !Charset.utf8Agrees(with: name, for: text) else { return }
        let reason = "text is sent in UTF-8, not in \"\(name.printable(upTo: 64))\""
        self = .refused(MultipartError(ErrorCode.invalidHeaderValue, reason), fields: nil)
    }

    /// Creates content from an asynchronous sequence. For a single-pass sequence, `makePieces` throws when it is called
    /// again, or if elements have been read before.
    init<Content: AsyncSequence & Sendable>(
        _ content: Content,
        length: UInt64?
    ) where Content.Element: Collection<UInt8> {
        let first = FirstCall()
        self = .asynchronous(length: length) {
            if let once = content as? any SinglePassSequence, once.isConsumed || !first.make() {
                throw MultipartError(.bodyPartStreamConsumed)
            }
            return content.nextPiece()
        }
    }

    /// Creates content from a file, or a range of its bytes. Throws if a check of `SourceFile` fails, or if the range
    /// ends after the end of the file.
    init(checkedFileAt url: URL, range: Range<UInt64>? = nil) throws(MultipartError) {
        let file = try SourceFile(checking: url)
        if let range, range.upperBound > file.size {
            throw MultipartError(ErrorCode.bodyPartRangeInvalid, path: url.path)
        }
        self = .file(file, range: range)
    }
}

extension BodyContent {
    /// Reads the whole content into memory; nil if it has more than `limit` bytes. Nothing is read if the known length
    /// exceeds the limit.
    func data(upTo limit: UInt64) throws(MultipartError) -> Data? {
        if let length, length > limit { return nil }
        if let dataInMemory { return dataInMemory }
        var reader = try ContentReader(self)
        let scratch = ScratchBuffer(count: 256 * 1024)
        var result = Data()
        // Stops after the limit, because a stream may have no end.
        while UInt64(result.count) <= limit {
            // SAFETY: the buffer is used during the call.
            let count = unsafe try reader.next(through: scratch.bytes) { bytes, _ throws(MultipartError) in
                result.append(copying: bytes)
            }
            guard count > 0 else { return result }
        }
        return nil
    }
}
