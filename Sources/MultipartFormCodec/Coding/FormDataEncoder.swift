#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Encodes values to multipart forms, with part names that web frameworks read.
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
/// The type of a value decides what it becomes:
/// - A text, a number, a date or a URL becomes a field.
/// - ``FormFile`` and `Data` become files.
/// - ``FormJSON``, and each type that conforms to ``FormPartEncodable``, makes its own part.
/// - Any other value becomes the parts of its properties or elements.
///
/// A ``FormDataDecoder`` with the same options decodes an equal value. <doc:CodingRules> lists the exceptions.
public struct FormDataEncoder: Sendable {
    /// Whether the encoder sorts the keys of each container by their UTF-8 bytes. By default, it sorts only the keys of
    /// a `Dictionary`. Other keys keep the order in which the value encodes them.
    public var alphabetizeKeyValuePairs = false

    /// The names of array elements; by default `key[]` if each element is one part, otherwise `key[0]`, `key[1]` and so
    /// on. Choose the names that the receiver reads.
    public var arrayEncoding: ArrayEncoding = .brackets

    /// The text of a `Bool`; by default `true` or `false`. Choose the text that the receiver reads.
    public var boolEncoding: BoolEncoding = .literal

    /// The kind of part that `Data` becomes; by default a file named `blob`. Choose the kind that the receiver
    /// expects.
    public var dataEncoding: DataEncoding = .file()

    /// The format of a `Date`; by default `2026-11-21T19:00:00Z`. Choose the format that the receiver reads.
    public var dateEncoding: DateEncoding = .iso8601

    /// The treatment of an array without elements; by default the encoder writes no part. Choose what the receiver
    /// expects.
    public var emptyArrayEncoding: EmptyArrayEncoding = .dropKey

    /// The spelling of coding keys in names; by default unchanged. Choose the spelling that the receiver reads. The
    /// encoder never changes the keys of a `Dictionary`.
    public var keyEncoding: FormKeyEncoding = .useDefaultKeys

    /// The style in which nested keys are joined to a name; by default `a[b]`. Choose the style that the receiver
    /// reads.
    public var keyPathEncoding: FormKeyPathEncoding = .brackets

    /// The treatment of nil; by default the encoder writes no part. Choose what the receiver expects.
    public var nilEncoding: NilEncoding = .dropKey

    /// A closure that configures the `JSONEncoder` for ``FormJSON`` and ``FormKeyPathEncoding/json``. In the closure,
    /// set the `JSONEncoder`'s strategies for dates and keys, to match the JSON that the receiver reads. Each call of
    /// `encode` creates at most one `JSONEncoder`.
    public var configureJSON: @Sendable (JSONEncoder) -> Void = { _ in }

    /// The maximum number of levels in a value; 16 by default. Raise the limit for types that are nested deeper. A
    /// limit above 64 counts as 64, because deeper recursion could overflow a small stack.
    ///
    /// Each key and each array element is a level. A value that a type encodes in a single-value container is also a
    /// level, unless the value is one part, an array, a set or a dictionary.
    public var maxDepth = 16

    /// The user info that types can read from their encoder. Types within JSON read the `userInfo` of the `JSONEncoder`
    /// instead, which you set in ``configureJSON``.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates an encoder with the default options. Set its properties to choose other options.
    public init() {}

    /// Encodes a value to a new form.
    ///
    /// - Parameters:
    ///   - value: A value with keys, such as a struct or a dictionary.
    ///   - boundary: The form's boundary; by default a new random boundary.
    /// - Returns: The form with the value's parts.
    /// - Throws: An `EncodingError` with a ``MultipartError``, or any error that the value throws.
    public func encode(_ value: some Encodable, boundary: Boundary = .random()) throws -> MultipartFormData {
        let encoding = FormEncoding(self)
        let root = try encoding.encoded(value, at: nil, depth: 0).resolved
        if let failure = encoding.failure { throw failure }
        guard case .container(let node) = root, node.kind == .keyed else {
            throw encoding.error(CodingReason(ErrorCode.notKeyedRoot), value, at: nil)
        }
        var writer = PartWriter(encoding, boundary)
        try writer.write(root)
        return writer.form
    }

    /// Appends the parts of a value to an existing form. If the method throws, it appends no part.
    ///
    /// - Parameters:
    ///   - value: A value with keys, such as a struct or a dictionary.
    ///   - form: The form.
    /// - Throws: An `EncodingError` with a ``MultipartError``, or any error that the value throws.
    public func encode(_ value: some Encodable, into form: inout MultipartFormData) throws {
        form.append(contentsOf: try encode(value, boundary: form.boundary))
    }

    /// The smaller of ``maxDepth`` and 64. Deeper recursion could overflow a small stack.
    var depthLimit: Int { min(maxDepth, CodingPath.maxDepth) }
}

// The types of the options. They are structs with static members, not enums, so that later versions can add choices.
extension FormDataEncoder {
    /// The names of array elements. Choose the names that the receiver reads.
    public struct ArrayEncoding: CodingOption {
        enum Kind {
            case brackets, noBrackets, indexInBrackets
            case custom(@Sendable (_ key: String, _ index: Int) -> String)
        }

        let kind: Kind

