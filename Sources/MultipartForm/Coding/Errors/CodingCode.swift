/// The codes of the coders' errors that programs need not tell apart, and the details of all codes.
enum CodingCode {
    // A value has another shape than the type.

    /// The name has keys or array elements, but the type is a single value.
    static let expectedValue = FormDataCodingIssue.Code("expected-value")
    /// The name has values, but the type has keys.
    static let expectedKeys = FormDataCodingIssue.Code("expected-keys")
    /// The name has keys that are not indices, but the type is an array.
    static let expectedArray = FormDataCodingIssue.Code("expected-array")
    /// The part has a file name, but the type is a text, a number, a date, a URL or a UUID.
    static let unexpectedFile = FormDataCodingIssue.Code("unexpected-file")
    /// The part's media type is neither JSON nor text/plain.
    static let expectedJSON = FormDataCodingIssue.Code("expected-json")

    // A form contradicts itself.

    /// A name has both values and keys, or two kinds of array elements.
    static let mixedShapes = FormDataCodingIssue.Code("mixed-shapes")
    /// The indices of an array do not begin at 0, or leave one out.
    static let sparseArray = FormDataCodingIssue.Code("sparse-array")
    /// A name has `[]` before its end, where receivers disagree which elements belong together.
    static let ambiguousArray = FormDataCodingIssue.Code("ambiguous-array")
    /// Keys or elements were requested, and a name joins its keys in another style than the decoder's
    /// ``FormDataDecoder/keyPathEncoding``, such as `items[0].id` with brackets.
    static let malformedName = FormDataCodingIssue.Code("malformed-name")

    // A value cannot be read.

    /// The bytes are not valid in their character set, or the set is unknown.
    static let invalidText = FormDataCodingIssue.Code("invalid-text")
    /// The part's content cannot be read; see ``FormDataCodingIssue/underlyingError``.
    static let unreadablePart = FormDataCodingIssue.Code("unreadable-part")

    // Names and limits.

    /// A name is longer than ``FormDataDecoder/maxNameBytes``.
    static let nameTooLong = FormDataCodingIssue.Code("name-too-long")
    /// A name has more than 30 combining marks in a row (UAX #15 §13).
    static let tooManyCombiningMarks = FormDataCodingIssue.Code("too-many-combining-marks")
    /// The form has more parts than ``FormDataDecoder/maxParts``.
    static let tooManyParts = FormDataCodingIssue.Code("too-many-parts")
    /// A name or a value is nested deeper than `maxDepth`, or than 64 levels.
    static let tooDeep = FormDataCodingIssue.Code("too-deep")
    /// A type requests far more values than the form has, for instance because it tries many shapes at each level.
    static let tooManyAttempts = FormDataCodingIssue.Code("too-many-attempts")

    // Encoding.

    /// The value to encode has no keys, so its parts would have no names.
    static let notKeyedRoot = FormDataCodingIssue.Code("not-keyed-root")
    /// A key is empty, is used twice, or has a character that would split or change its name.
    static let invalidKey = FormDataCodingIssue.Code("invalid-key")
    /// An element of an array or dictionary would have no part, so the receiver would miss it.
    static let emptyElement = FormDataCodingIssue.Code("empty-element")
    /// A number is infinite, or is NaN.
    static let nonFiniteNumber = FormDataCodingIssue.Code("non-finite-number")
    /// A value cannot be a part of a form, or has no part where it needs one; see
    /// ``FormDataCodingIssue/underlyingError``.
    static let unencodable = FormDataCodingIssue.Code("unencodable")
}

