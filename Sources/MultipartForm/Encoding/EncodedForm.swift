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
    /// The file.
    public let url: URL

    /// The length of the message in bytes.
    public let length: UInt64

    init(url: URL, length: UInt64) {
        self.url = url
        self.length = length
    }

    deinit {
        unsafe unlink(url.path)
    }
}