        /// `key[]` if each element is one part; otherwise `key[0]`, `key[1]` and so on. This choice is for PHP, qs and
        /// MultipartKit.
        ///
        /// The encoder never writes a name such as `key[][a]`, because receivers read it in different ways.
        public static let brackets = Self(kind: .brackets)

        /// `key` if each element is one part; otherwise `key[0]`, `key[1]` and so on. This choice is for Spring and
        /// FastAPI.
        public static let noBrackets = Self(kind: .noBrackets)

        /// `key[0]`, `key[1]` and so on for all elements, as in forms from MultipartKit's encoder.
        public static let indexInBrackets = Self(kind: .indexInBrackets)

        /// Calls a closure to name each element of an array, for receivers that read other names.
        ///
        /// - Parameter encode: A closure that returns the whole name of an element. Its parameters are the whole name
        ///   of the array, and the index of the element.
        /// - Returns: The encoding.
        public static func custom(_ encode: @escaping @Sendable (_ key: String, _ index: Int) -> String) -> Self {
            Self(kind: .custom(encode))
        }

        /// The name of this choice, such as `.brackets`, for logs.
        public var description: String { choice }
    }

    /// The text of a `Bool`. Choose the text that the receiver reads.
    public struct BoolEncoding: CodingOption, Equatable {
        enum Kind { case literal, numeric }

        let kind: Kind

        /// `true` or `false`, for receivers that read words.
        public static let literal = Self(kind: .literal)

        /// `1` or `0`, for receivers that read numbers.
        public static let numeric = Self(kind: .numeric)

        /// The name of this choice, such as `.literal`, for logs.
        public var description: String { choice }
    }

    /// The kind of part that `Data` becomes. Choose a file if the receiver expects an upload.
    public struct DataEncoding: CodingOption {
        enum Kind {
            case file(filename: String, contentType: String?)
            case field, base64
            case custom(@Sendable (Data) throws -> String)
        }

        let kind: Kind

        /// Writes a file with the bytes, for receivers that expect an upload.
        ///
        /// - Parameters:
        ///   - filename: The name of the file.
        ///   - contentType: The media type. If it is nil, the file gets the type of its name's extension, or else
        ///     application/octet-stream.
        /// - Returns: The encoding.
        public static func file(named filename: String = "blob", contentType: String? = nil) -> Self {
            Self(kind: .file(filename: filename, contentType: contentType))
        }

        /// A field with the bytes, for receivers that do not expect a file.
        public static let field = Self(kind: .field)

        /// A field with the bytes in Base64 (RFC 4648 §4), for receivers that read only text.
        public static let base64 = Self(kind: .base64)

        /// Writes a field with the text that a closure returns, such as hexadecimal digits.
        ///
        /// - Parameter encode: A closure that returns the text of the bytes. An error that the closure throws becomes
        ///   the ``MultipartError/underlyingError``.
        /// - Returns: The encoding.
        public static func custom(_ encode: @escaping @Sendable (Data) throws -> String) -> Self {
            Self(kind: .custom(encode))
        }

        /// The name of this choice, such as `.base64`, for logs.
        public var description: String { choice }
    }

    /// The treatment of an array without elements. The choice depends on how the receiver reacts to a missing name.
    ///
    /// With ``FormKeyPathEncoding/json``, the choice applies only to arrays of files, or of other types that make their
    /// own parts. Any other empty array becomes a field with the JSON `[]`.
    public struct EmptyArrayEncoding: CodingOption, Equatable {
        enum Kind { case dropKey, dropValue }

        let kind: Kind

        /// No part, so the array's name is missing from the form.
        public static let dropKey = Self(kind: .dropKey)

        /// An empty array becomes one empty field, with the name of an element. This choice is for receivers such as
        /// Rails, which clear a list when they read the field.
        ///
        /// ``FormDataEncoder/arrayEncoding-swift.property`` decides the name of the field:
        /// - with `.brackets`, `key[]`
        /// - with `.noBrackets`, `key`; but `key[0]` for an array within another array
        /// - with `.indexInBrackets`, `key[0]`
        /// - with `.custom`, the name that the closure returns for index 0
        ///
        /// With ``FormKeyPathEncoding/json``, the name is always `key`.
        ///
        /// A decoder reads the empty field as an array with one empty element. If the elements are files, it reads an
        /// empty array.
        public static let dropValue = Self(kind: .dropValue)

        /// The name of this choice, such as `.dropKey`, for logs.
        public var description: String { choice }
    }

    /// The treatment of nil. The choice depends on how the receiver reacts to a missing name.
    public struct NilEncoding: CodingOption, Equatable {
        enum Kind { case dropKey, dropValue, null }

        let kind: Kind

        /// The text of the field that represents nil, such as `null`. Nil with ``dropKey``, which writes no field.
        var text: String? {
            switch kind {
            case .dropKey: nil
            case .dropValue: ""
            case .null: "null"
            }
        }

        /// No part, so the value's name is missing from the form.
        public static let dropKey = Self(kind: .dropKey)

        /// An empty field, for receivers that clear a value if its field is empty.
        public static let dropValue = Self(kind: .dropValue)

        /// A field with the text `null`, for receivers that read this text as nil.
        public static let null = Self(kind: .null)

        /// The name of this choice, such as `.dropKey`, for logs.
        public var description: String { choice }
    }
}
