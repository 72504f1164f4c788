/// Why a message, or a field of its header, cannot be read.
///
/// Equality is by code and place. The error never quotes the message's bytes.
public struct MultipartParsingError: Error, Sendable, Hashable {
    /// What went wrong, as a stable name such as `unexpected-end`.
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

    /// The offset of the offending byte from the start of the message, in bytes; for an error in a single header
    /// field, from the start of its value.
    public let offset: UInt64

    /// The index of the part, from 0; nil outside any part.
    public let partIndex: Int?

    /// The limit that was exceeded, for the codes that begin with `limit-`.
    public let limit: UInt64?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: What went wrong.
    ///   - offset: Where, in bytes.
    ///   - partIndex: In which part, from 0.
    ///   - limit: The limit that was exceeded.
    public init(_ code: Code, offset: UInt64, partIndex: Int? = nil, limit: UInt64? = nil) {
        self.code = code
        self.offset = offset
        self.partIndex = partIndex
        self.limit = limit
    }
}

extension MultipartParsingError.Code {
    // The Content-Type field.

    /// The Content-Type field is not a media type with parameters.
    public static let malformedContentType = Self(rawValue: "malformed-content-type")
    /// The media type is not the one expected.
    public static let unsupportedMediaType = Self(rawValue: "unsupported-media-type")
    /// The Content-Type field has no boundary parameter (RFC 7578 §4.1).
    public static let missingBoundary = Self(rawValue: "missing-boundary")
    /// The boundary is empty, too long, or has a character it may not have (RFC 2046 §5.1.1).
    public static let invalidBoundary = Self(rawValue: "invalid-boundary")

    // Framing.

    /// The message ended before the first delimiter.
    public static let boundaryNotFound = Self(rawValue: "boundary-not-found")
    /// Strict mode: the message does not begin with the delimiter.
    public static let preambleNotAllowed = Self(rawValue: "preamble-not-allowed")
    /// Strict mode: something other than line breaks follows the close delimiter.
    public static let epilogueNotAllowed = Self(rawValue: "epilogue-not-allowed")
    /// A line begins with the delimiter but does not end there.
    public static let malformedDelimiter = Self(rawValue: "malformed-delimiter")
    /// The message ended before its close delimiter.
    public static let unexpectedEnd = Self(rawValue: "unexpected-end")
    /// An LF without the CR the message's other lines have, or the reverse.
    public static let bareLF = Self(rawValue: "bare-lf")
    /// A CR without an LF in a header line.
    public static let bareCR = Self(rawValue: "bare-cr")

    // Headers.

    /// A header line has no colon, or its name is not a token.
    public static let malformedHeader = Self(rawValue: "malformed-header")
    /// Strict mode: a header field is folded over several lines (RFC 9112 §5.2).
    public static let obsoleteFold = Self(rawValue: "obs-fold")
    /// A header has a NUL; in strict mode, any control character.
    public static let invalidHeaderCharacter = Self(rawValue: "invalid-header-character")
    /// Strict mode: a header is not UTF-8.
    public static let invalidUTF8 = Self(rawValue: "invalid-utf8")
    /// A header field that identifies the part occurs twice.
    public static let duplicateHeader = Self(rawValue: "duplicate-header")
    /// Strict mode: a Content-Transfer-Encoding other than 7bit, 8bit or binary (RFC 7578 §4.7).
    public static let unsupportedTransferEncoding = Self(rawValue: "unsupported-transfer-encoding")

    // Content-Disposition.

    /// Strict mode: a part has no Content-Disposition (RFC 7578 §4.2).
    public static let missingContentDisposition = Self(rawValue: "missing-content-disposition")
    /// A Content-Disposition does not follow its grammar (RFC 2183 §2).
    public static let malformedContentDisposition = Self(rawValue: "malformed-content-disposition")
    /// Strict mode: the disposition type is not form-data (RFC 7578 §4.2).
    public static let invalidDispositionType = Self(rawValue: "invalid-disposition-type")
    /// Strict mode: a Content-Disposition has no name (RFC 7578 §4.2).
    public static let missingName = Self(rawValue: "missing-name")
    /// A parameter that identifies the part or frames the message occurs twice.
    public static let duplicateParameter = Self(rawValue: "duplicate-parameter")
    /// Strict mode: an extended parameter such as `filename*` (RFC 7578 §4.2).
    public static let extendedParameterNotAllowed = Self(rawValue: "extended-parameter-not-allowed")

