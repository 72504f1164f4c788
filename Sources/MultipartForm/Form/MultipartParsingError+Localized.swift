public import Foundation

// The error stands in Syntax, which does not import Foundation.
extension MultipartParsingError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
