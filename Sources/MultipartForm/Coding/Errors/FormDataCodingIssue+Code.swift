// The codes of the coders' errors, with their texts and HTTP statuses.
extension FormDataCodingIssue {
    /// A stable name of what went wrong, such as `missing-value`; <doc:CodingRules> has all of them.
    public struct Code: Sendable, Hashable, LosslessStringConvertible {
        private let text: String
        /// The reason in words, with `%` for the type.
        package let reason: String
        /// The decoding error that has the code.
        let kind: Kind

        private init(_ text: String, _ reason: String, _ kind: Kind = .dataCorrupted) {
            self.text = text
            self.reason = reason
            self.kind = kind
        }

        /// The code with a text that was stored or received; nil if this version has none.
        ///
        /// - Parameter description: The text, such as `missing-value`.
        public init?(_ description: String) {
            let code = Self.all.first { $0.text.utf8.elementsEqual(description.utf8) }
            guard let code else { return nil }
            self = code
        }

        /// The reason in words about a type; nil for any value.
        func reason(for type: String?) -> String {
            guard let mark = reason.utf8.firstIndex(of: UInt8(ascii: "%")) else { return reason }
            return reason[..<mark] + (type ?? "value") + reason[reason.utf8.index(after: mark)...]
        }

        /// Whether a form exceeds a limit.
        var isLimit: Bool {
            let limits: [Self] = [
                .valueTooLong, .nameTooLong, .tooManyCombiningMarks, .tooManyParts, .tooDeep, .tooManyAttempts,
            ]
            return limits.contains(self)
        }

        /// The text to store, log or send: lower case and hyphens, the same in all versions.
        public var description: String { text }
    }

    /// The cases of `DecodingError`.
    enum Kind: Hashable {
        /// `keyNotFound`, or `valueNotFound` where there is no key.
        case notFound
        case valueNotFound
        case typeMismatch
        case dataCorrupted
    }
}

extension FormDataCodingIssue.Code {
    // A value is not there.

    /// No part has the name.
    package static let missingValue = Self("missing-value", "no part has the name, and % is required", .notFound)
    /// The part is empty, and the type has no empty value.
    package static let emptyValue = Self("empty-value", "part is empty, which is not a valid %", .valueNotFound)
    /// The part is what a browser sends for a file input without a file: no content and an empty file name. Where a
    /// file is expected, it need not have a file name.
    package static let noFile = Self("no-file", "no file was selected, and % is required", .valueNotFound)

    // A value has another shape than the type.

    /// The name has keys or array elements where the type is a single value.
    package static let expectedValue = Self(
        "expected-value",
        "name has keys or elements, and % is one value",
        .typeMismatch
    )
    /// The name has values where the type has keys.
    package static let expectedKeys = Self("expected-keys", "name has values, not keys", .typeMismatch)
    /// The name has keys that are not indices where the type is an array.
    package static let expectedArray = Self(
        "expected-array",
        "name has no elements: its keys are not indices, or it is an element itself",
        .typeMismatch
    )
    /// The part has no file name where the type is a file.
    package static let expectedFile = Self(
        "expected-file",
        "part has no file name, which % needs: decode BodyPart or Data, or a type whose requiresFile is false",
        .typeMismatch
    )
    /// The part has a file name where the type is a text, a number, a date, a URL or a UUID.
    package static let unexpectedFile = Self(
        "unexpected-file",
        "part is a file, and % is read from a field",
        .typeMismatch
    )
    /// The part's media type is neither JSON nor text/plain.
    package static let expectedJSON = Self("expected-json", "media type is not JSON", .typeMismatch)

    // A form contradicts itself.

    /// Several parts have the name of a single value, or two keys are equal in a dictionary.
    package static let duplicateName = Self("duplicate-name", "several parts have the name")
    /// A name has both values and keys, or two kinds of array elements.
    package static let mixedShapes = Self("mixed-shapes", "name has both values and keys, or both [] and [0]")
    /// The indices of an array do not begin at 0, or leave one out.
    package static let sparseArray = Self("sparse-array", "array indices have a gap")
    /// A name has `[]` before its end, where receivers disagree which elements belong together.
    package static let ambiguousArray = Self("ambiguous-array", "[] is not at the end of the name")
    /// Keys or elements were requested, and a name joins its keys in another style than the decoder's
    /// ``FormDataDecoder/keyPathEncoding``, such as `items[0].id` with brackets.
    package static let malformedName = Self("malformed-name", "name joins keys in another style than keyPathEncoding")

    // A value cannot be read.

    /// The bytes are not valid in their character set, or the set is unknown.
    package static let invalidText = Self(
        "invalid-text",
        "bytes are not valid in their character set, or it is unknown"
    )
    /// The text is not a valid value of the type.
    package static let invalidValue = Self("invalid-value", "text is not a valid %")
    /// The part is longer than ``FormDataDecoder/maxValueBytes``.
    package static let valueTooLong = Self("value-too-long", "value is longer than maxValueBytes")
    /// The part's content cannot be read; see ``FormDataCodingIssue/underlyingError``.
    package static let unreadablePart = Self("unreadable-part", "content of the part cannot be read")

    // Names and limits.

    /// ``FormDataDecoder/UnknownNames-swift.struct/reject``: the type does not declare the part's name.
    package static let unknownName = Self("unknown-name", "type has no key of the name, or the part has no name")
    /// A name is longer than ``FormDataDecoder/maxNameBytes``.
    package static let nameTooLong = Self("name-too-long", "name is longer than maxNameBytes")
    /// A name has more than 30 combining marks in a row (UAX #15 §13).
    package static let tooManyCombiningMarks = Self("too-many-combining-marks", "more than 30 combining marks in a row")
    /// The form has more parts than ``FormDataDecoder/maxParts``.
    package static let tooManyParts = Self("too-many-parts", "form has more parts than maxParts")
    /// A name, or a value, is nested deeper than `maxDepth`, or than coders can go.
    package static let tooDeep = Self("too-deep", "nested deeper than maxDepth, or than 64 steps")
    /// A type requests far more values than the form has, as one that tries many shapes at each level may.
    package static let tooManyAttempts = Self(
        "too-many-attempts",
        "type requests far more values than the form has"
    )

    // Encoding.

    /// The value to encode has no keys, so its parts would have no names.
    package static let notKeyedRoot = Self("not-keyed-root", "% has no keys to name its parts")
    /// A key is empty, is used twice, or has a character that would split or change its name.
    package static let invalidKey = Self("invalid-key", "key is empty, has a forbidden character, or is used twice")
    /// An element of an array or dictionary would have no part, so the receiver would miss it.
    package static let emptyElement = Self(
        "empty-element",
        "element would have no part, so its index or key would be lost"
    )
    /// A number is infinite or not a number.
    package static let nonFiniteNumber = Self("non-finite-number", "number is not finite")
    /// A value cannot be a part of a form, or has no part where it needs one; see
    /// ``FormDataCodingIssue/underlyingError``.
    package static let unencodable = Self("unencodable", "% cannot be a part, or encodes none where one is needed")

    /// Every code, for ``init(_:)``.
    private static let all = [
        missingValue, emptyValue, noFile, expectedValue, expectedKeys, expectedArray, expectedFile, unexpectedFile,
        expectedJSON, duplicateName, mixedShapes, sparseArray, ambiguousArray, malformedName, invalidText,
        invalidValue, valueTooLong, unreadablePart, unknownName, nameTooLong, tooManyCombiningMarks, tooManyParts,
        tooDeep, tooManyAttempts, notKeyedRoot, invalidKey, emptyElement, nonFiniteNumber, unencodable,
    ]
}
