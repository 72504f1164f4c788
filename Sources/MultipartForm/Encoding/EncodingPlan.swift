/// A form laid out for encoding: what is written between the contents, and the contents.
///
///     "--b CRLF" header  content  "CRLF --b CRLF" header  content  …  "CRLF --b-- CRLF"
///
/// - Invariant: `texts` has one range more than `contents`; they alternate, texts first and last.
struct EncodingPlan {
    /// All delimiters and header sections, one behind the other.
    private(set) var text: [UInt8] = []
    /// The end in `text` of what precedes each content, and of the close delimiter.
    private(set) var textEnds: [Int] = []
    let form: MultipartFormData
    /// The length of the message in bytes; nil if that of a content is unknown.
    private(set) var length: UInt64? = 0

    /// Lays a form out.
    ///
    /// - Throws: ``MultipartEncodingError``: the form's first error, or that of a part that cannot be written.
    init(_ form: MultipartFormData) throws(MultipartEncodingError) {
        self.form = form
        if let error = form.firstError { throw error }
        guard form.boundary.isValidForSending else { throw MultipartEncodingError(.invalidBoundary) }
        let dashBoundary = form.boundary.dashBoundary
        textEnds.reserveCapacity(form.count + 1)
        text.reserveCapacity((form.count + 1) * (dashBoundary.count + 64))
        for (index, part) in form.enumerated() {
            if index > 0 { appendLineBreak() }
            text.append(contentsOf: dashBoundary)
            appendLineBreak()
            do throws(MultipartEncodingError) {
                try Self.checkNames(of: part.additionalHeaders, against: dashBoundary)
                try part.appendHeader(to: &text)
            } catch {
                throw error.located(at: index, name: part.name)
            }
            textEnds.append(text.count)
            try add(part.length, of: index)
        }
        if !form.isEmpty { appendLineBreak() }
        text.append(contentsOf: dashBoundary)
        text.append(ASCII.hyphen)
        text.append(ASCII.hyphen)
        appendLineBreak()
        textEnds.append(text.count)
        try add(UInt64(text.count), of: nil)
    }

    /// A header's line must not begin with the dash-boundary either (RFC 2046 §5.1); hyphens may begin a name.
    private static func checkNames(
        of headers: HeaderFields,
        against dashBoundary: [UInt8]
    ) throws(MultipartEncodingError) {
        for place in headers.places where headers.bytes[place.name].starts(with: dashBoundary) {
            throw MultipartEncodingError(.boundaryCollision)
        }
    }

    private mutating func appendLineBreak() {
        text.append(ASCII.carriageReturn)
        text.append(ASCII.lineFeed)
    }

    private mutating func add(_ count: UInt64?, of part: Int?) throws(MultipartEncodingError) {
        guard let count, let sum = length else {
            length = nil
            return
        }
        let (total, overflow) = sum.addingReportingOverflow(count)
        guard !overflow else { throw MultipartEncodingError(.encodedLengthTooLarge, partIndex: part) }
        length = total
    }
}
