public import Foundation

/// An encoded form, in memory or in a temporary file.
public enum EncodedForm: Sendable {
    /// The message itself.
    case data(Data)
    /// A file that holds the message.
    case file(EncodedFile)

    /// The length of the message in bytes.
    public var length: UInt64 {
        switch self {
        case .data(let data): UInt64(data.count)
        case .file(let file): file.length
        }
    }
}

/// A temporary file that holds an encoded form, readable by its owner only; removed with its last reference.
public final class EncodedFile: Sendable {
    private let file: TemporaryFile

    /// The file.
    public var url: URL { file.url }

    /// The length of the message in bytes.
    public var length: UInt64 { file.length }

    init(url: URL, _ identity: FileIdentity, length: UInt64) {
        file = TemporaryFile(at: url, identity, length: length)
    }
}
