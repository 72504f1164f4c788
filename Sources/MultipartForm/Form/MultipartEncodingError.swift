public import Foundation

/// Why a form cannot be built or written.
///
/// Equality is by reason and part.
public struct MultipartEncodingError: Error, Sendable {
    /// What went wrong.
    public let reason: Reason

    /// The index of the part, from 0; nil if no single part is to blame.
    public let partIndex: Int?

    /// The name of the part's field, if it has one.
    public let partName: String?

    /// What the system or a stream reported.
    public let underlying: (any Error)?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - reason: What went wrong.
    ///   - partIndex: The index of the part, from 0.
    ///   - partName: The name of the part's field.
    ///   - underlying: What the system or a stream reported.
    public init(
        _ reason: Reason,
        partIndex: Int? = nil,
        partName: String? = nil,
        underlying: (any Error)? = nil
    ) {
        self.reason = reason
        self.partIndex = partIndex
        self.partName = partName
        self.underlying = underlying
    }

    /// What went wrong, and with which file or lengths.
    public struct Reason: Sendable, Hashable {
        /// A stable name in lower case and hyphens, such as `body-part-file-is-directory`.
        public let code: String

        /// The file in question.
        public let url: URL?

        /// The declared length in bytes, for ``bodyPartLengthMismatch(expected:actual:)``.
        public let expectedLength: UInt64?

        /// The length found, in bytes, for ``bodyPartLengthMismatch(expected:actual:)``.
        public let actualLength: UInt64?

        private init(_ code: String, url: URL? = nil, expected: UInt64? = nil, actual: UInt64? = nil) {
            self.code = code
            self.url = url
            self.expectedLength = expected
            self.actualLength = actual
        }
    }
}

extension MultipartEncodingError.Reason {
    // Files to send.

    /// The URL is not that of a file.
    public static func bodyPartURLInvalid(url: URL) -> Self { Self("body-part-url-invalid", url: url) }
    /// The URL has no last component to name the file by.
    public static func bodyPartFilenameInvalid(in url: URL) -> Self { Self("body-part-filename-invalid", url: url) }
    /// The file is missing.
    public static func bodyPartFileNotReachable(at url: URL) -> Self { Self("body-part-file-not-reachable", url: url) }
    /// The file cannot be reached, for instance for want of permission; see the underlying error.
    public static func bodyPartFileNotReachableWithError(at url: URL) -> Self {
        Self("body-part-file-not-reachable-with-error", url: url)
    }
    /// The file is a directory.
    public static func bodyPartFileIsDirectory(at url: URL) -> Self { Self("body-part-file-is-directory", url: url) }
    /// The file is a FIFO, a device or a socket, whose length nobody knows.
    public static func bodyPartFileIsSpecial(at url: URL) -> Self { Self("body-part-file-is-special", url: url) }
    /// The system does not tell the file's size.
    public static func bodyPartFileSizeNotAvailable(at url: URL) -> Self {
        Self("body-part-file-size-not-available", url: url)
    }
    /// Asking for the file's size failed; see the underlying error.
    public static func bodyPartFileSizeQueryFailedWithError(at url: URL) -> Self {
        Self("body-part-file-size-query-failed", url: url)
    }
    /// The file, or a stream to be reopened, cannot be opened; see the underlying error.
    public static func bodyPartInputStreamCreationFailed(for url: URL?) -> Self {
        Self("body-part-input-stream-creation-failed", url: url)
    }

    /// The file is another one than when it was appended, or has changed since: by its device, inode, size or
    /// modification time.
    public static func bodyPartFileChanged(at url: URL) -> Self { Self("body-part-file-changed", url: url) }

    // Contents.

    /// A content did not have the length that was declared, or that the file had when it was appended.
    ///
    /// - Parameters:
    ///   - expected: The declared length, in bytes.
    ///   - actual: The length found, in bytes; one more than declared if it is longer, since no more was read.
    /// - Returns: A reason that holds both.
    public static func bodyPartLengthMismatch(expected: UInt64, actual: UInt64) -> Self {
        Self("body-part-length-mismatch", expected: expected, actual: actual)
    }
    /// A stream that can be read once has been read.
    public static let bodyPartStreamConsumed = Self("body-part-stream-consumed")
    /// A stream that can be read once would have to be read again after a seek.
    public static let notReplayable = Self("not-replayable")
    /// The content is an asynchronous sequence, which ``MultipartFormData/chunks(ofSize:progress:)`` alone can encode.
    public static let bodyPartIsAsynchronous = Self("body-part-is-asynchronous")
    /// Reading a file, a stream or a sequence failed; see the underlying error.
    public static let inputStreamReadFailed = Self("input-stream-read-failed")
    /// The lengths of the contents add up to more than 2^64 bytes, or to more than memory holds.
    public static let encodedLengthTooLarge = Self("encoded-length-too-large")

    // Headers and boundary.

