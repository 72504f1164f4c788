public import Foundation

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
/// Names such as `items[0][id]` are read as keys and elements; what they are is decided by the type. Errors are
/// `DecodingError`s with the coding path and a ``FormDataCodingIssue``. Limits apply before anything is decoded, and
/// time and memory are linear in the form.
public struct FormDataDecoder: Sendable {
    /// Whether a `Bool` without a part is false, as HTML sends nothing for an unchecked box; an error unless set.
    public var absentBoolsAreFalse = false

    /// Which indices an array's elements may have; 0, 1 and so on without a gap unless set. Set it for pages with rows
    /// that can be removed.
    public var arrayIndices: ArrayIndices = .contiguous

    /// Which texts are a `Bool`; eight words unless set. Set it to refuse some of them.
    public var boolDecoding: BoolDecoding = .form

    /// How `Data` is read; the part's content unless set. Set it for clients that send bytes as text.
    public var dataDecoding: DataDecoding = .contents

    /// How a `Date` is read; `2026-11-21T19:00:00Z` unless set. Set what the clients write.
    public var dateDecoding: DateDecoding = .iso8601

    /// What several parts mean that have the name of a single value; an error unless set. Set it only if you know what
    /// else reads the form before you.
    public var duplicates: Duplicates = .reject

    /// How coding keys become names, as for the encoder. Set what the clients write.
    public var keyEncoding: FormDataEncoder.KeyEncoding = .useDefaultKeys

    /// How keys are joined to names, as for the encoder. Set what the clients write.
    public var keyPathEncoding: FormDataEncoder.KeyPathEncoding = .brackets

    /// Which parts are nil for an optional; empty ones unless set. Set what the clients write.
    public var nilDecoding: NilDecoding = .emptyValue

    /// What a part means that the value has no place for; nothing unless set. Set it for forms of your own clients.
    public var unknownNames: UnknownNames = .ignore

    /// The most keys and indices a name may have, and a value may be nested in; 16 unless set. Raise it for types that
    /// are nested deeper.
    public var maxDepth = 16

    /// The most parts a form may have; 1000 unless set. Raise it for longer forms, together with the parser's limit.
    public var maxParts = 1000

    /// The longest name, in bytes; 2048 unless set. Raise it for a `Dictionary` with long keys.
    public var maxNameBytes = 2048

    /// The longest text, number or JSON, in bytes; 1 MiB unless set. Files and `Data` are limited by the form only.
    /// Raise it for long texts.
    public var maxValueBytes = 1 << 20

    /// What the types may read from their decoder, such as ``Swift/CodingUserInfoKey/formJSONDecoder``.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates a decoder with the default options, to be changed before it is used.
    public init() {}

    /// Decodes a value from a form, such as one that was collected with its files on disk.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - form: The form; content in files and streams is read only where the value needs it.
    /// - Returns: The value.
    /// - Throws: A `DecodingError` with a ``FormDataCodingIssue``, or what the type throws.
    public func decode<T: Decodable>(_ type: T.Type, from form: MultipartFormData) throws -> T {
        let form = try DecodedForm(form, self)
        let value = try NodeDecoder(form, nil, .node(0)).value(type)
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
}
