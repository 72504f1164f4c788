public import Foundation

/// An encoded form, in memory or in a temporary file.
public enum EncodedForm: Sendable {
    /// The message itself, if it is no longer than the limit.
    case data(Data)
    /// A temporary file with the message. Keep it until its last reader, such as an upload, has finished.
    case file(File)

    /// The length of the message in bytes, for a Content-Length field.
    public var length: UInt64 {
        switch self {
        case .data(let data): UInt64(data.count)
        case .file(let file): file.content.length
        }
    }

    /// A temporary file to upload, readable by its owner only; removed with its last reference.
    public final class File: Sendable {
        let content: TemporaryFile

        /// The file's URL, to be passed to whatever uploads the file.
        public var url: URL { content.url }

        init(_ content: TemporaryFile) {
            self.content = content
        }
    }
}
