/// A form: an ordered collection of parts that can be built or parsed, and encoded either way.
///
/// ```swift
/// var form = MultipartFormData()
/// form.append("Ada", withName: "author")
/// form.append(fileURL, withName: "photo")
/// request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
/// request.httpBody = try form.encode()
/// ```
///
/// `append` does not throw: the first check that fails is kept in ``firstError``, and every encoding throws it.
public struct MultipartFormData: Sendable {
    /// The boundary between the parts. One that you choose is searched for in the content while it is encoded; one from
    /// ``Boundary/random()`` need not be.
    ///
    /// That holds as long as nobody knows it. Whoever has seen an encoded form knows its boundary, and can write content that
    /// ends its part and begins another: before you append somebody else's text to a form that was encoded before, or to
    /// a copy of one, renew the boundary.
    ///
    /// ```swift
    /// form.boundary = .random()
    /// ```
    public var boundary: Boundary

    /// The first check that failed in an `append`; every encoding throws it.
    public private(set) var firstError: MultipartError?

    /// The parts, in order.
    package private(set) var parts: [BodyPart] = []

    /// The header sections that were written when parts were appended, one after the other.
    package private(set) var headerText: [UInt8] = []

    /// The end in `headerText` of each part's section, which is empty if the part was received.
    package private(set) var headerEnds: [Int] = []

    /// Creates an empty form.
    ///
    /// - Parameter boundary: The boundary between the parts; a new random one unless given.
    public init(boundary: Boundary = .random()) {
        self.boundary = boundary
    }

    /// The value for the Content-Type field of a message with this form: `multipart/form-data; boundary=…`.
    public var contentType: String { boundary.contentType }

    /// The length of the parts' content alone, in bytes; nil if that of one is unknown, or the sum exceeds 64 bits.
    ///
    /// ``encodedLength`` is the length of the message.
    ///
    /// - Complexity: O(*n*) in the number of parts.
    public var contentLength: UInt64? {
        var sum: UInt64 = 0
        for part in parts {
            guard let length = part.length else { return nil }
            let (total, overflow) = sum.addingReportingOverflow(length)
            guard !overflow else { return nil }
            sum = total
        }
        return sum
    }

    /// Appends a ready-made part.
    ///
    /// It needs a name, and nothing in its headers may break out of its line: the error is kept in ``firstError``.
    ///
    /// - Parameter part: The part.
    public mutating func append(_ part: BodyPart) {
        let start = headerText.count
        do {
            try part.appendHeader(to: &headerText)
            append(received: part)
        } catch {
            headerText.removeSubrange(start...)
            fail(error.located(at: count, name: part.name))
        }
    }

    /// Appends parts, such as those of another form, whose ``firstError`` is taken over too.
    ///
    /// - Parameter parts: The parts, in order.
    public mutating func append(contentsOf parts: some Sequence<BodyPart>) {
        for part in parts { append(part) }
        if let error = (parts as? MultipartFormData)?.firstError { fail(error) }
    }

    /// Removes all parts with a name. A ``firstError`` stays.
    ///
    /// - Parameter name: The name of the form's field, compared by its bytes in UTF-8.
    /// - Complexity: O(*n*) in the length of all headers.
    public mutating func removeAll(named name: String) {
        var result = MultipartFormData(boundary: boundary)
        var start = 0
        for (part, end) in zip(parts, headerEnds) {
            if !part.hasName(name) {
                result.headerText += headerText[start..<end]
                result.append(received: part)
            }
            start = end
        }
        result.firstError = firstError
        self = result
    }

    /// Appends a part that a parser has read, whatever it holds.
    package mutating func append(received part: BodyPart) {
        parts.append(part)
        headerEnds.append(headerText.count)
    }

    /// Keeps the first error.
    package mutating func fail(_ error: MultipartError) {
        firstError = firstError ?? error
    }
}

extension MultipartFormData: RandomAccessCollection, CustomStringConvertible {
    /// The index of the first part.
    public var startIndex: Int { 0 }

    /// The index after the last part.
    public var endIndex: Int { parts.count }

    /// The part at an index.
    public subscript(position: Int) -> BodyPart { parts[position] }

    /// The first part with a name, as `FormData.get()` of the web returns; nil if there is none.
    ///
    /// - Parameter name: The name of the form's field, compared by its bytes in UTF-8.
    /// - Complexity: O(*n*) in the number of parts.
    public subscript(name: String) -> BodyPart? {
        parts.first { $0.hasName(name) }
    }

    /// All parts with a name, in order.
    ///
    /// - Parameter name: The name of the form's field, compared by its bytes in UTF-8.
    /// - Returns: The parts.
    /// - Complexity: O(*n*) in the number of parts.
    public func parts(named name: String) -> [BodyPart] {
        parts.filter { $0.hasName(name) }
    }

    /// The parts, a line each; never their content.
    ///
    /// - Complexity: O(*n*) in the number of parts.
    public var description: String {
        parts.map(\.description).joined(separator: "\n")
    }
}
