package import MultipartFormCodec

/// The results of reading a message, from which notes and error messages are made.
package struct MessageSummary {
    /// The head of the HTTP message whose body is the multipart message; nil without an HTTP message.
    var head: HTTPHead?
    /// Whether the head announces the chunked transfer coding, but the body has no chunks.
    var lacksChunks = false
    /// The state of the HTTP body at the end of the input; nil until the end has been read.
    var body: HTTPBody?
    var opening: MessageOpening
    /// The Content-Type that gives the boundary; nil if an option or the first line gives the boundary.
    var contentType: String?
    private(set) var boundary: Boundary?
    /// The number of bytes before the first delimiter; nil if the first bytes of the message have no delimiter.
    private(set) var preambleLength: Int?
    /// In lenient mode, the error that strict mode would report for the Content-Type or the boundary.
    private var strictContentTypeError: Finding?
    /// In lenient mode, the first error that strict mode would report in the message.
    var strictError: MultipartError?
    /// The header line with the error that ended the reading; nil if there is no such line.
    var headerLine: HeaderLine?
    /// The current part; nil outside of a part.
    var part: ListedPart?
    private(set) var partCount = 0
    var epilogue = Epilogue()
    /// Whether the message has been read to its end without an error.
    var isComplete = false
    private var partFindings = FindingList()

    init(opening: MessageOpening) {
        self.opening = opening
    }

    mutating func begin(_ message: MessageInput) {
        (head, opening, lacksChunks) = (message.head, message.opening, message.lacksChunks)
    }

    mutating func begin(_ boundary: MessageBoundary) {
        self.boundary = boundary.value
        preambleLength = opening.offsetOfDelimiter(boundary.value)
        // The error's offset counts from the start of the Content-Type or the boundary, not of the message. So the
        // finding leaves out the offset.
        strictContentTypeError = boundary.strictError.map {
            Finding(MultipartError($0.code), ErrorWords.ofContentType(contentType, $0, self))
        }
    }

    /// Counts the current part, which has ended, and adds the notes on the part to `findings`.
    mutating func endPart() {
        partFindings.append(contentsOf: findingsOfPart)
        part = nil
        partCount += 1
    }

    private var findingsOfPart: [Finding] {
        guard let part else { return [] }
        return MessageNote.ofPart.compactMap { note in
            note(part).map { Finding($0, part: partCount, name: part.headers.name) }
        }
    }

    /// All findings in the bytes that have been read: the errors of strict mode, then the notes. The property is valid
    /// even after an error.
    package var findings: FindingList {
        var list = FindingList()
        list.head = head
        if hasForm {
            list.append(contentsOf: [strictContentTypeError].compactMap(\.self))
            list.append(
                contentsOf: [strictError].compactMap(\.self).map { Finding($0, MessageNote.text($0.code, self)) }
            )
        }
        list.append(contentsOf: notes.filter { $0.code == nil || $0.code != strictError?.code }.compactMap(finding))
        list.append(contentsOf: partFindings)
        list.append(contentsOf: findingsOfPart)
        return list
    }

    /// The notes that `decode` prints.
    var findingsOfDecode: [Finding] { notes.filter(\.isOfDecode).compactMap(finding) }

    private func finding(_ note: MessageNote) -> Finding? { note.text(self).map { Finding($0) } }

    /// The notes that can apply. A note with a code is about a form, so the note applies only if a form was found.
    private var notes: [MessageNote] { MessageNote.ofMessage.filter { $0.code == nil || hasForm } }

    private var hasForm: Bool { partCount > 0 || part != nil || isComplete }

    /// Converts an error of the library to a ``ToolError``, with clearer words if there are any.
    func explained(_ error: MultipartError) -> ToolError { ToolError(error, words(for: error)) }

    /// Returns clearer words for an error; nil if no clearer words are known.
    package func words(for error: MultipartError) -> String? {
        for words in ErrorWords.all {
            if let text = words(self, error) { return text }
        }
        return nil
    }
}

/// The bytes after the close delimiter, without line breaks at their start.
struct Epilogue {
    /// The maximum length of `beginning`, in bytes. If `beginning` is another form, the limit usually leaves room for
    /// the header fields of that form's first part.
    private static let limit = 1024

    private(set) var length: UInt64 = 0
    private(set) var beginning: ContiguousArray<UInt8> = []

    mutating func append(_ bytes: Span<UInt8>) {
        var start = 0
        while length == 0, start < bytes.count, "\r\n".utf8.contains(bytes[start]) { start += 1 }
        let text = bytes.extracting(droppingFirst: start)
        length += UInt64(text.count)
        beginning.append(copying: text.extracting(first: Self.limit - beginning.count))
    }
}