    // Use of a parser.

    /// Bytes came after the parser had been told that the message ends.
    public static let alreadyFinished = Self(rawValue: "already-finished")
    /// The parser was used again after a handler had thrown.
    public static let abandoned = Self(rawValue: "abandoned")

    // Limits.

    /// More parts than ``Limits`` allow.
    public static let limitParts = Self(rawValue: "limit-parts")
    /// More header lines in a part than the limit.
    public static let limitHeaderCount = Self(rawValue: "limit-header-count")
    /// A longer header section, or more padding after a delimiter, than the limit.
    public static let limitHeaderBytes = Self(rawValue: "limit-header-bytes")
    /// A longer part body than the limit.
    public static let limitPartBytes = Self(rawValue: "limit-part-bytes")
    /// A longer message than the limit.
    public static let limitTotalBytes = Self(rawValue: "limit-total-bytes")
    /// A longer preamble than the limit.
    public static let limitPreambleBytes = Self(rawValue: "limit-preamble-bytes")
}

extension MultipartParsingError: CustomStringConvertible {
    /// The fact, the limit and the place: `part 3: header section exceeds 16384 bytes (at offset 20481)`.
    public var description: String {
        let place = partIndex.map { "part \($0): " } ?? ""
        return "\(place)\(fact) (at offset \(offset))"
    }

    /// The fact without its place.
    private var fact: String {
        let limit = limit.map(String.init) ?? "its limit of"
        return switch code {
        case .malformedContentType: "Content-Type does not follow its grammar"
        case .unsupportedMediaType: "media type is not the one expected"
        case .missingBoundary: "Content-Type has no boundary parameter"
        case .invalidBoundary: "boundary is empty, too long, or has a forbidden character"
        case .boundaryNotFound: "no delimiter before the end of the message"
        case .preambleNotAllowed: "message does not begin with the delimiter"
        case .epilogueNotAllowed: "message goes on after its close delimiter"
        case .malformedDelimiter: "line begins with the delimiter and goes on"
        case .unexpectedEnd: "message ends before its close delimiter"
        case .bareLF: "line break differs from that of the other lines"
        case .bareCR: "CR without LF in a header line"
        case .malformedHeader: "header line is not a name, a colon and a value"
        case .obsoleteFold: "header field is folded over several lines"
        case .invalidHeaderCharacter: "forbidden control character in a header"
        case .invalidUTF8: "header is not UTF-8"
        case .duplicateHeader: "header field occurs twice"
        case .unsupportedTransferEncoding: "Content-Transfer-Encoding is not 7bit, 8bit or binary"
        case .missingContentDisposition: "no Content-Disposition"
        case .malformedContentDisposition: "Content-Disposition does not follow its grammar"
        case .invalidDispositionType: "disposition type is not form-data"
        case .missingName: "Content-Disposition has no name"
        case .duplicateParameter: "parameter occurs twice"
        case .extendedParameterNotAllowed: "extended parameter is not allowed"
        case .alreadyFinished: "bytes after the end of the message"
        case .abandoned: "parser was used again after its handler threw"
        case .limitParts: "message has more than \(limit) parts"
        case .limitHeaderCount: "header section has more than \(limit) lines"
        case .limitHeaderBytes: "header section or padding exceeds \(limit) bytes"
        case .limitPartBytes: "part body exceeds \(limit) bytes"
        case .limitTotalBytes: "message exceeds \(limit) bytes"
        case .limitPreambleBytes: "preamble exceeds \(limit) bytes"
        default: code.rawValue
        }
    }
}
