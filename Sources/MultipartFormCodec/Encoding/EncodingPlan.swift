/// The layout of a message: texts, with the contents between them. A text is a delimiter and a header section; the last
/// text is the close delimiter.
///
///     "--b CRLF" header  content  "CRLF --b CRLF" header  content  …  "CRLF --b-- CRLF"
///
/// Inline content is short content that a ``PartList`` stores right after its header section. Inline content that need
/// not be searched for the boundary is part of the text.
///
/// A plan is for a whole message, or for one part of a message whose parts arrive one by one.
///
/// - Input: a form, or one part of it.
/// - Output: the bytes of each text, copied piece by piece; whether content follows the text; the total length.
/// - Invariant: each part has one text, before the part's content. One more text, which may be empty, ends the
///   plan.
/// - Cost: linear in the number of parts. A header section is read only if it must be checked. Content is never read.
struct EncodingPlan {
    let parts: PartList
    let boundary: Boundary
    /// The index in the message of the plan's first part.
    let firstIndex: Int
    /// The length of all texts and contents, in bytes; nil if the length of a content is unknown.
    private(set) var length: UInt64? = 0
    private var totalTextLength = 0
    /// The delimiter and the CRLF after it: CRLF, the dash-boundary, CRLF.
    private let delimiterLine: ContiguousArray<UInt8>
    private var ending: ContiguousArray<UInt8> = []
    let textCount: Int

    /// Whether content must be searched for the boundary. An unpredictable boundary needs no search, because only
    /// somebody who knows it can make content that contains it.
    var searchesForBoundary: Bool { !boundary.isUnpredictable }

    /// Lays out a form. Throws the form's first error, or the error of a part that cannot be sent.
    init(_ form: MultipartFormData, allowsAsynchronous: Bool = false) throws(MultipartError) {
        if let error = form.firstError { throw error }
        try self.init(form.list, boundary: form.boundary, endsMessage: true, allowsAsynchronous: allowsAsynchronous)
    }

    /// Lays out some parts of a message. If `endsMessage` is true, also lays out the end of the message.
    init(
        _ parts: PartList,
        at firstIndex: Int = 0,
        boundary: Boundary,
        endsMessage: Bool,
        allowsAsynchronous: Bool = true
    ) throws(MultipartError) {
        if let reason = boundary.reasonInvalid(in: .strict) { throw MultipartError(.invalidBoundary, reason) }
        self.parts = parts
        self.boundary = boundary
        self.firstIndex = firstIndex
        textCount = parts.count + 1
        let lineBreak = [ASCII.carriageReturn, ASCII.lineFeed]
        let delimiter = lineBreak + boundary.dashBoundary
        delimiterLine = ContiguousArray(delimiter + lineBreak)
        for index in parts.indices { try append(index, allowsAsynchronous) }
        if endsMessage {
            let line = delimiter + [ASCII.hyphen, ASCII.hyphen] + lineBreak
            ending = ContiguousArray(line[skipped(at: parts.count)...])
        }
        try add(UInt64(totalTextLength + ending.count))
    }

    /// Checks the part at `index`, and counts its bytes in the length of the message.
    // Inlined, because encoding short fields (benchmark `programs encode-again`) then takes 3% fewer instructions.
    @inline(__always)
    private mutating func append(_ index: Int, _ allowsAsynchronous: Bool) throws(MultipartError) {
        let (section, inlineContent) = parts.ranges(at: index)
        totalTextLength += delimiterLine.count - skipped(at: index) + section.count
        if let content = inlineContent {
            if searchesForBoundary { try add(UInt64(content.count)) } else { totalTextLength += content.count }
        } else if let content = parts.storedContent(at: index) {
            do throws(MultipartError) {
                try check(index, content, allowsAsynchronous)
                try add(content.length)
            } catch {
                throw error.located(at: firstIndex + index, name: parts.name(at: index))
            }
        }
    }

    /// Checks a part whose content is not inline. Throws if the part cannot be sent.
    private func check(
        _ index: Int,
        _ content: BodyContent,
        _ allowsAsynchronous: Bool
    ) throws(MultipartError) {
        if let error = content.error { throw error }
        if parts.layout(at: index).lines != .sendable {
            let section = parts.bytes.span.extracting(parts.section(at: index))
            try HeaderSection.checkSendable(section, parts.layout(at: index))
            try checkLines(section)
        }
        if !allowsAsynchronous, case .asynchronous = content { throw MultipartError(ErrorCode.bodyPartIsAsynchronous) }
    }

