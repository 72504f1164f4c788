internal import Foundation

/// Why a value could not be encoded to a form or decoded from one: the underlying error of each `EncodingError` and
/// `DecodingError` that the coders throw.
///
/// ```swift
/// do {
///     item = try FormDataDecoder().decode(Item.self, from: form)
/// } catch DecodingError.dataCorrupted(let context) {
///     let issue = context.underlyingError as? FormDataCodingIssue
///     print(issue?.code == .invalidValue, issue?.name ?? "")
/// }
/// ```
///
/// Equality is by code, name and part.
public struct FormDataCodingIssue: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong, to branch on.
    public let code: Code

    /// The whole name of the part, such as `items[0][qty]`, sent or missing; nil if the issue is not about a name.
    public let name: String?

    /// The index of the part in the form, from 0; nil if the issue is about none or several.
    public let partIndex: Int?

    /// The error that a part's content, a custom closure or a JSON coder threw, for a log.
    public let underlyingError: (any Error)?

    /// The code, the name and the part: `invalid-value "items[0][qty]" (part 7)`; never a value.
    ///
    /// The name is printable and cut to 64 characters.
    public var description: String {
        let quoted = name.map { " \"\($0.printable(upTo: 64))\"" } ?? ""
        return "\(code)\(quoted)\(partIndex.map { " (part \($0))" } ?? "")"
    }

    /// Whether two issues have the same code, name and part.
    public static func == (left: FormDataCodingIssue, right: FormDataCodingIssue) -> Bool {
        left.code == right.code && left.nameBytes == right.nameBytes && left.partIndex == right.partIndex
    }

    /// Hashes the code, the name and the part.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(nameBytes)
        hasher.combine(partIndex)
    }

    /// Names are compared by their bytes: two parts may have names that are equal by Unicode equivalence.
    private var nameBytes: ContiguousArray<UInt8>? { name.map { ContiguousArray($0.utf8) } }
}
