#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// These conformances are not in Syntax, which declares the error, because they need Foundation: Syntax does not import
// it.
extension MultipartError: CustomStringConvertible, LocalizedError {
    /// The part, the reason and the offset: `part 2 "avatar": body exceeds 5242880 bytes (at offset 5243222)`. It omits
    /// the ``limitName``, since the client that sent the bytes may get to read the description.
    ///
    /// The name is printable and cut to 64 characters.
    public var description: String {
        let part = [partIndex.map(String.init), partName.map { "\"\($0.printable(upTo: 64))\"" }].compactMap(\.self)
        var text = part.isEmpty ? "" : "part \(part.joined(separator: " ")): "
        text += reason
        if let path { text += ": \(path.printable(upTo: .max))" }
        if let underlyingError {
            // For any other error, only its type is shown, because its text may contain anything.
            let cause =
                (underlyingError as? POSIXError)?.systemMessage
                ?? (underlyingError as? MultipartError)?.description ?? "\(type(of: underlyingError))"
            text += " (\(cause))"
        }
        if let offset { text += " (at offset \(offset))" }
        return text
    }

    /// The description.
    public var errorDescription: String? { description }
}
