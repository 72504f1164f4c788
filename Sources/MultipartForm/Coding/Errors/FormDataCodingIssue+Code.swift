// The codes of the coders' errors, with constants for those that programs act on. `CodingCode` has the others.
extension FormDataCodingIssue {
    /// A stable name of what went wrong, such as `missing-value`. Later versions may add codes, but change none.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The text to store, log or send: lower case and hyphens.
        public let rawValue: String

        /// Creates the code with a text, even if this version has no such code.
        ///
        /// - Parameter rawValue: The text, such as `missing-value`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Creates the code with a text, even if this version has no such code.
        ///
        /// - Parameter rawValue: The text, such as `missing-value`.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        /// The text.
        public var description: String { rawValue }
    }
}

extension FormDataCodingIssue.Code {
    /// No part has the name.
    public static let missingValue = Self("missing-value")
    /// The part is empty, and the type has no empty value.
    public static let emptyValue = Self("empty-value")
    /// The part is what a browser sends for a file input without a file: no content and an empty file name. Where a
    /// file is expected, an empty part without a file name counts as well.
    public static let noFile = Self("no-file")
    /// The part has no file name, but the type is a file.
    public static let expectedFile = Self("expected-file")
    /// Several parts have the name of a single value, or two keys are equal in a dictionary.
    public static let duplicateName = Self("duplicate-name")
    /// The text is not a valid value of the type.
    public static let invalidValue = Self("invalid-value")
    /// The part is longer than ``FormDataDecoder/maxValueBytes``.
    public static let valueTooLong = Self("value-too-long")
    /// The type does not declare the part's name, and the decoder is set to
    /// ``FormDataDecoder/UnknownNames-swift.struct/reject``.
    public static let unknownName = Self("unknown-name")
}
