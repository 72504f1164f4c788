#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Conformances that need Foundation. The folder Syntax, which declares `MultipartError`, does not import Foundation.
extension MultipartError: CustomStringConvertible, LocalizedError {
    /// The part, the reason and the offset: `part 2 "avatar": body exceeds 5242880 bytes (at offset 5243222)`.
    ///
    /// The part's name is made printable, and cut to at most 64 characters. The description omits the ``limitName``,
    /// because a server may show the description to the client.
    public var description: String {
        let part = [partIndex.map(String.init), partName.map { "\"\($0.printable(upTo: 64))\"" }].compactMap(\.self)
        var text = part.isEmpty ? "" : "part \(part.joined(separator: " ")): "
        text += reason
        if let path { text += ": \(path.printable(upTo: .max))" }
        if let underlyingError {
            // Shows the text of a system error or a `MultipartError`. Shows only the type of any other error, because
            // its text may contain anything.
            let cause =
                (underlyingError as? POSIXError)?.systemMessage
                ?? (underlyingError as? MultipartError)?.description ?? "\(type(of: underlyingError))"
            text += " (\(cause))"
        }
        if let offset { text += " (at offset \(offset))" }
        return text
    }

    /// The text that a server may send to the client: the code, the name of the part, and the limit that was exceeded,
    /// if any, such as `limit-part-bytes "photo" (limit 5242880)`.
    ///
    /// The name is made printable, and cut to at most 64 characters. A part without a name is shown by its index, such
    /// as `(part 2)`. The message never contains content, a path or the name of an option. The message is nil if the
    /// ``httpStatus`` is 500 or more: the client is not to blame, and the ``description`` belongs in a log.
    public var clientMessage: String? {
        guard httpStatus < 500 else { return nil }
        // A received form is the cause of this error, for instance because the program forwarded a malformed message.
        // Returns the message about the received form.
        if let cause = underlyingError as? MultipartError, !isOfForm { return cause.clientMessage }
        let part = partName.map { " \"\($0.printable(upTo: 64))\"" } ?? partIndex.map { " (part \($0))" } ?? ""
        return "\(code)\(part)\(limit.map { " (limit \($0))" } ?? "")"
    }

    /// The same text as ``description``.
    public var errorDescription: String? { description }
}
