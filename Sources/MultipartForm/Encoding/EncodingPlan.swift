/// The layout of a message: the delimiters and header sections, called text, and the content between them.
///
///     "--b CRLF" header  content  "CRLF --b CRLF" header  content  …  "CRLF --b-- CRLF"
///
/// A plan is for a whole message, or for one part of a message whose parts arrive one by one.
///
/// - Invariant: each content has a text before it; the message's last text follows the last content.
struct EncodingPlan {
    /// All delimiters and header sections, one after another.
    private(set) var text: ContiguousArray<UInt8> = []
    /// The end in `text` of the text before each content, and of the last text.
    private(set) var textEnds: [Int] = []
    /// The length of all text and content in bytes; nil if that of a content is unknown.
    private(set) var length: UInt64? = 0
    let parts: [BodyPart]
    let boundary: Boundary
    /// The first part's index in the message.
    let firstIndex: Int

    /// Lays out a form; throws its first error, or that of a part that cannot be written.
    init(_ form: MultipartFormData, allowsAsynchronous: Bool = false) throws(MultipartError) {
        if let error = form.firstError { throw error }
        try self.init(of: form.parts, boundary: form.boundary)
        let delimiterLine = Self.delimiterLine(boundary)
        textEnds.reserveCapacity(form.count + 1)
        text.reserveCapacity(form.headerText.count + (form.count + 1) * (delimiterLine.count + 2))
        var sectionStart = 0
        let sections = form.headerText.span
        for index in parts.indices {
            let section = sections.extracting(sectionStart..<form.headerEnds[index])
            sectionStart = form.headerEnds[index]
            try appendPart(at: index, delimiterLine, section, allowsAsynchronous: allowsAsynchronous)
        }
        try appendCloseDelimiter()
    }

    /// Lays out the next part of a message; its end if there is none.
    init(_ part: BodyPart?, at index: Int, boundary: Boundary) throws(MultipartError) {
        try self.init(of: part.map { [$0] } ?? [], boundary: boundary, at: index)
        if part == nil {
            try appendCloseDelimiter()
        } else {
            try appendPart(at: 0, Self.delimiterLine(boundary), Span(), allowsAsynchronous: true)
            try endText()
        }
    }

    /// Begins a plan; without parts, it is that of a message whose parts have not arrived.
    init(of parts: [BodyPart] = [], boundary: Boundary, at firstIndex: Int = 0) throws(MultipartError) {
        guard boundary.isValidForSending else { throw MultipartError(.invalidBoundary) }
        self.parts = parts
        self.boundary = boundary
        self.firstIndex = firstIndex
    }

    /// Appends a delimiter line, a header section, and the content. Writes the section if it is empty.
    @inline(__always)
    private mutating func appendPart(
        at index: Int,
        _ delimiterLine: [UInt8],
        _ section: Span<UInt8>,
        allowsAsynchronous: Bool
    ) throws(MultipartError) {
        do throws(MultipartError) {
            // The message begins without a line break.
            text.append(contentsOf: firstIndex + index == 0 ? delimiterLine[2...] : delimiterLine[...])
            let start = text.count
            if section.isEmpty {
                try parts[index].appendHeader(to: &text)
            } else {
                text.append(copying: section)
            }
            if !parts[index].fields.isEmpty { try checkLines(from: start) }
            if !allowsAsynchronous, case .asynchronous = parts[index].content {
                throw MultipartError(.bodyPartIsAsynchronous)
            }
            try add(parts[index].content.length)
        } catch {
            throw error.located(at: firstIndex + index, name: parts[index].name)
        }
        textEnds.append(text.count)
    }

    private mutating func appendCloseDelimiter() throws(MultipartError) {
        let hyphens = [ASCII.hyphen, ASCII.hyphen]
        let closeDelimiter = Self.lineBreak + boundary.dashBoundary + hyphens + Self.lineBreak
        text.append(contentsOf: firstIndex + parts.count == 0 ? closeDelimiter[2...] : closeDelimiter[...])
        try endText()
    }

    private mutating func endText() throws(MultipartError) {
        textEnds.append(text.count)
        try add(UInt64(text.count))
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