    /// The boundary is not 1–70 `bchars`, or ends in a space (RFC 2046 §5.1.1).
    public static let invalidBoundary = Self("invalid-boundary")
    /// A content has a line that begins with two hyphens and the boundary (RFC 2046 §5.1).
    public static let boundaryCollision = Self("boundary-collision")
    /// The part has no name (RFC 7578 §4.2).
    public static let missingName = Self("missing-name")
    /// A name or file name has a control character other than HTAB, CR and LF.
    public static let invalidCharacter = Self("invalid-character")
    /// The name of an extra header field is not a token (RFC 9110 §5.1).
    public static let invalidHeaderName = Self("invalid-header-name")
    /// A media type or an extra header field has a control character, or one that is not ASCII (RFC 9110 §5.5).
    public static let invalidHeaderValue = Self("invalid-header-value")
    /// An extra header field is the encoder's own, or a transfer encoding that changes bytes (RFC 7578 §4.7).
    public static let forbiddenHeader = Self("forbidden-header")

    /// A given Content-Disposition holds more than a form's part can say: a type other than `form-data`, or parameters
    /// other than a name and a file name.
    public static let lossyDisposition = Self("lossy-disposition")

    // Output.

    /// The output's URL is not that of a file.
    public static func outputStreamURLInvalid(url: URL) -> Self { Self("output-stream-url-invalid", url: url) }
    /// Something stands at the output's URL already.
    public static func outputStreamFileAlreadyExists(at url: URL) -> Self {
        Self("output-stream-file-already-exists", url: url)
    }
    /// The output file cannot be created; see the underlying error.
    public static func outputStreamCreationFailed(for url: URL) -> Self {
        Self("output-stream-creation-failed", url: url)
    }
    /// Writing the output failed; see the underlying error.
    public static let outputStreamWriteFailed = Self("output-stream-write-failed")
    /// The offset to go on from lies behind the end of the message.
    public static let offsetBeyondEnd = Self("offset-beyond-end")
    /// The progress was cancelled.
    public static let cancelled = Self("cancelled")
    /// The iterator of the chunks was copied, and the copy has gone on.
    public static let concurrentUse = Self("concurrent-use")
}

extension MultipartEncodingError: Equatable {
    /// Whether two errors have the same reason and part.
    public static func == (left: MultipartEncodingError, right: MultipartEncodingError) -> Bool {
        left.reason == right.reason && left.partIndex == right.partIndex
    }
}

extension MultipartEncodingError: CustomStringConvertible, LocalizedError {
    /// The fact and the place: `part 2 "photo": file is a directory: /tmp/x`.
    public var description: String {
        var place = ""
        if let partIndex {
            let name = partName.map { " \"\($0.escapedForMessage)\"" } ?? ""
            place = "part \(partIndex)\(name): "
        }
        let file = reason.url.map { ": \(($0.isFileURL ? $0.path : $0.absoluteString).escapedForMessage)" } ?? ""
        let cause = (underlying as? POSIXError).map { " (\($0.systemMessage))" }
        return "\(place)\(reason.fact)\(file)\(cause ?? "")"
    }

    /// The description.
    public var errorDescription: String? { description }
}

extension MultipartEncodingError.Reason {
    /// The fact without its place.
    fileprivate var fact: String {
        if let expectedLength, let actualLength {
            let comparison = actualLength > expectedLength ? "at least \(actualLength)" : "\(actualLength)"
            return "content has \(comparison) bytes, not the declared \(expectedLength)"
        }
        return switch code {
        case "body-part-url-invalid": "URL is not that of a file"
        case "body-part-filename-invalid": "URL has no file name"
        case "body-part-file-not-reachable": "file does not exist"
        case "body-part-file-not-reachable-with-error": "file is not reachable"
        case "body-part-file-is-directory": "file is a directory"
        case "body-part-file-is-special": "file is a FIFO, a device or a socket"
        case "body-part-file-size-not-available": "file has no size"
        case "body-part-file-size-query-failed": "size of the file cannot be read"
        case "body-part-input-stream-creation-failed": "content cannot be opened"
        case "body-part-file-changed": "file has changed"
        case "body-part-stream-consumed": "stream has been read already"
        case "not-replayable": "stream cannot be read again"
        case "body-part-is-asynchronous": "content is asynchronous"
        case "input-stream-read-failed": "content cannot be read"
        case "encoded-length-too-large": "contents are too long together"
        case "invalid-boundary": "boundary is not 1 to 70 legal characters"
        case "boundary-collision": "content has a line that begins with the boundary"
        case "missing-name": "part has no name"
        case "invalid-character": "name or file name has a control character"
        case "invalid-header-name": "header name is not a token"
        case "invalid-header-value": "media type or header value is not printable ASCII"
        case "forbidden-header": "header field may not be set"
        case "lossy-disposition": "disposition is not that of a form's part"
        case "output-stream-url-invalid": "output URL is not that of a file"
        case "output-stream-file-already-exists": "output file exists already"
        case "output-stream-creation-failed": "output file cannot be created"
        case "output-stream-write-failed": "output cannot be written"
        case "offset-beyond-end": "offset lies behind the end of the message"
        case "concurrent-use": "iterator was copied, and its copy has gone on"
        default: code
        }
    }
}

extension String {
    /// The text with control characters and quotes escaped, for one line of a message.
    fileprivate var escapedForMessage: String {
        unicodeScalars.map {
            $0.properties.generalCategory == .control || $0 == "\"" ? $0.escaped(asASCII: true) : "\($0)"
        }
        .joined()
    }
}
