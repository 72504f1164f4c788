import Foundation
import MultipartForm

/// Why a command ends without success: an exit code and one line for standard error.
struct ToolError: Error {
    /// How the process ends.
    let exitCode: ExitCode

    /// What went wrong, as a stable name such as `unexpected-end`.
    let code: String

    /// The fact and its place, on one line.
    let message: String

    /// The offset in the message, in bytes; nil for errors that have no place in one.
    let offset: UInt64?

    /// The index of the part, from 0; nil outside any part.
    let part: Int?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - exitCode: How the process ends.
    ///   - code: What went wrong.
    ///   - message: The fact; control characters in it are escaped.
    ///   - offset: The offset in the message, in bytes.
    ///   - part: The index of the part, from 0.
    init(_ exitCode: ExitCode, _ code: String, _ message: String, offset: UInt64? = nil, part: Int? = nil) {
        self.exitCode = exitCode
        self.code = code
        self.message = TerminalText.escaped(message)
        self.offset = offset
        self.part = part
    }

    /// A mistake in the command line.
    static func usage(_ message: String) -> ToolError {
        ToolError(.usage, "usage", message)
    }

    /// A recorded HTTP message that cannot be read.
    ///
    /// - Parameters:
    ///   - code: What went wrong.
    ///   - message: The fact.
    ///   - offset: The offset in the recording, in bytes.
    /// - Returns: The error.
    static func recording(_ code: String, _ message: String, offset: UInt64) -> ToolError {
        ToolError(.malformed, code, "\(message) (at offset \(offset) of the recording)", offset: offset)
    }

    /// A message or a Content-Type value that cannot be read.
    init(_ error: MultipartParsingError) {
        self.init(
            .malformed,
            error.code.rawValue,
            error.description,
            offset: error.offset,
            part: error.partIndex
        )
    }

    /// A form that cannot be built or written.
    init(_ error: MultipartEncodingError) {
        self.init(
            Self.exitCode(for: error.reason),
            error.reason.code,
            error.description,
            part: error.partIndex
        )
    }

    /// A failed call of the system on a file.
    ///
    /// - Parameters:
    ///   - exitCode: How the process ends.
    ///   - code: What went wrong.
    ///   - fact: What could not be done.
    ///   - path: The file's path, or a name for a standard stream.
    ///   - error: What the system reported.
    init(_ exitCode: ExitCode, _ code: String, _ fact: String, path: String, _ error: POSIXError) {
        let reason = String(cString: strerror(error.code.rawValue))
        self.init(exitCode, code, "\(fact): \(path) (\(reason))")
    }

    private static func exitCode(for reason: MultipartEncodingError.Reason) -> ExitCode {
        switch reason.code {
        case "invalid-boundary":
            .usage
        case "output-stream-write-failed", "input-stream-read-failed":
            .inputOutput
        case "output-stream-file-already-exists", "output-stream-creation-failed", "output-stream-url-invalid":
            .cannotCreate
        case let code where code.hasPrefix("body-part-") && code != "body-part-length-mismatch":
            .noInput
        default:
            .malformed
        }
    }
}
