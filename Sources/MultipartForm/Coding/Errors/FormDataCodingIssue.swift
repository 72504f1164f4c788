#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Why a value could not be encoded to a form or decoded from one: the underlying error of each `EncodingError` and
/// `DecodingError` that the coders throw.
///
/// ```swift
/// do {
///     item = try FormDataDecoder().decode(Item.self, from: form)
/// } catch {
///     guard let issue = FormDataCodingIssue(error) else { throw error }
///     print(issue.httpStatus, issue.code, issue.name ?? "")
/// }
/// ```
///
/// Equality is by code, name and part.
public struct FormDataCodingIssue: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong, to branch on.
    public private(set) var code: Code

    /// The whole name of the part, such as `items[0][qty]`, even if the part is missing; nil if the issue is not about
    /// a name.
    public private(set) var name: String?

    /// The index of the part in the form, from 0; nil if the issue is about no part or several.
    public private(set) var partIndex: Int?

    /// The error that a part's content, a custom closure or a JSON coder threw, for a log.
    public private(set) var underlyingError: (any Error)?

    /// Whether the encoder made the issue; if not, the decoder did.
    private let isOfEncoder: Bool

    init(_ code: Code, _ name: String?, _ partIndex: Int?, _ underlyingError: (any Error)?, isOfEncoder: Bool) {
        self.code = code
        self.name = name
        self.partIndex = partIndex
        self.underlyingError = underlyingError
        self.isOfEncoder = isOfEncoder
    }

    /// The issue of an error that a coder threw; nil for any other error, such as one that a type's own initializer
    /// threw.
    ///
    /// - Parameter error: The error, an `EncodingError` or a `DecodingError`.
    public init?(_ error: any Error) {
        let underlyingError: (any Error)? =
            switch error {
            case EncodingError.invalidValue(_, let context): context.underlyingError
            case DecodingError.keyNotFound(_, let context): context.underlyingError
            case DecodingError.valueNotFound(_, let context): context.underlyingError
            case DecodingError.typeMismatch(_, let context): context.underlyingError
            case DecodingError.dataCorrupted(let context): context.underlyingError
            default: nil
            }
        guard let issue = underlyingError as? FormDataCodingIssue else { return nil }
        self = issue
    }

    /// The HTTP status for a server's answer: 413 if the form exceeds a limit, 400 if it does not fit the type, and 500
    /// if a value cannot be encoded.
    ///
    /// For a part that cannot be read, it is the ``MultipartError/httpStatus`` of the ``underlyingError``.
    public var httpStatus: Int {
        guard !isOfEncoder else { return 500 }
        guard code != CodingCode.unreadablePart else { return (underlyingError as? MultipartError)?.httpStatus ?? 500 }
        return CodingDetails.of(code)?.isLimit == true ? 413 : 400
    }

    /// The code, the name and the part: `invalid-value "items[0][qty]" (part 7)`; never a value.
    ///
    /// The name is printable and cut to 64 characters.
    public var description: String {
        let quoted = name.map { " \"\($0.printable(upTo: 64))\"" } ?? ""
        return "\(code)\(quoted)\(partIndex.map { " (part \($0))" } ?? "")"
    }

    /// The description.
    public var errorDescription: String? { description }

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

    /// Names are compared by their bytes, because different parts may have names that are equal by Unicode equivalence.
    private var nameBytes: ContiguousArray<UInt8>? { name.map { ContiguousArray($0.utf8) } }
}
