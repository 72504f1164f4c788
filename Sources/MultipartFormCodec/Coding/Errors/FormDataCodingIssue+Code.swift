// The codes of encoding and decoding errors. There are public constants for the codes that programs handle separately.
// `CodingCode` declares the other codes.
extension FormDataCodingIssue {
    /// A stable name for the reason of an issue, such as `missing-value`. Later versions may add codes, but never
    /// change a code.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The text of the code, to store, log or send. The library's codes have only lowercase letters and hyphens.
        public let rawValue: String

        /// Creates a code from its text, even if this version of the library does not define the code.
        ///
        /// - Parameter rawValue: The text, such as `missing-value`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Creates a code from its text, even if this version of the library does not define the code.
        ///
        /// - Parameter rawValue: The text, such as `missing-value`.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        /// The same text as ``rawValue``.
        public var description: String { rawValue }
    }
}

extension FormDataCodingIssue.Code {
    /// The type requires a value, but no part has the name of the value.
    public static let missingValue = Self("missing-value")
    /// The part is empty, but a value of the type cannot be empty.
    public static let emptyValue = Self("empty-value")
    /// The user selected no file. Browsers then send a part without content, and with an empty file name. If the type
    /// requires a file, a part without content and without a file name has this code, too.
    public static let noFile = Self("no-file")
    /// The type requires a file, but the part has no file name. If another decoder, such as `JSONDecoder`, decodes a
    /// ``FormPartOnly`` type, the error has this code, too.
    public static let expectedFile = Self("expected-file")
    /// The form has several parts for a single value, or two equal keys for a dictionary.
    public static let duplicateName = Self("duplicate-name")
    /// The text or the JSON in the part is not a valid value of the type.
    public static let invalidValue = Self("invalid-value")
    /// The content of the part is longer than ``FormDataDecoder/maxValueBytes``.
    public static let valueTooLong = Self("value-too-long")
    /// The part has no name, or the decoded type does not declare the name. The decoder throws this error only with the
    /// option ``FormDataDecoder/UnknownNames-swift.struct/reject``.
    public static let unknownName = Self("unknown-name")
}
