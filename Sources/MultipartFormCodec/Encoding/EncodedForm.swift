#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An encoded form, in memory or in a file.
/// ``MultipartFormData/withEncodedForm(inMemoryUpTo:temporaryDirectory:progress:_:)`` passes the form to your closure.
public enum EncodedForm: Sendable {
    /// The whole message.
    case data(Data)
    /// The URL of a temporary file that contains the whole message. Only the file's owner can access the file.
    case file(URL)
}
