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

    /// The same text as ``description``.
    public var errorDescription: String? { description }
}
