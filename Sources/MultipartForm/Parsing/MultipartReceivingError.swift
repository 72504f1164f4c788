public import Foundation

/// Why parts could not be received, though the message itself may be well-formed.
///
/// What is wrong with the message, the limits on its bytes included, is a ``MultipartParsingError``. Equality is by
/// code and part.
public struct MultipartReceivingError: Error, Sendable {
    /// What went wrong, as a stable name such as `body-out-of-turn`.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name, in lower case and hyphens.
        public let rawValue: String

        /// Creates a code with a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// What went wrong.
    public let code: Code

    /// The index of the part in the message, from 0; nil if no single part is to blame.
    public let partIndex: Int?

    /// The limit that was exceeded, in bytes, for the codes that begin with `limit-`.
    public let limit: UInt64?

    /// What the system reported, for the codes that begin with `file-`: a `POSIXError`.
    public let underlying: (any Error)?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: What went wrong.
    ///   - partIndex: In which part, from 0.
    ///   - limit: The limit that was exceeded, in bytes.
    ///   - underlying: What the system reported.
    public init(_ code: Code, partIndex: Int? = nil, limit: UInt64? = nil, underlying: (any Error)? = nil) {
        self.code = code
        self.partIndex = partIndex
        self.limit = limit
        self.underlying = underlying
    }
}

extension MultipartReceivingError.Code {
    // Streamed parts.

    /// A part's body was asked for when the next part had been asked for: its bytes have gone by.
    public static let bodyOutOfTurn = Self(rawValue: "body-out-of-turn")
    /// The parts, or a part's body, were asked for while another task waited for the same message.
    public static let concurrentUse = Self(rawValue: "concurrent-use")

    // Collected parts.

    /// The caller's policy rejected the part.
    public static let partRejected = Self(rawValue: "part-rejected")
    /// The parts take more memory than the limit, header sections included.
    public static let limitMemoryBytes = Self(rawValue: "limit-memory-bytes")
    /// The contents on disk are longer together than the limit.
    public static let limitDiskBytes = Self(rawValue: "limit-disk-bytes")
    /// A temporary file cannot be created; see the underlying error.
    public static let fileCreationFailed = Self(rawValue: "file-creation-failed")
    /// A temporary file cannot be written; see the underlying error.
    public static let fileWriteFailed = Self(rawValue: "file-write-failed")
}

extension MultipartReceivingError: Equatable {
    /// Whether two errors have the same code and part.
    public static func == (left: MultipartReceivingError, right: MultipartReceivingError) -> Bool {
        left.code == right.code && left.partIndex == right.partIndex
    }
}

extension MultipartReceivingError: CustomStringConvertible, LocalizedError {
    /// The part and the fact: `part 3: contents on disk exceed 1073741824 bytes`.
    public var description: String {
        let place = partIndex.map { "part \($0): " } ?? ""
        let cause = (underlying as? POSIXError).map { " (\($0.systemMessage))" }
        return "\(place)\(fact)\(cause ?? "")"
    }

    /// The description.
    public var errorDescription: String? { description }

    /// The fact without its place.
    private var fact: String {
        let limit = limit.map(String.init) ?? "their limit of"
        return switch code {
        case .bodyOutOfTurn: "body was asked for after its turn"
        case .concurrentUse: "message is already being read by another task"
        case .partRejected: "part was rejected"
        case .limitMemoryBytes: "parts in memory exceed \(limit) bytes"
        case .limitDiskBytes: "contents on disk exceed \(limit) bytes"
        case .fileCreationFailed: "temporary file cannot be created"
        case .fileWriteFailed: "temporary file cannot be written"
        default: code.rawValue
        }
    }
}
