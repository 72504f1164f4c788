/// A form laid out for encoding: what is written between the contents, and the contents.
///
///     "--b CRLF" header  content  "CRLF --b CRLF" header  content  …  "CRLF --b-- CRLF"
///
/// - Invariant: there is one more text than contents; they alternate, texts first and last.
struct EncodingPlan {
    /// All delimiters and header sections, one behind the other.
    private(set) var text: [UInt8] = []
    /// The end in `text` of what precedes each content, and of the close delimiter.
    private(set) var textEnds: [Int] = []
    /// The length of the message in bytes; nil if that of a content is unknown.
    private(set) var length: UInt64? = 0
    /// The form, whose parts have the contents.
    let form: MultipartFormData

    /// Lays a form out.
    ///
    /// - Parameters:
    ///   - form: The form.
    ///   - allowsAsynchronous: Whether the way out can wait for asynchronous contents.
    /// - Throws: ``MultipartEncodingError``: the form's first error, or that of a part that cannot be written.
    init(_ form: MultipartFormData, allowsAsynchronous: Bool = false) throws(MultipartEncodingError) {
        self.form = form
        if let error = form.firstError { throw error }
        guard form.boundary.isValidForSending else { throw MultipartEncodingError(.invalidBoundary) }
        let lineBreak = [ASCII.carriageReturn, ASCII.lineFeed]
        let dashBoundary = form.boundary.dashBoundary
        let delimiterLine = lineBreak + dashBoundary + lineBreak
        textEnds.reserveCapacity(form.count + 1)
        text.reserveCapacity(form.headerText.count + (form.count + 1) * (delimiterLine.count + 2))
        let parts = form.parts
        var sectionStart = 0
        for index in parts.indices {
            do throws(MultipartEncodingError) {
                // The message begins without a line break.
                text.append(contentsOf: index == 0 ? delimiterLine[2...] : delimiterLine[...])
                let start = text.count
                let sectionEnd = form.headerEnds[index]
                if sectionStart < sectionEnd {
                    text.append(copying: form.headerText.span.extracting(sectionStart..<sectionEnd))
                } else {
                    try parts[index].appendHeader(to: &text)
                }
                sectionStart = sectionEnd
                if parts[index].hasAdditionalHeaders { try checkLines(from: start, against: dashBoundary) }
                if !allowsAsynchronous, case .asynchronous = parts[index].content {
                    throw MultipartEncodingError(.bodyPartIsAsynchronous)
                }
                try add(parts[index].length)
            } catch {
                throw error.located(at: index, name: parts[index].name)
            }
            textEnds.append(text.count)
        }
        let closeDelimiter = lineBreak + dashBoundary + [ASCII.hyphen, ASCII.hyphen] + lineBreak
        text.append(contentsOf: form.isEmpty ? closeDelimiter[2...] : closeDelimiter[...])
        textEnds.append(text.count)
        try add(UInt64(text.count))
    }

    /// A header's line must not begin with the dash-boundary either (RFC 2046 §5.1); hyphens may begin a name.
    private func checkLines(from start: Int, against dashBoundary: [UInt8]) throws(MultipartEncodingError) {
        for line in text[start...].split(separator: ASCII.lineFeed) where line.starts(with: dashBoundary) {
            throw MultipartEncodingError(.boundaryCollision)
        }
    }

    private mutating func add(_ count: UInt64?) throws(MultipartEncodingError) {
        guard let count, let sum = length else {
            length = nil
            return
        }
        let (total, overflow) = sum.addingReportingOverflow(count)
        guard !overflow else { throw MultipartEncodingError(.encodedLengthTooLarge) }
        length = total
    }
}
