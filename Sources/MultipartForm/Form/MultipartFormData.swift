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
/// `append` does not throw: the first check that fails is kept in ``firstError`` and thrown by every way out.
public struct MultipartFormData: Sendable {
    /// The boundary between the parts. One chosen by the caller is checked against the contents while they are
    /// encoded; one from ``Boundary/random()`` need not be.
    ///
    /// That holds as long as nobody knows it. Whoever has seen an encoding knows the boundary, and can write a content that
    /// ends its part and begins another: before a text of somebody else's is appended to a form that was encoded before,
    /// or to a copy of one, renew the boundary.
    ///
    /// ```swift
    /// form.boundary = .random()
    /// ```
    public var boundary: Boundary

    /// The first check that failed in an `append`; every way out throws it.
    public private(set) var firstError: MultipartEncodingError?

    /// The parts, in order.
    package private(set) var parts: [BodyPart] = []

    /// The header sections that were written when parts were appended, one behind the other.
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

    /// The sum of the lengths of the parts' contents, in bytes, as far as they are known.
    ///
    /// This is the payload alone: ``encodedLength`` is the length of the message.
    public var contentLength: UInt64 {
        parts.reduce(0) { sum, part in
            let (total, overflow) = sum.addingReportingOverflow(part.length ?? 0)
            return overflow ? .max : total
        }
    }

    /// Appends a ready-made part.
    ///
    /// Its name must not be nil, and nothing in its headers may break out of its line: the error is kept in
    /// ``firstError``.
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

    /// Appends a part that a parser has read, whatever it holds.
    package mutating func append(received part: BodyPart) {
        parts.append(part)
        headerEnds.append(headerText.count)
    }

    /// Keeps the first error.
    package mutating func fail(_ error: MultipartEncodingError) {
        firstError = firstError ?? error
    }
}

extension MultipartFormData: RandomAccessCollection {
    /// The index of the first part.
    public var startIndex: Int { 0 }

    /// The index behind the last part.
    public var endIndex: Int { parts.count }

    /// The part at an index.
    public subscript(position: Int) -> BodyPart { parts[position] }

    /// The first part with a name; nil if there is none.
    ///
    /// - Parameter name: The name of the form's field, letter case included.
    public subscript(name: String) -> BodyPart? {
        parts.first { $0.hasName(name) }
    }

    /// All parts with a name, in order; the letter case of the name counts.
    public func all(_ name: String) -> [BodyPart] {
        parts.filter { $0.hasName(name) }
    }
}

extension BodyPart {
    /// Appends the part's header section, blank line included.
    ///
    /// - Throws: ``MultipartEncodingError`` without its part.
    package func appendHeader(to buffer: inout [UInt8]) throws(MultipartEncodingError) {
        do {
            try HeaderWriter.write(
                disposition,
                contentType: contentType,
                extra: fields,
                isReceived: isSection,
                to: &buffer
            )
        } catch {
            let reason: MultipartEncodingError.Reason =
                switch error {
                case .missingName: .missingName
                case .invalidCharacter: .invalidCharacter
                case .invalidHeaderName: .invalidHeaderName
                case .invalidHeaderValue: .invalidHeaderValue
                case .forbiddenHeader: .forbiddenHeader
                }
            throw MultipartEncodingError(reason)
        }
    }
}

extension MultipartEncodingError {
    /// The error with the part it belongs to.
    package func located(at index: Int, name: String?) -> MultipartEncodingError {
        MultipartEncodingError(reason, partIndex: index, partName: name, underlying: underlying)
    }
}
