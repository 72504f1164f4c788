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

    /// The whole name of the part, such as `items[0][qty]`, sent or missing; nil if no name is to blame.
    public let name: String?

    /// The index of the part in the form, from 0; nil if no part is to blame, or there are several.
    public let partIndex: Int?

    /// What a part's content, a custom closure or a JSON coder threw, for a log.
    public let underlying: (any Error)?

    /// The code, the name and the part: `invalid-value "items[0][qty]" (part 7)`; never a value.
    ///
    /// The name is printable and cut to 64 characters.
    public var description: String {
        let quoted = name.map { " \"\($0.printable(upTo: 64))\"" } ?? ""
        return "\(code)\(quoted)\(partIndex.map { " (part \($0))" } ?? "")"
    }

    /// Whether two issues have the same code, name and part.
    public static func == (left: FormDataCodingIssue, right: FormDataCodingIssue) -> Bool {
        left.code == right.code && left.name == right.name && left.partIndex == right.partIndex
    }

    /// Hashes the code, the name and the part.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(name)
        hasher.combine(partIndex)
    }
}

/// An issue whose place its catcher knows.
struct CodingProblem: Error {
    let code: FormDataCodingIssue.Code
    let underlying: (any Error)?

    init(_ code: FormDataCodingIssue.Code, underlying: (any Error)? = nil) {
        self.code = code
        self.underlying = underlying
    }

    func issue(_ name: String?, _ partIndex: Int?) -> FormDataCodingIssue {
        FormDataCodingIssue(code: code, name: name, partIndex: partIndex, underlying: underlying)
    }

    /// The text of an error about a value of a type, without the value.
    func text(_ name: String?, _ type: String?) -> String {
        let place = name.map { "\"" + $0.printable(upTo: 64) + "\": " } ?? ""
        return place + code.fact + (type.map { ", as " + $0 } ?? "")
    }
}
