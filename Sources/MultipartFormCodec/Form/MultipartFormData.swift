/// A form: an ordered collection of parts, to build, parse and encode.
///
/// ```swift
/// var form = MultipartFormData()
/// form.append("Ada", withName: "author")
/// form.append(fileURL, withName: "photo")
/// request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
/// request.httpBody = try form.encode()
/// ```
///
/// `append` does not throw. If a part fails a check, the form keeps the part with its ``BodyPart/error`` in place of
/// its content. Every encoding then throws the ``firstError``, until the part is removed. A part with an error counts
/// like any other part: it has an index, and is found by its name.
public struct MultipartFormData: Sendable {
    /// The boundary between the parts.
    ///
    /// If you choose the boundary, encoding searches the content for two hyphens and the boundary, and throws if it
    /// finds them. Encoding does not search for a boundary from ``Boundary/random()``.
    ///
    /// A random boundary is safe only while it is secret. Anyone who has seen an encoded form can write content that
    /// ends its own part and begins another part. So set a new boundary before you append other people's text to a form
    /// that has been encoded, or to a copy of the form:
    ///
    /// ```swift
    /// form.boundary = .random()
    /// ```
    public var boundary: Boundary

    /// The error of the first appended part that cannot be sent; nil if no part has an error. Show the error before you
    /// send the form.
    ///
    /// Every encoding of the form, or of a copy, throws this error. If you append the part to another form, the other
    /// form gets the error as well. Removing the part removes the error.
    ///
    /// A received form is not checked before it is encoded. If one of its parts cannot be sent, for instance because
    /// the part has no name, encoding throws. To find the error earlier, append the parts to a new form:
    /// `MultipartFormData(form)`.
    public var firstError: MultipartError? { list.firstError }

    var list = PartList()

    /// Creates an empty form, to append parts to.
    ///
    /// - Parameter boundary: The boundary between the parts; a new random boundary by default.
    public init(boundary: Boundary = .random()) {
        self.boundary = boundary
    }

    /// Creates a form from parts, such as some parts of another form.
    ///
    /// Each part is appended by ``append(_:)``. A part that cannot be sent gets a ``BodyPart/error``.
    ///
    /// ```swift
    /// let photos = MultipartFormData(form.parts(named: "photo"))
    /// ```
    ///
    /// - Parameters:
    ///   - parts: The parts, in order.
    ///   - boundary: The boundary between the parts; a new random boundary by default, even if `parts` is a form.
    public init(_ parts: some Sequence<BodyPart>, boundary: Boundary = .random()) {
        self.init(boundary: boundary)
        append(contentsOf: parts)
    }

    /// The value of the Content-Type field to send with this form: `multipart/form-data; boundary=…`.
    public var contentType: String { boundary.contentType }

    /// Does not compile, because the name misleads: the value of a Content-Length field is the length of the whole
    /// message, but Alamofire's `contentLength` is only the sum of the parts' lengths.
    @available(*, unavailable, message: "use encodedLength for a Content-Length field; add up the parts' lengths")
    public var contentLength: UInt64 { 0 }

    /// Appends a ready-made part, such as a part with further header fields, or a part of another form.
    ///
    /// A part that cannot be sent, such as a part without a name, gets a ``BodyPart/error``. A part that already has an
    /// error keeps the error.
    ///
    /// The header section of a received part is sent byte for byte. The exception is a section with irregular lines,
    /// such as folded lines or lines that end in LF alone: it is rewritten with unfolded lines that end in CR LF. The
    /// next receiver may read the section differently than this library, for instance find another name; see
    /// <doc:ForwardingForms>.
    ///
    /// - Parameter part: The part.
    public mutating func append(_ part: BodyPart) {
        list.append(part)
    }

    /// Appends parts, such as all parts of another form, one by one as ``append(_:)`` does.
    ///
    /// - Parameter parts: The parts, in order.
    public mutating func append(contentsOf parts: some Sequence<BodyPart>) {
        for part in parts { append(part) }
    }

    /// Removes all parts with a name, for instance before the form is passed on. The errors of these parts are removed
    /// as well.
    ///
    /// - Parameter name: The name of the form's field. Names are compared byte by byte in UTF-8.
    /// - Complexity: O(*n*) in the number of parts and the length of all headers. Content in memory is copied if it has
    ///   at most 512 bytes.
    public mutating func removeAll(named name: String) {
        list.removeAll(named: name)
    }
}

extension MultipartFormData: RandomAccessCollection, CustomStringConvertible {
    /// The index of the first part.
    public var startIndex: Int { 0 }

    /// The index after the last part. Parts with an ``BodyPart/error`` have an index as well.
    public var endIndex: Int { list.count }

    /// The part at an index.
    ///
    /// - Complexity: O(1) in the number of parts. The part's header section is copied. Content in memory is copied if
    ///   it has at most 512 bytes.
    public subscript(position: Int) -> BodyPart { list[position] }

    /// The first part with a name, as with `FormData.get()` on the web; nil if no part has the name.
    ///
    /// - Parameter name: The name of the form's field. Names are compared byte by byte in UTF-8.
    /// - Complexity: O(*n*) in the number of parts.
    public subscript(name: String) -> BodyPart? {
        list.firstIndex(named: name).map { list[$0] }
    }

    /// Returns all parts with a name, in order, such as the files of an input that accepts several files.
    ///
    /// - Parameter name: The name of the form's field. Names are compared byte by byte in UTF-8.
    /// - Returns: The parts; empty if no part has the name.
    /// - Complexity: O(*n*) in the number of parts.
    public func parts(named name: String) -> [BodyPart] {
        var result: [BodyPart] = []
        var start = 0
        while let index = list.firstIndex(named: name, from: start) {
            result.append(list[index])
            start = index + 1
        }
        return result
    }

    /// A text with one line for each part, for a log. The text never shows content.
    ///
    /// - Complexity: O(*n*) in the number of parts.
    public var description: String {
        map(\.description).joined(separator: "\n")
    }
}
