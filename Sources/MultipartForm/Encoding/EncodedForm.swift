#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An encoded form, in memory or in a file, as
/// ``MultipartFormData/withEncodedForm(inMemoryUpTo:temporaryDirectory:progress:_:)`` passes it on.
public enum EncodedForm: Sendable {
    /// The whole message.
    case data(Data)
    /// A temporary file with the message, readable by its owner only.
    case file(URL)
}
