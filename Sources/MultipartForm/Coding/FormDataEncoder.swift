#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Encodes values to forms. Each property of a struct becomes one or more parts, with names that web frameworks read.
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
    /// Whether the keys of each container are sorted by their bytes in UTF-8. By default, only the keys of a
    /// `Dictionary` are sorted; other keys keep the order in which the value encodes them.
    public var alphabetizeKeyValuePairs = false

    /// How the elements of an array are named; by default `key[]`. Choose what the receiver reads.
    public var arrayEncoding: ArrayEncoding = .brackets

    /// How a `Bool` is written; by default `true` and `false`. Choose what the receiver reads.
    public var boolEncoding: BoolEncoding = .literal

    /// How `Data` is written; by default as a file named `blob`. Choose what the receiver reads.
    public var dataEncoding: DataEncoding = .file()

    /// How a `Date` is written; by default `2026-11-21T19:00:00Z`. Choose what the receiver reads.
    public var dateEncoding: DateEncoding = .iso8601

    /// How an array without elements is written; by default not at all. Choose what the receiver reads.
    public var emptyArrayEncoding: EmptyArrayEncoding = .dropKey

    /// How coding keys become names; by default unchanged. The keys of a `Dictionary` are never changed.
    public var keyEncoding: FormKeyEncoding = .useDefaultKeys

    /// How the keys of nested values are joined to a name; by default `a[b]`. Choose what the receiver reads.
    public var keyPathEncoding: FormKeyPathEncoding = .brackets

    /// How nil is written; by default not at all. Choose what the receiver reads.
    public var nilEncoding: NilEncoding = .dropKey

    /// Configures the `JSONEncoder` that each encoding creates for ``FormJSON`` and ``FormKeyPathEncoding/json``. Set
    /// the strategies for dates and keys that the receiver uses.
    public var configureJSON: @Sendable (JSONEncoder) -> Void = { _ in }

    /// The maximum number of levels in which a value is nested: keys, array elements, and values that encode another
    /// value in place of themselves. 16 by default. Raise it for types that are nested deeper, up to 64, since a small
    /// stack holds no more levels.
    public var maxDepth = 16

    /// The `userInfo` of the encoder that values get. Values that are encoded as JSON get the JSON encoder's `userInfo`
    /// instead: set it in ``configureJSON``.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates an encoder with the default options; change them before you use it.
    public init() {}

    /// Encodes a value to a new form.
    ///
    /// - Parameters:
    ///   - value: A value with keys, such as a struct or a dictionary.
    ///   - boundary: The form's boundary; by default a new random one.
    /// - Returns: The form, with a part for each text, number and file in the value.
    /// - Throws: An `EncodingError` with a ``FormDataCodingIssue``, or what the value throws.
    public func encode(_ value: some Encodable, boundary: Boundary = .random()) throws -> MultipartFormData {
        let encoding = FormEncoding(self)
        let root = try encoding.encoded(value, at: nil, depth: 0).resolved
        if let failure = encoding.failure { throw failure }
        guard case .container(let node) = root, node.kind == .keyed else {
            throw encoding.error(CodingReason(CodingCode.notKeyedRoot), value, at: nil)
        }
        var writer = PartWriter(encoding, boundary)
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

    /// ``maxDepth``, but never more than a small stack holds.
    var depthLimit: Int { min(maxDepth, CodingPath.maxDepth) }
}

// The options: structs with static members, not enums, since later versions may add others.
extension FormDataEncoder {
    /// How the elements of an array are named; choose by what the receiver reads.
    public struct ArrayEncoding: CodingOption {
        enum Kind {
            case brackets, noBrackets, indexInBrackets
            case custom(@Sendable (_ key: String, _ index: Int) -> String)
        }

        let kind: Kind

        /// Whether elements that are single values have the name of their array, without brackets.
        var isBare: Bool {
            if case .noBrackets = kind { true } else { false }
        }

        /// `key[]` if all elements are single values, else `key[0]`, `key[1]` and so on: for PHP, qs and MultipartKit.
        ///
        /// Receivers disagree on how to read `key[][a]`, so it is never written.
        public static let brackets = Self(kind: .brackets)

