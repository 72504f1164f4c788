#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Decodes values from forms, exactly: a part that does not fit the type is an error and never nil.
///
/// ```swift
/// struct Profile: Decodable {
///     var name: String
///     var age: Int?
///     var tags: [String]
///     var avatar: FormFile
/// }
///
/// let profile = try FormDataDecoder().decode(Profile.self, from: form)
/// ```
///
/// The type decides whether a name such as `items[0][id]` has keys or elements. Errors are `DecodingError`s with the
/// coding path and a ``FormDataCodingIssue``. Limits apply before anything is decoded, and time and memory are linear
/// in the form.
public struct FormDataDecoder: Sendable {
    /// Whether a `Bool` without a part is false, as HTML sends nothing for an unchecked box; by default an error.
    public var absentBoolsAreFalse = false

    /// How a `Date` is read; by default `2026-11-21T19:00:00Z`. Choose the format that the clients send.
    public var dateDecoding: DateDecoding = .iso8601

    /// What to do when several parts share a single value's name; by default an error. Change this only if you know how
    /// upstream proxies read repeated names.
    public var duplicates: Duplicates = .reject

    /// How coding keys become names, as in the encoder. Choose the spelling that the clients send.
    public var keyEncoding: FormKeyEncoding = .useDefaultKeys

    /// How the keys of nested values are joined to a name, as in the encoder. Choose the spelling that the clients
    /// send.
    public var keyPathEncoding: FormKeyPathEncoding = .brackets

    /// Which parts are nil for an optional; by default empty ones. Choose what the clients send for nil.
    public var nilDecoding: NilDecoding = .emptyValue

    /// What to do with parts that the type does not declare; they are ignored by default. If all clients are your own,
    /// reject them, to find misspelled names.
    public var unknownNames: UnknownNames = .ignore

    /// Configures the `JSONDecoder` that each decoding creates for ``FormJSON`` and ``FormKeyPathEncoding/json``. Set
    /// the strategies for dates and keys that the clients use.
    public var configureJSON: @Sendable (JSONDecoder) -> Void = { _ in }

    /// The maximum number of keys and indices in a name, and of levels in which a value is nested: keys, array
    /// elements, and values that decode another value in place of themselves. 16 by default. Raise it for types that
    /// are nested deeper, up to 64, since a small stack holds no more levels.
    public var maxDepth = 16

    /// The maximum number of parts; 1000 by default. Raise it for longer forms, together with the parser's limit.
    public var maxParts = 1000

    /// The maximum length of a name, in bytes; 2048 by default. Raise it for a `Dictionary` with long keys.
    public var maxNameBytes = 2048

    /// The maximum length of a text, a number or JSON, in bytes; 1 MiB by default. Raise it for long texts. For files
    /// and `Data`, only the parser's limits apply.
    public var maxValueBytes = 1 << 20

    /// What the types may read from their decoder. Within JSON, they read the `userInfo` that ``configureJSON`` sets.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates a decoder with the default options; change them before you use it.
    public init() {}

    /// Decodes a value from a form, such as one that was collected with its files on disk.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - form: The form; content in files and streams is read only if the value needs it.
    /// - Returns: The value.
    /// - Throws: A `DecodingError` with a ``FormDataCodingIssue``, or what the type throws.
    public func decode<T: Decodable>(_ type: T.Type, from form: MultipartFormData) throws -> T {
        let form = try ReceivedForm(form, self)
        let result = Result { try FormNodeDecoder(form, nil, .node(NameTree.root)).decoded(type) }
        try form.checkBudget()
        let value = try result.get()
        try form.checkNames()
        return value
    }

    /// Decodes a value from a whole message in memory.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - body: The message.
    ///   - contentType: The value of the message's Content-Type field.
    ///   - options: The limits and the mode of the parser.
    /// - Returns: The value.
    /// - Throws: A ``MultipartError`` if the message is malformed, a `DecodingError` with a ``FormDataCodingIssue``, or
    ///   what the type throws.
    public func decode<T: Decodable>(
        _ type: T.Type,
        from body: Data,
        contentType: String?,
        options: MultipartParser.Options = MultipartParser.Options()
    ) throws -> T {
        try decode(type, from: MultipartFormData(parsing: body, contentType: contentType, options: options))
    }

    /// ``maxDepth``, but never more than a small stack holds.
    var depthLimit: Int { min(maxDepth, CodingPath.maxDepth) }
}

// The options: structs with static members, not enums, since later versions may add others.
extension FormDataDecoder {
    /// What to do when several parts have the name of one value; choose by how upstream proxies read repeated names.
    public struct Duplicates: CodingOption, Equatable {
        enum Kind { case reject, first, last }

        let kind: Kind

        /// Throws `duplicate-name`, because an attacker can exploit two programs that read a form differently.
        public static let reject = Self(kind: .reject)

        /// Takes the first part. Safe only if every upstream proxy takes the first as well.
        public static let first = Self(kind: .first)

        /// Takes the last part. Safe only if every upstream proxy takes the last as well.
        public static let last = Self(kind: .last)

        /// The name of the choice, for a log.
        public var description: String { choice }
    }

    /// Which parts are nil for an optional; choose by what the clients write. A file input without a file is always
    /// nil.
    public struct NilDecoding: CodingOption, Equatable {
        enum Kind { case absence, emptyValue }

        let kind: Kind

        /// No part, for clients that send nothing for nil.
        public static let absence = Self(kind: .absence)

        /// No part, or an empty field as HTML sends it. For `String?`, however, an empty field is an empty string.
        public static let emptyValue = Self(kind: .emptyValue)

        /// The name of the choice, for a log.
        public var description: String { choice }
    }

    /// What to do with parts that the type does not declare; choose by whose clients send the form.
    public struct UnknownNames: CodingOption, Equatable {
        enum Kind { case ignore, reject }

        let kind: Kind

        /// Ignores them unread, for forms that may have more fields than you need.
        public static let ignore = Self(kind: .ignore)

        /// Throws `unknown-name` after the value has been decoded, for your own clients.
        public static let reject = Self(kind: .reject)

        /// The name of the choice, for a log.
        public var description: String { choice }
    }
}