/// What a code of the coders means.
package struct CodingDetails {
    /// The cases of `DecodingError`.
    enum Kind {
        /// `keyNotFound`; or `valueNotFound`, if there is no key.
        case notFound
        case valueNotFound
        case typeMismatch
        case dataCorrupted
    }

    /// The code.
    package let code: FormDataCodingIssue.Code
    /// The reason in words, with `%` for the type.
    package let reason: String
    /// The `DecodingError` that has the code.
    let kind: Kind
    /// Whether a form exceeds a limit.
    let isLimit: Bool

    private init(
        _ code: FormDataCodingIssue.Code,
        _ reason: String,
        _ kind: Kind = .dataCorrupted,
        isLimit: Bool = false
    ) {
        self.code = code
        self.reason = reason
        self.kind = kind
        self.isLimit = isLimit
    }

    /// The details of a code; nil if this version does not have it.
    static func of(_ code: FormDataCodingIssue.Code) -> CodingDetails? { all.first { $0.code == code } }

    /// The reason in words, with `type` in place of `%`, or the word `value` if `type` is nil.
    func reason(for type: String?) -> String {
        guard let mark = reason.utf8.firstIndex(of: UInt8(ascii: "%")) else { return reason }
        return reason[..<mark] + (type ?? "value") + reason[reason.utf8.index(after: mark)...]
    }

    /// All codes, as the documentation lists them.
    package static let all = [
        CodingDetails(.missingValue, "no part has the name, and % is required", .notFound),
        CodingDetails(.emptyValue, "part is empty, which is not a valid %", .valueNotFound),
        CodingDetails(.noFile, "no file was selected, and % is required", .valueNotFound),
        CodingDetails(CodingCode.expectedValue, "name has keys or elements, and % is one value", .typeMismatch),
        CodingDetails(CodingCode.expectedKeys, "name has values, not keys", .typeMismatch),
        CodingDetails(
            CodingCode.expectedArray,
            "name has no elements: its keys are not indices, or it is an element itself",
            .typeMismatch
        ),
        CodingDetails(
            .expectedFile,
            "part has no file name, which % needs: decode BodyPart or Data, or a type whose requiresFile is false",
            .typeMismatch
        ),
        CodingDetails(CodingCode.unexpectedFile, "part is a file, and % is read from a field", .typeMismatch),
        CodingDetails(CodingCode.expectedJSON, "media type is not JSON", .typeMismatch),
        CodingDetails(.duplicateName, "several parts have the name"),
        CodingDetails(CodingCode.mixedShapes, "name has both values and keys, or both [] and [0]"),
        CodingDetails(CodingCode.sparseArray, "array indices have a gap"),
        CodingDetails(CodingCode.ambiguousArray, "[] is not at the end of the name"),
        CodingDetails(CodingCode.malformedName, "name joins keys in another style than keyPathEncoding"),
        CodingDetails(CodingCode.invalidText, "bytes are not valid in their character set, or it is unknown"),
        CodingDetails(.invalidValue, "text is not a valid %"),
        CodingDetails(.valueTooLong, "value is longer than maxValueBytes", isLimit: true),
        CodingDetails(CodingCode.unreadablePart, "content of the part cannot be read"),
        CodingDetails(.unknownName, "type has no key of the name, or the part has no name"),
        CodingDetails(CodingCode.nameTooLong, "name is longer than maxNameBytes", isLimit: true),
        CodingDetails(CodingCode.tooManyCombiningMarks, "more than 30 combining marks in a row", isLimit: true),
        CodingDetails(CodingCode.tooManyParts, "form has more parts than maxParts", isLimit: true),
        CodingDetails(CodingCode.tooDeep, "nested deeper than maxDepth, or than 64 steps", isLimit: true),
        CodingDetails(CodingCode.tooManyAttempts, "type requests far more values than the form has", isLimit: true),
        CodingDetails(CodingCode.notKeyedRoot, "% has no keys to name its parts"),
        CodingDetails(CodingCode.invalidKey, "key is empty, has a forbidden character, or is used twice"),
        CodingDetails(CodingCode.emptyElement, "element would have no part, so its index or key would be lost"),
        CodingDetails(CodingCode.nonFiniteNumber, "number is not finite"),
        CodingDetails(CodingCode.unencodable, "% cannot be a part, or encodes none where one is needed"),
    ]
}
