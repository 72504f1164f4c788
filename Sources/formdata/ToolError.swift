import MultipartFormCodec

/// The reason why a command fails, with an exit code and one line for standard error.
struct ToolError: Error {
    /// The exit codes of the process, with the numbers of `sysexits.h`.
    enum ExitCode: Int32 {
        case usage = 64
        case malformed = 65
        case noInput = 66
        case cannotCreate = 73
        case inputOutput = 74
    }

    let exitCode: ExitCode
    /// A stable name of the reason, such as `unexpected-end`.
    let code: String
    /// The reason on one line, escaped for a terminal. The line may also name the part and the offset.
    let message: String
    let offset: UInt64?
    let part: Int?

    var members: [String: JSONValue] {
        [
            "code": .text(code), "offset": JSONValue(offset), "part": JSONValue(part.map(UInt64.init)),
            "message": .text(message),
        ]
    }

    init(_ exitCode: ExitCode, _ code: String, _ message: String, offset: UInt64? = nil, part: Int? = nil) {
        self.exitCode = exitCode
        self.code = code
        self.message = TerminalText.escaped(message)
        self.offset = offset
        self.part = part
    }

    /// Creates an error from a failed system call on a file or a standard stream.
    init(_ exitCode: ExitCode, _ code: String, _ reason: String, path: String, _ error: POSIXError) {
        self.init(exitCode, code, "\(reason): \(path) (\(error.systemMessage))")
    }

    init(_ error: any Error) {
        switch error {
        case let error as ToolError:
            self = error
        case let error as MultipartError:
            self.init(error, saying: error.description)
        default:
            self.init(.inputOutput, "input-output", "\(error)")
        }
    }

    /// Creates an error from an error of the library, with `text` in place of the library's description.
    init(_ error: MultipartError, saying text: String) {
        let exitCode = Self.exitCode(for: error.code)
        self.init(exitCode, error.code.description, text, offset: error.offset, part: error.partIndex)
    }

    /// Creates an error about a part that cannot be created, with the index and the name of the part.
    init(_ error: MultipartError, ofPart index: Int, named name: String) {
        let (code, text) = (error.code.description, "part \(index) \"\(name)\": \(error)")
        self.init(Self.exitCode(for: error.code), code, text, part: index)
    }

    static func usage(_ message: String) -> ToolError {
        ToolError(.usage, "usage", message)
    }

    static func opening(_ path: String, _ error: POSIXError) -> ToolError {
        ToolError(.noInput, "cannot-open-input", "input cannot be opened", path: path, error)
    }

    /// Returns the error to throw if the output at `path` cannot be created, for example because `path` is taken.
    static func creating(_ path: String, _ error: POSIXError) -> ToolError {
        error.code == .EEXIST
            ? ToolError(.cannotCreate, "output-exists", "output exists already: \(path)")
            : ToolError(.cannotCreate, "cannot-create-output", "output cannot be created", path: path, error)
    }

    static func writing(_ path: String, _ error: POSIXError) -> ToolError {
        ToolError(.inputOutput, "write-failed", "output cannot be written", path: path, error)
    }

    private static func exitCode(for code: MultipartError.Code) -> ExitCode {
        switch code {
        case .bodyPartURLInvalid, .bodyPartFilenameInvalid, .bodyPartFileNotReachable,
            .bodyPartFileNotReachableWithError, .bodyPartFileIsDirectory, ErrorCode.bodyPartFileIsSpecial,
            .bodyPartFileSizeNotAvailable, .bodyPartFileSizeQueryFailedWithError, .bodyPartFileChanged,
            .bodyPartInputStreamCreationFailed:
            .noInput
        case .inputStreamReadFailed: .inputOutput
        default: .malformed
        }
    }
}
