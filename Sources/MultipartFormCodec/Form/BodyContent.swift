#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Where bytes of a message are. The cases are ordered by how long a read may block.
enum ContentPlace: Comparable {
    /// Bytes in memory. A read never blocks.
    case memory
    /// A file. A read blocks until the disk has answered.
    case file
    /// A stream. A read may block forever.
    case stream
    /// An asynchronous sequence. Only asynchronous code can read the bytes.
    case asynchronous
}

/// The content of a part, or the error of a part that cannot be sent.
enum BodyContent: Sendable {
    case data(Data)
    /// Short content, in the same array as the part's header section. The content begins at the index `from`, right
    /// after the section.
    case inline(ContiguousArray<UInt8>, from: Int)
    /// A file; if `range` is not nil, only the bytes in this range. A read throws if the file has changed since the
    /// part was created.
    case file(CheckedFile, range: Range<UInt64>?)
    /// A whole temporary file. It is removed when the last reference to the object is released, unless the program has
    /// saved the part.
    case temporaryFile(TemporaryFile)
    /// A stream; `length` is nil if the length is unknown.
    case stream(StreamOpener, length: UInt64?)
    /// No content, because the part cannot be sent. `fields` has the part's header fields if its header section cannot
    /// be written; otherwise `fields` is nil.
    case refused(MultipartError, fields: HeaderFields?)
    /// An asynchronous sequence; `length` is nil if the length is unknown. `makePieces` begins an iteration, or throws
    /// a `MultipartError` if the sequence cannot be iterated again.
    case asynchronous(length: UInt64?, makePieces: @Sendable () throws -> ElementReader<Data>)

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

    /// If the content is in memory and has at most `limit` bytes, calls `body` with the bytes, and returns the result.
    /// Otherwise returns nil without calling `body`.
    func withBytesInMemory<Result, Failure: Error>(
        upTo limit: Int = .max,
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        switch self {
        case .data(let data): data.count <= limit ? try body(data.span) : nil
        case .inline(let bytes, let start):
            bytes.count - start <= limit ? try body(bytes.span.extracting(start...)) : nil
        case .file, .temporaryFile, .stream, .refused, .asynchronous: nil
        }
    }

    /// The content if it is in memory; otherwise nil.
    var dataInMemory: Data? {
        if case .data(let data) = self { return data }
        return withBytesInMemory { Data(copying: $0) }
    }

    /// Returns the content. `Data` of at most `limit` bytes is copied, because it may be a slice that keeps a whole
    /// message in memory.
    func copied(upTo limit: Int) -> BodyContent {
        guard case .data(let data) = self, data.count <= limit else { return self }
        return .data(Data(copying: data.span))
    }

    /// The URL of the file whose bytes are the content; nil if the content is not a whole file.
    var fileURL: URL? {
        switch self {
        case .file(let file, range: nil): file.url
        case .temporaryFile(let file): file.url
        case .data, .inline, .file, .stream, .asynchronous, .refused: nil
        }
    }

    var place: ContentPlace {
        switch self {
        case .data, .inline, .refused: .memory
        case .file, .temporaryFile: .file
        case .stream: .stream
        case .asynchronous: .asynchronous
        }
    }

    /// Where the content is, such as `in a file`, for a part's description.
    var location: String {
        switch place {
        case .memory: "in memory"
        case .file: "in a file"
        case .stream: "in a stream"
        case .asynchronous: "in an asynchronous sequence"
        }
    }
}

extension BodyContent {
    /// Creates the content of a text field, in UTF-8. If the charset of `contentType` does not decode the UTF-8 bytes
    /// to the same text, the content is `refused`.
    init(_ text: String, _ contentType: String?) {
        self = .data(Data(utf8: text))
        guard let name = contentType.flatMap(HeaderFields.charset) else { return }
        let bytes = ContiguousArray(text.utf8)
        if case .text(let decoded) = Charset.decode(bytes.span, as: name), decoded.utf8.elementsEqual(bytes) { return }
        let reason = "text is sent in UTF-8, not in \"\(name.printable(upTo: 64))\""
        self = .refused(MultipartError(ErrorCode.invalidHeaderValue, reason), fields: nil)
    }

    /// Creates content from an asynchronous sequence.
    ///
    /// If the sequence is a ``SinglePassSequence``, `makePieces` throws in two cases:
    /// - `makePieces` has been called before.
    /// - ``SinglePassSequence/isConsumed`` is true.
    init<Content: AsyncSequence & Sendable>(
        _ content: Content,
        length: UInt64?
    ) where Content.Element: Collection<UInt8> {
        let first = FirstCall()
        self = .asynchronous(length: length) {
            if let once = content as? any SinglePassSequence, once.isConsumed || !first.make() {
                throw MultipartError(.bodyPartStreamConsumed)
            }
            return content.pieceReader()
        }
    }

    /// Creates content from a file or, if `range` is not nil, from a range of its bytes. Throws if
    /// ``CheckedFile/init(checking:)`` throws, or if the range ends after the end of the file.
    init(checkedFileAt url: URL, range: Range<UInt64>? = nil) throws(MultipartError) {
        let file = try CheckedFile(checking: url)
        if let range, range.upperBound > file.size {
            throw MultipartError(ErrorCode.bodyPartRangeInvalid, path: url.path)
        }
        self = .file(file, range: range)
    }
}

extension BodyContent {
    /// Returns the whole content; nil if it has more than `limit` bytes. Reads nothing if the length is known to exceed
    /// the limit.
    func data(upTo limit: UInt64) throws(MultipartError) -> Data? {
        if let length, length > limit { return nil }
        if let dataInMemory { return dataInMemory }
        var reader = try ContentReader(self)
        let scratch = ScratchBuffer(count: 256 * 1024)
        var result = Data()
        // A stream may have no end, so the loop ends when the limit is exceeded.
        while UInt64(result.count) <= limit {
            // SAFETY: `next` uses the buffer only during the call.
            let count = unsafe try reader.next(through: scratch.bytes) { bytes, _ throws(MultipartError) in
                result.append(copying: bytes)
            }
            guard count > 0 else { return result }
        }
        return nil
    }
}
