/// A form: an ordered collection of parts. You build it or parse it, and can encode it.
///
/// ```swift
/// var form = MultipartFormData()
/// form.append("Ada", withName: "author")
/// form.append(fileURL, withName: "photo")
/// request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
/// request.httpBody = try form.encode()
/// ```
///
/// `append` does not throw: a part that fails a check is kept with its ``BodyPart/error`` in place of its content, and
/// every encoding throws the ``firstError``. Until such a part is removed, it counts like any other: it has its index,
/// and is found by its name.
public struct MultipartFormData: Sendable {
    /// The boundary between the parts. Encoding searches the content for a boundary that you choose, but not for one
    /// from ``Boundary/random()``.
    ///
    /// A random boundary is safe only while it is secret: anyone who has seen an encoded form can write content that
    /// ends its part and begins another. Set a new boundary before you append other people's text to a form that has
    /// been encoded, or to a copy of one:
    ///
    /// ```swift
    /// form.boundary = .random()
    /// ```
    public var boundary: Boundary

    /// The error of the first appended part that cannot be sent; nil if there is none. Show it before anything is sent.
    ///
    /// Encoding throws this error: for this form, for a copy, and for any form to which the part is appended. Removing
    /// the part removes the error.
    ///
    /// The parts of a received form are not checked before the form is encoded: a part that cannot be sent, such as one
    /// without a name, causes an error only then. To find this error earlier, append the parts to a new form:
    /// `MultipartFormData(form)`.
    public var firstError: MultipartError? { list.firstError }

    var list = PartList()

    /// Creates an empty form, to append parts to.
    ///
    /// - Parameter boundary: The boundary between the parts; by default a new random one.
    public init(boundary: Boundary = .random()) {
        self.boundary = boundary
    }

    /// Creates a form from parts, such as some parts of another form.
    ///
    /// Each part is appended as by ``append(_:)``: a part that cannot be sent keeps its ``BodyPart/error``.
    ///
    /// ```swift
    /// let photos = MultipartFormData(form.parts(named: "photo"))
    /// ```
    ///
    /// - Parameters:
    ///   - parts: The parts, in order.
    ///   - boundary: The boundary between the parts; by default a new random one, also if `parts` is a form.
    public init(_ parts: some Sequence<BodyPart>, boundary: Boundary = .random()) {
        self.init(boundary: boundary)
        append(contentsOf: parts)
    }

    /// The Content-Type to send with this form: `multipart/form-data; boundary=…`.
    public var contentType: String { boundary.contentType }

    /// Catches Alamofire's property: the sum of the parts' lengths, which is not the value of a Content-Length field.
    @available(*, unavailable, message: "use encodedLength for a Content-Length field; add up the parts' lengths")
    public var contentLength: UInt64 { 0 }

    /// Appends a ready-made part, such as one with further header fields, or one of another form.
    ///
    /// The part needs a name, and header fields without line breaks; otherwise the form keeps the part with a
    /// ``BodyPart/error``. A part that already has an error keeps it. The header section of a received part is sent as
    /// it came, byte for byte; other servers may read it differently, see <doc:UploadingWithAsyncHTTPClient>.
    ///
    /// - Parameter part: The part.
    public mutating func append(_ part: BodyPart) {
        list.append(part)
    }

    /// Appends parts, such as all parts of another form. Each is appended as by ``append(_:)``.
    ///
    /// - Parameter parts: The parts, in order.
    public mutating func append(contentsOf parts: some Sequence<BodyPart>) {
        for part in parts { append(part) }
    }

    /// Removes all parts with a name, for instance before the form is passed on. Their errors are removed as well.
    ///
    /// - Parameter name: The name of the form's field, compared by its bytes in UTF-8.
    /// - Complexity: O(*n*) in the length of all headers.
    public mutating func removeAll(named name: String) {
        list.removeAll(named: name)
    }
}

extension MultipartFormData: RandomAccessCollection, CustomStringConvertible {
    /// The index of the first part.
    public var startIndex: Int { 0 }

    /// The index after the last part; parts with an ``BodyPart/error`` count.
    public var endIndex: Int { list.count }

    /// The part at an index.
    ///
    /// - Complexity: O(1) in the number of parts. The part's header section is copied, and content in memory of at most
    ///   512 bytes.
    public subscript(position: Int) -> BodyPart { list[position] }

    /// The first part with a name, like `FormData.get()` on the web; nil if there is none.
    ///
    /// - Parameter name: The name of the form's field, compared by its bytes in UTF-8.
    /// - Complexity: O(*n*) in the number of parts.
    public subscript(name: String) -> BodyPart? {
        list.firstIndex(named: name).map { list[$0] }
    }

    /// All parts with a name, in order, such as the files of an input that takes several.
    ///
    /// - Parameter name: The name of the form's field, compared by its bytes in UTF-8.
    /// - Returns: The parts.
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

    /// One line for each part, for a log. The lines never show content.
    ///
    /// - Complexity: O(*n*) in the number of parts.
    public var description: String {
        map(\.description).joined(separator: "\n")
    }
}
