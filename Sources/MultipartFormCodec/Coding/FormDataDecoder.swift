#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Decodes values from multipart forms. A part that cannot be decoded as the type of its property is an error, never
/// nil.
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
/// The decoded type decides how the decoder reads a name: the `0` of `items[0]` can be an array index or a key. Each
/// `DecodingError` of the decoder has the coding path, and a ``MultipartError`` as its underlying error.
///
/// Before the decoder decodes anything, it checks the number of parts, and the length and depth of their names. Time
/// and memory are linear in the length of the form.
public struct FormDataDecoder: Sendable {
    /// Whether a required `Bool` is false if its part is missing; by default a missing part is an error. Choose true
    /// for HTML pages, which send nothing for an unchecked checkbox.
    public var absentBoolsAreFalse = false

    /// The format of a `Date`; by default ISO 8601, such as `2026-11-21T19:00:00Z`. Choose the format that the clients
    /// send.
    public var dateDecoding: DateDecoding = .iso8601

    /// What the decoder does if several parts have the name of a single value, such as a `String`; by default it throws
    /// an error. Change the default only if you know how upstream proxies read repeated names.
    public var duplicates: Duplicates = .reject

    /// The spelling of coding keys in names; by default unchanged. Choose the spelling that the clients send.
    public var keyEncoding: FormKeyEncoding = .useDefaultKeys

    /// The style in which a name contains nested keys; by default `a[b]`. Choose the style that the clients send.
    public var keyPathEncoding: FormKeyPathEncoding = .brackets

    /// How a form represents nil; by default, a missing part or an empty field is nil. Choose what the clients send for
    /// nil.
    public var nilDecoding: NilDecoding = .emptyValue

    /// The treatment of parts that the type does not declare; by default the decoder ignores them. Reject them if all
    /// clients are your own, so that a misspelled name is an error.
    public var unknownNames: UnknownNames = .ignore

    /// A closure that configures the `JSONDecoder` for ``FormJSON`` and ``FormKeyPathEncoding/json``. In the closure,
    /// set the `JSONDecoder`'s strategies for dates and keys, to match the JSON that clients send. Each call of
    /// `decode` creates at most one `JSONDecoder`.
    public var configureJSON: @Sendable (JSONDecoder) -> Void = { _ in }

    /// The maximum number of levels in a name or a value; 16 by default. Raise the limit for types that are nested
    /// deeper. A limit above 64 counts as 64, because deeper recursion could overflow a small stack.
    ///
    /// In a name, each key and each index is a level. For example, `a[0][b]` has three levels.
    ///
    /// In a Swift value, each key and each array element is a level. A value that a type decodes from a single-value
    /// container is also a level, unless the value is one part, an array, a set or a dictionary.
    public var maxDepth = 16

    /// The maximum number of parts; 1000 by default. For forms with more parts, raise both this limit and the parser's
    /// limit.
    public var maxParts = 1000

    /// The maximum length of a name in bytes; 2048 by default. Raise it for a `Dictionary` with long keys.
    public var maxNameBytes = 2048

    /// The maximum length in bytes of a text, a number or JSON; 1 MiB by default. Raise it for long texts. For files
    /// and `Data`, only the parser's limits apply.
    public var maxValueBytes = 1 << 20

    /// The user info that types can read from their decoder. Types within JSON read the `userInfo` of the `JSONDecoder`
    /// instead, which you set in ``configureJSON``.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates a decoder with the default options. Set its properties to choose other options.
    public init() {}

    /// Decodes a value from a form, for instance from the form that a ``MultipartCollector`` returned.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - form: The form. The decoder reads content in files and streams only if the value needs it.
    /// - Returns: The value.
    /// - Throws: A `DecodingError` with a ``MultipartError``, or any error that the type throws.
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
    ///   - body: The body of the message.
    ///   - contentType: The value of the message's Content-Type field.
    ///   - options: The limits and the mode of the parser.
    /// - Returns: The value.
    /// - Throws: A ``MultipartError`` if the parser refuses the message, a `DecodingError` with a
    ///   ``MultipartError``, or any error that the type throws.
    public func decode<T: Decodable>(
        _ type: T.Type,
        from body: Data,
        contentType: String?,
        options: MultipartParser.Options = MultipartParser.Options()
    ) throws -> T {
        try decode(type, from: MultipartFormData(parsing: body, contentType: contentType, options: options))
    }

    /// The smaller of ``maxDepth`` and 64. Deeper recursion could overflow a small stack.
    var depthLimit: Int { min(maxDepth, CodingPath.maxDepth) }
}

// The types of the options. They are structs with static members, not enums, so that later versions can add choices.
extension FormDataDecoder {
    /// What the decoder does if several parts have the name of a single value, such as a `String`. Choose the part that
    /// all upstream proxies take, or reject the form.
    public struct Duplicates: CodingOption, Equatable {
        enum Kind { case reject, first, last }

        let kind: Kind

        /// Throws the error `duplicate-name` for several parts with one name. If a proxy took one of them and the
        /// server another, an attacker could bypass the checks of the proxy.
        public static let reject = Self(kind: .reject)

        /// Takes the first of the parts with the same name. This choice is safe only if every upstream proxy does the
        /// same.
        public static let first = Self(kind: .first)

        /// Takes the last of the parts with the same name. This choice is safe only if every upstream proxy does the
        /// same.
        public static let last = Self(kind: .last)

        /// The name of this choice, such as `.reject`, for logs.
        public var description: String { choice }
    }

    /// How a form represents nil. Choose what the clients send for nil.
    ///
    /// With either choice, an optional is nil if the part comes from a file input without a file. With
    /// ``FormKeyPathEncoding/json``, an optional is also nil if the field has the text `null`.
    public struct NilDecoding: CodingOption, Equatable {
        enum Kind { case absence, emptyValue }

        let kind: Kind

        /// Only a missing part is nil; an empty field is not. This choice is for clients that leave out nil values.
        public static let absence = Self(kind: .absence)

        /// A missing part or an empty field is nil. HTML pages send an empty field for an input without text. For
        /// `String?`, an empty field is an empty string instead.
        public static let emptyValue = Self(kind: .emptyValue)

        /// The name of this choice, such as `.absence`, for logs.
        public var description: String { choice }
    }

    /// The treatment of parts that the type does not declare. Reject these parts if all clients are your own.
    public struct UnknownNames: CodingOption, Equatable {
        enum Kind { case ignore, reject }

        let kind: Kind

        /// Ignores parts that the type does not declare, and does not read their content. This choice is for forms that
        /// may have more fields than you need.
        public static let ignore = Self(kind: .ignore)

        /// Decodes the value, and then throws the error `unknown-name` for a part that the type does not declare. This
        /// choice is for forms from your own clients.
        public static let reject = Self(kind: .reject)

        /// The name of this choice, such as `.ignore`, for logs.
        public var description: String { choice }
    }
}
