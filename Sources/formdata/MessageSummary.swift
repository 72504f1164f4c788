package import MultipartForm

/// What was found while a message was read. Notes and the words of an error are made from this summary.
package struct MessageSummary {
    /// The head of the HTTP message, if the multipart message is the body of one.
    var head: HTTPHead?
    /// Whether the head announces chunks but none follow.
    var lacksChunks = false
    /// The HTTP body, once the input has been read to its end.
    var body: HTTPBody?
    /// The message's first bytes.
    var opening: MessageOpening
    /// The Content-Type that gives the boundary; nil if the boundary is from elsewhere.
    var contentType: String?
    private(set) var boundary: Boundary?
    /// How many bytes precede the first delimiter; nil if the delimiter is not among the first bytes.
    private(set) var preambleLength: Int?
    /// In lenient mode, what strict mode would refuse in the Content-Type.
    private var strictContentTypeError: Finding?
    /// In lenient mode, what strict mode would refuse first in the message.
    var strictError: MultipartError?
    /// The header line with the error that ended the reading.
    var headerLine: HeaderLine?
    /// The part that has begun and not ended.
    var part: ListedPart?
    private(set) var partCount = 0
    var epilogue = Epilogue()
    /// Whether the message has been read to its end.
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
        // Leaves out the error's offset, which is in the field and not in the message.
        strictContentTypeError = boundary.strictError.map {
            Finding(MultipartError($0.code), ErrorWords.ofContentType(contentType, $0, self))
        }
    }

    /// Counts a part that has ended, and adds its notes.
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

    /// All findings, also after an error: the errors of strict mode in what was read, and the notes.
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

    /// The notes that can apply. Notes with a code are about a form, so they apply only if a form was found.
    private var notes: [MessageNote] { MessageNote.ofMessage.filter { $0.code == nil || hasForm } }

    private var hasForm: Bool { partCount > 0 || part != nil || isComplete }

    /// The error, in the best words that the summary allows.
    func explained(_ error: MultipartError) -> ToolError { ToolError(error, words(for: error)) }

    /// Clearer words for an error than its own; nil if there are none.
    package func words(for error: MultipartError) -> String? {
        for words in ErrorWords.all {
            if let text = words(self, error) { return text }
        }
        return nil
    }
}

/// What follows the close delimiter, from its first byte that is no line break.
struct Epilogue {
    /// The maximum number of bytes to keep, which is enough for the header fields of a part.
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
