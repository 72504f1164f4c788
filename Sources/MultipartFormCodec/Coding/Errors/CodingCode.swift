/// The error codes without a public constant. Programs need not tell these codes apart.
enum CodingCode {
    // The shape of a value does not fit the type.

    /// The name has keys or array elements, but the type is a single value.
    static let expectedValue = FormDataCodingIssue.Code("expected-value")
    /// The type has keys, but the form has the name `a` or `a[]` instead of a name with a key, such as `a[b]`.
    static let expectedKeys = FormDataCodingIssue.Code("expected-keys")
    /// The type is an array, but the value has keys that are not indices, such as `a[b]`. Or the type is an array of
    /// arrays, but the form has only one level of elements, such as `a[]`.
    static let expectedArray = FormDataCodingIssue.Code("expected-array")
    /// The part has a file name, but a value of the type must be a field. Texts, numbers and dates must be fields.
    static let unexpectedFile = FormDataCodingIssue.Code("unexpected-file")
    /// The type requires JSON, but the part's media type is neither JSON nor text/plain.
    static let expectedJSON = FormDataCodingIssue.Code("expected-json")

    // The names in a form are contradictory or ambiguous.

    /// A name has both values and keys, or array elements of two kinds, such as `a[]` and `a[0]`.
    static let mixedShapes = FormDataCodingIssue.Code("mixed-shapes")
    /// The indices of an array do not start at 0, or have a gap.
    static let sparseArray = FormDataCodingIssue.Code("sparse-array")
    /// A name has `[]` before its end, such as `a[][b]`. Receivers disagree on which elements belong together.
    static let ambiguousArray = FormDataCodingIssue.Code("ambiguous-array")
    /// The type has keys or elements, but a name joins its keys in another style than
    /// ``FormDataDecoder/keyPathEncoding``, such as `items[0].id` for `.brackets`.
    static let malformedName = FormDataCodingIssue.Code("malformed-name")

    // The content of a part cannot be read.

    /// The content is invalid in its character set, or the character set is unknown.
    static let invalidText = FormDataCodingIssue.Code("invalid-text")
    /// Reading the part's content failed with the ``FormDataCodingIssue/underlyingError``.
    static let unreadablePart = FormDataCodingIssue.Code("unreadable-part")

    // A form exceeds a limit.

    /// A name is longer than ``FormDataDecoder/maxNameBytes``.
    static let nameTooLong = FormDataCodingIssue.Code("name-too-long")
    /// A name has more than 30 combining marks in a row (UAX #15 §13).
    static let tooManyCombiningMarks = FormDataCodingIssue.Code("too-many-combining-marks")
    /// The form has more parts than ``FormDataDecoder/maxParts``.
    static let tooManyParts = FormDataCodingIssue.Code("too-many-parts")
    /// A name or a value has more levels than `maxDepth`, or more than 64 levels.
    static let tooDeep = FormDataCodingIssue.Code("too-deep")
    /// A type requests far more values than the form has, for instance because the type tries many shapes at each
    /// level.
    static let tooManyAttempts = FormDataCodingIssue.Code("too-many-attempts")

    // A value cannot be encoded.

    /// The root value has no keys, so its parts would have no names.
    static let notKeyedRoot = FormDataCodingIssue.Code("not-keyed-root")
    /// A key is empty, is used twice, or has a character that would split or change the name.
    static let invalidKey = FormDataCodingIssue.Code("invalid-key")
    /// An element of an array or a dictionary would have no part, so the receiver would miss the element.
    static let emptyElement = FormDataCodingIssue.Code("empty-element")
    /// A number is infinite or NaN.
    static let nonFiniteNumber = FormDataCodingIssue.Code("non-finite-number")
    /// A value cannot be encoded as a part. Or the value would have no part, and the receiver would miss the case of an
    /// enum, for instance. If another error is the cause, that error is the ``FormDataCodingIssue/underlyingError``.
    static let unencodable = FormDataCodingIssue.Code("unencodable")
}

/// The details of a coder's error code.
package struct CodingDetails {
    /// The case of `DecodingError` to throw.
    enum Kind {
        /// `DecodingError.keyNotFound` if the missing value has a key. `DecodingError.valueNotFound` if the missing
        /// value is an array element or the root.
        case notFound
        case valueNotFound
        case typeMismatch
        case dataCorrupted
    }

    /// The code that the details describe.
    package let code: FormDataCodingIssue.Code
    /// The reason in words. `%` is a placeholder for the type.
    package let reason: String
    /// The case of `DecodingError` to throw for the code.
    let kind: Kind
    /// Whether the code means that a form exceeds a limit.
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

    /// Returns the details of a code. Returns nil if this version of the library does not define the code.
    static func of(_ code: FormDataCodingIssue.Code) -> CodingDetails? { all.first { $0.code == code } }

    /// Returns the reason in words. Replaces `%` with `type`, or with the word `value` if `type` is nil.
    func reason(for type: String?) -> String {
        guard let mark = reason.utf8.firstIndex(of: UInt8(ascii: "%")) else { return reason }
        return reason[..<mark] + (type ?? "value") + reason[reason.utf8.index(after: mark)...]
    }

    /// The details of all codes, in the order of the documentation.
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
