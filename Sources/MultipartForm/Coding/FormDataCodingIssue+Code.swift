extension FormDataCodingIssue {
    /// A stable name of what went wrong, such as `missing-value`.
    public struct Code: Sendable, Hashable, LosslessStringConvertible {
        private let row: Row

        private init(_ row: Row) {
            self.row = row
        }

        /// The code with a text that was stored or received; nil if this version has none.
        ///
        /// - Parameter description: The text, such as `missing-value`.
        public init?(_ description: String) {
            guard let row = Row(rawValue: description) else { return nil }
            self.row = row
        }

        /// The text to store, log or send: lower case and hyphens, the same in all versions.
        public var description: String { row.rawValue }

        /// The issue in words.
        var fact: String { row.meaning.fact }

        /// The decoding error that has the code.
        var kind: Kind { row.meaning.kind }
    }

    enum Kind {
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
    public static let missingValue = Self(.missingValue)
    /// The part is empty, and the type needs a text.
    public static let emptyValue = Self(.emptyValue)
    /// The part is what a browser sends for a file input without a file: no content and an empty file name.
    public static let noFile = Self(.noFile)

    // A value has another shape than the type.

    /// The name has keys or array elements where the type is a single value.
    public static let expectedValue = Self(.expectedValue)
    /// The name has values where the type has keys.
    public static let expectedKeys = Self(.expectedKeys)
    /// The name has keys that are not indices where the type is an array.
    public static let expectedArray = Self(.expectedArray)
    /// The part has no file name where the type is a file.
    public static let expectedFile = Self(.expectedFile)
    /// The part has a file name where the type is a text, a number, a date or a URL.
    public static let unexpectedFile = Self(.unexpectedFile)
    /// The part's media type is not JSON.
    public static let expectedJSON = Self(.expectedJSON)

    // A form contradicts itself.

    /// Several parts have the name of a single value, or names differ only by Unicode equivalence or as numbers.
    public static let duplicateName = Self(.duplicateName)
    /// A name has both values and keys, or two forms of array elements.
    public static let mixedShapes = Self(.mixedShapes)
    /// The indices of an array do not begin at 0, or leave one out.
    public static let sparseArray = Self(.sparseArray)
    /// A name has `[]` before its end, where receivers disagree which elements belong together.
    public static let ambiguousArray = Self(.ambiguousArray)

    // A value cannot be read.

    /// The bytes are not valid in their character set, or the set is unknown.
    public static let invalidText = Self(.invalidText)
    /// The text is none of the type's.
    public static let invalidValue = Self(.invalidValue)
    /// The part is longer than ``FormDataDecoder/maxValueBytes``.
    public static let valueTooLong = Self(.valueTooLong)
    /// The part's content cannot be read; see ``FormDataCodingIssue/underlying``.
    public static let unreadablePart = Self(.unreadablePart)

    // Names and limits.

    /// ``FormDataDecoder/UnknownNames-swift.struct/reject``: the value has no place for the part.
    public static let unknownName = Self(.unknownName)
    /// A name is longer than ``FormDataDecoder/maxNameBytes``.
    public static let nameTooLong = Self(.nameTooLong)
    /// The form has more parts than ``FormDataDecoder/maxParts``.
    public static let tooManyParts = Self(.tooManyParts)
    /// A name, or a value to encode, has more keys and indices than `maxDepth`.
    public static let tooDeep = Self(.tooDeep)

    // Encoding.

    /// The value to encode is not one with keys, so its parts would have no names.
    public static let notKeyedRoot = Self(.notKeyedRoot)
    /// A key is empty, has a character that its name would be split or changed at, or is used twice.
    public static let invalidKey = Self(.invalidKey)
    /// An element of an array or dictionary would have no part, so its place would be lost.
    public static let emptyElement = Self(.emptyElement)
    /// A number is infinite or not a number.
    public static let nonFiniteNumber = Self(.nonFiniteNumber)
    /// A value cannot be part of a form; see ``FormDataCodingIssue/underlying``.
    public static let unencodable = Self(.unencodable)
}

private enum Row: String {
    case missingValue = "missing-value"
    case emptyValue = "empty-value"
    case noFile = "no-file"
    case expectedValue = "expected-value"
    case expectedKeys = "expected-keys"
    case expectedArray = "expected-array"
    case expectedFile = "expected-file"
    case unexpectedFile = "unexpected-file"
    case expectedJSON = "expected-json"
    case duplicateName = "duplicate-name"
    case mixedShapes = "mixed-shapes"
    case sparseArray = "sparse-array"
    case ambiguousArray = "ambiguous-array"
    case invalidText = "invalid-text"
    case invalidValue = "invalid-value"
    case valueTooLong = "value-too-long"
    case unreadablePart = "unreadable-part"
    case unknownName = "unknown-name"
    case nameTooLong = "name-too-long"
    case tooManyParts = "too-many-parts"
    case tooDeep = "too-deep"
    case notKeyedRoot = "not-keyed-root"
    case invalidKey = "invalid-key"
    case emptyElement = "empty-element"
    case nonFiniteNumber = "non-finite-number"
    case unencodable = "unencodable"

    /// The decoding error with a code, and the issue in words.
    var meaning: (kind: FormDataCodingIssue.Kind, fact: String) {
        switch self {
        case .missingValue: (.notFound, "no part has the name")
        case .emptyValue: (.valueNotFound, "part is empty")
        case .noFile: (.valueNotFound, "no file was selected")
        case .expectedValue: (.typeMismatch, "name has keys or elements, not a single value")
        case .expectedKeys: (.typeMismatch, "name has values, not keys")
        case .expectedArray: (.typeMismatch, "name has keys that are not indices")
        case .expectedFile: (.typeMismatch, "part has no file name")
        case .unexpectedFile: (.typeMismatch, "part is a file")
        case .expectedJSON: (.typeMismatch, "media type is not JSON")
        case .duplicateName: (.dataCorrupted, "several parts have the name")
        case .mixedShapes: (.dataCorrupted, "name has values and keys, or two forms of elements")
        case .sparseArray: (.dataCorrupted, "indices of the array leave one out")
        case .ambiguousArray: (.dataCorrupted, "name has [] before its end")
        case .invalidText: (.dataCorrupted, "bytes are not valid in their character set, or it is unknown")
        case .invalidValue: (.dataCorrupted, "text is none of the type")
        case .valueTooLong: (.dataCorrupted, "value is too long")
        case .unreadablePart: (.dataCorrupted, "content cannot be read")
        case .unknownName: (.dataCorrupted, "part has an unknown name or none")
        case .nameTooLong: (.dataCorrupted, "name is too long")
        case .tooManyParts: (.dataCorrupted, "form has too many parts")
        case .tooDeep: (.dataCorrupted, "too many keys and indices")
        case .notKeyedRoot: (.dataCorrupted, "value has no keys to name its parts")
        case .invalidKey: (.dataCorrupted, "key is empty, has a forbidden character, or is used twice")
        case .emptyElement: (.dataCorrupted, "element would have no part")
        case .nonFiniteNumber: (.dataCorrupted, "number is not finite")
        case .unencodable: (.dataCorrupted, "value cannot be part of a form")
        }
    }
}
