/// The layout of a message: text, which is delimiters and header sections, and the contents between it.
///
///     "--b CRLF" header  content  "CRLF --b CRLF" header  content  …  "CRLF --b-- CRLF"
///
/// Compact parts are text, too, unless their content must be searched for the boundary. A plan is for a whole message,
/// or for one part of a message whose parts arrive one by one.
///
/// - Invariant: each content has a text before it; the message's last text follows the last content.
struct EncodingPlan {
    /// A run of text, and the part whose content follows it.
    struct Piece {
        /// The end in `text` of the run.
        let textEnd: Int
        /// The index of the part in `parts`; nil after the last text.
        let part: Int?
    }

    /// All text, one run after another.
    private(set) var text: ContiguousArray<UInt8> = []
    private(set) var pieces: ContiguousArray<Piece> = []
    /// The length of all text and content in bytes; nil if that of a content is unknown.
    private(set) var length: UInt64? = 0
    let parts: PartList
    let boundary: Boundary
    /// The first part's index in the message.
    let firstIndex: Int

    /// The index in `parts` of the part whose content follows a run of text.
    func part(at piece: Int) -> Int {
        guard let part = pieces[piece].part else { preconditionFailure("no content follows the last text") }
        return part
    }

    /// Whether contents are searched for the boundary, which somebody may have foreseen.
    var isScanned: Bool { !boundary.isUnpredictable }

    /// Lays out a form; throws its first error, or that of a part that cannot be written.
    ///
    /// Only the length is computed unless the text is kept.
    init(
        _ form: MultipartFormData,
        allowsAsynchronous: Bool = false,
        keepsText: Bool = true
    ) throws(MultipartError) {
        if let error = form.firstError { throw error }
        try self.init(of: form.list, boundary: form.boundary)
        let delimiterLine = Self.delimiterLine(boundary)
        if keepsText { text.reserveCapacity(parts.text.count + (parts.count + 1) * (delimiterLine.count + 2)) }
        let bytes = parts.text
        for index in parts.indices {
            try appendPart(at: index, delimiterLine, bytes.span, allowsAsynchronous: allowsAsynchronous)
            if !keepsText { try dropText() }
        }
        try appendCloseDelimiter()
    }

    /// Lays out the next part of a message; its end if there is none.
    init(_ part: BodyPart?, at index: Int, boundary: Boundary) throws(MultipartError) {
        var parts = PartList()
        if let part { parts.append(unwritten: part) }
        try self.init(of: parts, boundary: boundary, at: index)
        if part == nil {
            try appendCloseDelimiter()
        } else {
            try appendPart(at: 0, Self.delimiterLine(boundary), Span(), allowsAsynchronous: true)
            try endText()
        }
    }

    /// Begins a plan; without parts, it is that of a message whose parts have not arrived.
    init(of parts: PartList = PartList(), boundary: Boundary, at firstIndex: Int = 0) throws(MultipartError) {
        guard boundary.isValidForSending else { throw MultipartError(.invalidBoundary) }
        self.parts = parts
        self.boundary = boundary
        self.firstIndex = firstIndex
    }

    /// Appends a delimiter line, a header section, and the content; `bytes` are those of all parts.
    @inline(__always)
    private mutating func appendPart(
        at index: Int,
        _ delimiterLine: [UInt8],
        _ bytes: Span<UInt8>,
        allowsAsynchronous: Bool
    ) throws(MultipartError) {
        // The message begins without a line break.
        text.append(contentsOf: firstIndex + index == 0 ? delimiterLine[2...] : delimiterLine[...])
        if let (section, content) = parts.compactBytes(at: index) {
            let end = isScanned ? section.upperBound : content.upperBound
            text.append(copying: bytes.extracting(section.lowerBound..<end))
            guard isScanned else { return }
            try add(UInt64(content.count))
        } else {
            try appendOther(at: index, bytes, allowsAsynchronous)
        }
        pieces.append(Piece(textEnd: text.count, part: index))
    }

    /// Appends the section of a part that is not compact.
    private mutating func appendOther(
        at index: Int,
        _ bytes: Span<UInt8>,
        _ allowsAsynchronous: Bool
    ) throws(MultipartError) {
        guard let part = parts.other(at: index) else { return }
        do throws(MultipartError) {
            let start = text.count
            let section = parts.section(at: index)
            if section.isEmpty {
                try part.appendHeader(to: &text)
            } else {
                text.append(copying: bytes.extracting(section))
            }
            if !part.fields.isEmpty { try checkLines(from: start) }
            if !allowsAsynchronous, case .asynchronous = part.content {
                throw MultipartError(.bodyPartIsAsynchronous)
            }
            try add(part.content.length)
        } catch {
            throw error.located(at: firstIndex + index, name: part.name)
        }
    }

    private mutating func appendCloseDelimiter() throws(MultipartError) {
        let hyphens = [ASCII.hyphen, ASCII.hyphen]
        let closeDelimiter = Self.lineBreak + boundary.dashBoundary + hyphens + Self.lineBreak
        text.append(contentsOf: firstIndex + parts.count == 0 ? closeDelimiter[2...] : closeDelimiter[...])
        try endText()
    }

    private mutating func endText() throws(MultipartError) {
        pieces.append(Piece(textEnd: text.count, part: nil))
        try add(UInt64(text.count))
    }

    /// Counts the text so far and removes it.
    private mutating func dropText() throws(MultipartError) {
        try add(UInt64(text.count))
        text.removeAll(keepingCapacity: true)
        pieces.removeAll(keepingCapacity: true)
    }

    private static let lineBreak = [ASCII.carriageReturn, ASCII.lineFeed]

    private static func delimiterLine(_ boundary: Boundary) -> [UInt8] {
        lineBreak + boundary.dashBoundary + lineBreak
    }

    /// Fails if a header line begins with the dash-boundary (RFC 2046 §5.1): a header's name may begin with hyphens.
    private func checkLines(from start: Int) throws(MultipartError) {
        let dashBoundary = boundary.dashBoundary
        for line in text[start...].split(separator: ASCII.lineFeed) where line.starts(with: dashBoundary) {
            throw MultipartError(.boundaryCollision)
        }
    }

    private mutating func add(_ count: UInt64?) throws(MultipartError) {
        guard let count, let sum = length else {
            length = nil
            return
        }
        let (total, overflow) = sum.addingReportingOverflow(count)
        guard !overflow else { throw MultipartError(.encodedLengthTooLarge) }
        length = total
    }
}
