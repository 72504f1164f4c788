#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The reason why a value cannot be encoded to a form or decoded from a form.
///
/// An issue is the underlying error of each `EncodingError` and `DecodingError` that ``FormDataEncoder`` and
/// ``FormDataDecoder`` throw.
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
/// Two issues are equal if they have the same code, name and part index.
public struct FormDataCodingIssue: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// A code for the reason, so that programs can tell reasons apart.
    public private(set) var code: Code

    /// The full name of the part, such as `items[0][qty]`. If the part is missing, the name that the part would have.
    /// Nil if the issue is not about a name.
    public private(set) var name: String?

    /// The index of the part in the form, from 0. Nil if the issue is about no part or about several parts.
    public private(set) var partIndex: Int?

    /// The error that caused the issue, for a log. The source of the error is a part, a custom closure or a JSON coder.
    public private(set) var underlyingError: (any Error)?

    /// Whether the encoder created the issue. If false, the decoder created the issue.
    private let isOfEncoder: Bool

    init(_ code: Code, _ name: String?, _ partIndex: Int?, _ underlyingError: (any Error)?, isOfEncoder: Bool) {
        self.code = code
        self.name = name
        self.partIndex = partIndex
        self.underlyingError = underlyingError
        self.isOfEncoder = isOfEncoder
    }

    /// Creates a copy of the issue in an error from ``FormDataEncoder`` or ``FormDataDecoder``. Returns nil for any
    /// other error, such as an error that a type's own initializer threw.
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

    /// The HTTP status for a server's response:
    ///
    /// - 413 if the form exceeds a limit
    /// - 400 if the form does not fit the type
    /// - 500 if a value cannot be encoded
    /// - the ``MultipartError/httpStatus`` of the ``underlyingError`` if a part cannot be read
    public var httpStatus: Int {
        guard !isOfEncoder else { return 500 }
        guard code != CodingCode.unreadablePart else { return (underlyingError as? MultipartError)?.httpStatus ?? 500 }
        return CodingDetails.of(code)?.isLimit == true ? 413 : 400
    }

    /// The code, the name and the index of the part, such as `invalid-value "items[0][qty]" (part 7)`.
    ///
    /// The description never contains a value. The name is printable and cut to 64 characters.
    public var description: String {
        let quoted = name.map { " \"\($0.printable(upTo: 64))\"" } ?? ""
        return "\(code)\(quoted)\(partIndex.map { " (part \($0))" } ?? "")"
    }

    /// The same text as ``description``.
    public var errorDescription: String? { description }

    /// Returns whether two issues have the same code, name and part index.
    public static func == (left: FormDataCodingIssue, right: FormDataCodingIssue) -> Bool {
        left.code == right.code && left.nameBytes == right.nameBytes && left.partIndex == right.partIndex
    }

    /// Hashes the code, the name and the part index.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(nameBytes)
        hasher.combine(partIndex)
    }

    /// The UTF-8 bytes of the name. Issues compare bytes, because names with different bytes can be equal strings by
    /// Unicode equivalence.
    private var nameBytes: ContiguousArray<UInt8>? { name.map { ContiguousArray($0.utf8) } }
}