    /// Throws if a header line begins with the dash-boundary (RFC 2046 §5.1). The name of a header may begin with
    /// hyphens, so this is possible.
    private func checkLines(_ section: Span<UInt8>) throws(MultipartError) {
        let dashBoundary = boundary.dashBoundary
        let section = ContiguousArray(copying: section)
        for line in section.split(separator: ASCII.lineFeed) where line.starts(with: dashBoundary) {
            throw MultipartError(.boundaryCollision, "header line begins with \"--\(boundary)\", the boundary")
        }
    }

    private mutating func add(_ count: UInt64?) throws(MultipartError) {
        guard let count, let sum = length else {
            length = nil
            return
        }
        let (total, overflow) = sum.addingReportingOverflow(count)
        guard !overflow else {
            throw MultipartError(ErrorCode.encodedLengthTooLarge, "total length does not fit in 64 bits")
        }
        length = total
    }
}

extension EncodingPlan {
    /// Returns how many bytes of a delimiter are not sent: 2 for the first delimiter, because a message does not begin
    /// with CRLF; 0 for all others.
    private func skipped(at index: Int) -> Int { firstIndex + index == 0 ? 2 : 0 }

    func hasContent(at index: Int) -> Bool {
        index < parts.count && (searchesForBoundary || !parts.hasInlineContent(at: index))
    }

    func textLength(at index: Int) -> Int {
        withText(at: index) { $0.count + $1.count }
    }

    /// Calls `body` with the two pieces of a text: the delimiter, with the CRLF after it, and the header section. If
    /// content is sent with its text, the second piece also has the content. For the last text, the first piece is the
    /// close delimiter, and the second is empty.
    // Inlined, because encoding short fields (benchmark `programs encode-again`) then takes 5% fewer instructions.
    @inline(__always)
    func withText<Result, Failure: Error>(
        at index: Int,
        _ body: (_ delimiter: Span<UInt8>, _ rest: Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard index < parts.count else { return try body(ending.span, Span()) }
        let delimiter = delimiterLine.span.extracting(skipped(at: index)...)
        let (section, content) = parts.ranges(at: index)
        let end = searchesForBoundary ? section.upperBound : content?.upperBound ?? section.upperBound
        return try body(delimiter, parts.bytes.span.extracting(section.lowerBound..<end))
    }

    /// Copies bytes of a text, from an offset on, until the buffer is full or the text ends. Returns the number
    /// of bytes, and whether the text has ended.
    // Inlined, because encoding short fields then takes a fifth less time.
    @inline(__always)
    func copyText(
        at index: Int,
        from offset: Int,
        to buffer: UnsafeMutableRawBufferPointer
    ) -> (count: Int, isWhole: Bool) {
        withText(at: index) { delimiter, rest in
            let length = delimiter.count + rest.count
            // Nearly every text is copied whole. Without this fast path, the benchmark `encode-fields` takes 14%
            // more instructions.
            if offset == 0, length <= buffer.count {
                // SAFETY: both pieces fit into the buffer, one after the other.
                unsafe Self.copy(delimiter, then: rest, to: buffer)
                return (length, true)
            }
            let first = delimiter.extracting(min(offset, delimiter.count)...).extracting(first: buffer.count)
            let second = rest.extracting(max(0, offset - delimiter.count)...)
                .extracting(first: buffer.count - first.count)
            // SAFETY: both pieces fit into the buffer, one after the other.
            unsafe Self.copy(first, then: second, to: buffer)
            let count = first.count + second.count
            return (count, offset + count == length)
        }
    }

    /// Copies two pieces to a buffer, one after the other. Traps if they do not fit.
    // Inlined, because the benchmark `encode-fields` then takes 9% fewer instructions.
    @inline(__always)
    private static func copy(_ first: Span<UInt8>, then second: Span<UInt8>, to buffer: UnsafeMutableRawBufferPointer) {
        // SAFETY: `copyMemory` traps if the bytes do not fit.
        unsafe first.withUnsafeBytes { unsafe buffer.copyMemory(from: $0) }
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[first.count...])
        unsafe second.withUnsafeBytes { unsafe room.copyMemory(from: $0) }
    }
}