        /// `key` if all elements are single values, else `key[0]`, `key[1]` and so on: for Spring and FastAPI.
        public static let noBrackets = Self(kind: .noBrackets)

        /// `key[0]`, `key[1]` and so on, as MultipartKit writes them.
        public static let indexInBrackets = Self(kind: .indexInBrackets)

        /// The names that a closure returns, for receivers that read none of the others.
        ///
        /// - Parameter encode: Returns the whole name of an element. It is called with the array's whole name, and the
        ///   index of the element.
        /// - Returns: The encoding.
        public static func custom(_ encode: @escaping @Sendable (_ key: String, _ index: Int) -> String) -> Self {
            Self(kind: .custom(encode))
        }

        /// The name of the choice, for a log.
        public var description: String { choice }
    }

    /// How a `Bool` is written; choose by what the receiver reads.
    public struct BoolEncoding: CodingOption, Equatable {
        enum Kind { case literal, numeric }

        let kind: Kind

        /// `true` and `false`, for receivers that read words.
        public static let literal = Self(kind: .literal)

        /// `1` and `0`, for receivers that read numbers.
        public static let numeric = Self(kind: .numeric)

        /// The name of the choice, for a log.
        public var description: String { choice }
    }

    /// How `Data` is written; choose by whether the receiver expects a file.
    public struct DataEncoding: CodingOption {
        enum Kind {
            case file(filename: String, contentType: String)
            case field, base64
            case custom(@Sendable (Data) throws -> String)
        }

        let kind: Kind

        /// A file with the bytes, for receivers that expect an upload.
        ///
        /// - Parameters:
        ///   - filename: The name of the file.
        ///   - contentType: The media type.
        /// - Returns: The encoding.
        public static func file(
            named filename: String = "blob",
            contentType: String = "application/octet-stream"
        ) -> Self {
            Self(kind: .file(filename: filename, contentType: contentType))
        }

        /// A field with the bytes, for receivers that expect no file.
        public static let field = Self(kind: .field)

        /// A field with the bytes in Base64 (RFC 4648 §4), for receivers that read text only.
        public static let base64 = Self(kind: .base64)

        /// A field with the text that a closure returns, such as hexadecimal digits.
        ///
        /// - Parameter encode: Returns the text of the bytes. An error that it throws becomes the
        ///   ``FormDataCodingIssue/underlyingError``.
        /// - Returns: The encoding.
        public static func custom(_ encode: @escaping @Sendable (Data) throws -> String) -> Self {
            Self(kind: .custom(encode))
        }

        /// The name of the choice, for a log.
        public var description: String { choice }
    }

    /// How an array without elements is written; choose by what the receiver does with a missing name.
    public struct EmptyArrayEncoding: CodingOption, Equatable {
        enum Kind { case dropKey, dropValue }

        let kind: Kind

        /// No part, so that the receiver sees nothing under the name.
        public static let dropKey = Self(kind: .dropKey)

        /// One empty field with the name of an element, such as `key[]`, for receivers that then clear a list, as Rails
        /// does.
        ///
        /// With ``ArrayEncoding-swift.struct/indexInBrackets`` the name is `key[0]`. With
        /// ``ArrayEncoding-swift.struct/noBrackets`` it is `key`, or `key[0]` if the array is an element of another
        /// array. A decoder reads the field as an array with one empty element.
        public static let dropValue = Self(kind: .dropValue)

        /// The name of the choice, for a log.
        public var description: String { choice }
    }

    /// How nil is written; choose by what the receiver does with a missing name.
    public struct NilEncoding: CodingOption, Equatable {
        enum Kind { case dropKey, dropValue, null }

        let kind: Kind

        /// The text to write; nil for no part.
        var text: String? {
            switch kind {
            case .dropKey: nil
            case .dropValue: ""
            case .null: "null"
            }
        }

        /// No part, so that the receiver sees nothing under the name.
        public static let dropKey = Self(kind: .dropKey)

        /// An empty field, for receivers that then clear the value.
        public static let dropValue = Self(kind: .dropValue)

        /// A field with the text `null`, for receivers that read it as nil.
        public static let null = Self(kind: .null)

        /// The name of the choice, for a log.
        public var description: String { choice }
    }
}
