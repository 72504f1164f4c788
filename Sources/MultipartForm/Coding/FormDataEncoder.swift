/// Encodes values to forms: the parts of a struct's properties, named as web frameworks read them.
///
/// ```swift
/// struct Order: Encodable {
///     var customer: String
///     var items: [Item]
///     var receipt: FormFile?
/// }
///
/// let form = try FormDataEncoder().encode(order)  // customer, items[0][id], items[0][quantity], …, receipt
/// ```
///
/// Texts, numbers, dates and URLs become fields; ``FormFile`` and `Data` become files; ``FormJSON`` and types that
/// conform to ``FormPartEncodable`` make their own parts. Any other value is encoded by its properties or elements.
/// ``FormDataDecoder`` with the same options returns an equal value.
public struct FormDataEncoder: Sendable {
    /// Whether the keys of each container are sorted by their bytes in UTF-8; if not, they keep the order in which the
    /// value encodes them, and only those of a `Dictionary` are sorted.
    public var alphabetizeKeyValuePairs = false

    /// How the elements of an array are named; `key[]` unless set. Set what the receiver reads.
    public var arrayEncoding: ArrayEncoding = .brackets

    /// How a `Bool` is written; `true` and `false` unless set. Set what the receiver reads.
    public var boolEncoding: BoolEncoding = .literal

    /// How `Data` is written; as a file named `blob` unless set. Set what the receiver reads.
    public var dataEncoding: DataEncoding = .file()

    /// How a `Date` is written; `2026-11-21T19:00:00Z` unless set. Set what the receiver reads.
    public var dateEncoding: DateEncoding = .iso8601

    /// How coding keys become names; unchanged unless set. The keys of a `Dictionary` are never changed.
    public var keyEncoding: KeyEncoding = .useDefaultKeys

    /// How the key of a container and the keys in it are joined; `a[b]` unless set. Set what the receiver reads.
    public var keyPathEncoding: KeyPathEncoding = .brackets

    /// How nil is written; not at all unless set. Set what the receiver reads.
    public var nilEncoding: NilEncoding = .dropKey

    /// The most keys and array elements a value may be nested in; 16 unless set. Raise it for types that are nested
    /// deeper.
    public var maxDepth = 16

    /// What the values may read from their encoder, such as ``Swift/CodingUserInfoKey/formJSONEncoder``.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates an encoder with the default options, to be changed before it is used.
    public init() {}

    /// Encodes a value to a new form, which has nothing else.
    ///
    /// - Parameters:
    ///   - value: A value with keys, such as a struct or a dictionary.
    ///   - boundary: The form's boundary; a new random one unless given.
    /// - Returns: The form, with a part for each text, number and file in the value.
    /// - Throws: An `EncodingError` with a ``FormDataCodingIssue``, or what the value throws.
    public func encode(_ value: some Encodable, boundary: Boundary = .random()) throws -> MultipartFormData {
        let encoding = FormEncoding(self)
        let root = try encoding.encoded(value, at: nil).resolved
        if let failure = encoding.failure { throw failure }
        guard case .container(let node) = root, node.kind == .keyed else {
            throw encoding.error(CodingProblem(.notKeyedRoot), value, at: nil)
        }
        var writer = PartWriter(self, boundary)
        try writer.write(root)
        return writer.form
    }

    /// Appends the parts of a value to a form that may have others: all of them, or none if it throws.
    ///
    /// - Parameters:
    ///   - value: A value with keys, such as a struct or a dictionary.
    ///   - form: The form.
    /// - Throws: An `EncodingError` with a ``FormDataCodingIssue``, or what the value throws.
    public func encode(_ value: some Encodable, into form: inout MultipartFormData) throws {
        form.append(contentsOf: try encode(value, boundary: form.boundary))
    }
}
