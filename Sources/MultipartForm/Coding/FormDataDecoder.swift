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
/// coding path and a ``FormDataCodingIssue``. Limits apply before anything is decoded, and time and memory are linear in
/// the form.
public struct FormDataDecoder: Sendable {
    /// Whether a `Bool` without a part is false, as HTML sends nothing for an unchecked box; by default an error.
    public var absentBoolsAreFalse = false

    /// How a `Date` is read; by default `2026-11-21T19:00:00Z`. Set what the clients write.
    public var dateDecoding: DateDecoding = .iso8601

    /// What to do when several parts share a single value's name; by default an error. Change it only if you know what
    /// else reads the form in front of you.
    public var duplicates: Duplicates = .reject

    /// How coding keys become names, as in the encoder. Set what the clients write.
    public var keyEncoding: FormKeyEncoding = .useDefaultKeys

    /// How keys are joined to names, as in the encoder. Set what the clients write.
    public var keyPathEncoding: FormKeyPathEncoding = .brackets

    /// Which parts are nil for an optional; by default empty ones. Set what the clients write.
    public var nilDecoding: NilDecoding = .emptyValue

    /// What to do with parts that the type does not declare; by default nothing. Change it for forms of your own clients.
    public var unknownNames: UnknownNames = .ignore

    /// Prepares the `JSONDecoder` that each decoding makes for ``FormJSON`` and ``FormKeyPathEncoding/json``: sets its
    /// strategies for dates and keys to what the clients write.
    public var configureJSON: @Sendable (JSONDecoder) -> Void = { _ in }

    /// The most keys and indices a name may have, and the most steps a value may be nested in: keys, array elements, and
    /// values that decode another in their place. 16 by default. Raise it for types that are nested deeper, up to 64: no
    /// more fit on a small stack.
    public var maxDepth = 16

    /// The most parts a form may have; 1000 by default. Raise it for longer forms, together with the parser's limit.
    public var maxParts = 1000

    /// The longest name, in bytes; 2048 by default. Raise it for a `Dictionary` with long keys.
    public var maxNameBytes = 2048

    /// The longest text, number or JSON, in bytes; 1 MiB by default. Only the form limits files and `Data`. Raise it for
    /// long texts.
    public var maxValueBytes = 1 << 20

    /// What the types may read from their decoder. Within JSON it is the `userInfo` that ``configureJSON`` sets.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates a decoder with the default options; change them before you use it.
    public init() {}

    var depthLimit: Int { min(maxDepth, CodingDepth.ceiling) }
}
