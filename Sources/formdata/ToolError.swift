import MultipartForm

/// Why a command ends without success: an exit code and one line for standard error.
struct ToolError: Error {
    /// How the process ends, in the numbers of `sysexits.h`; the help explains them.
    enum ExitCode: Int32 {
        case usage = 64
        case malformed = 65
        case noInput = 66
        case cannotCreate = 73
        case inputOutput = 74
    }

    let exitCode: ExitCode
    /// What went wrong, as a stable name such as `unexpected-end`.
    let code: String
    /// The reason and its place, on one line; control characters are escaped.
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

    /// Creates the error of a system call on a file, at a path or a standard stream.
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

    /// Creates an error from one of the library, with other words.
    init(_ error: MultipartError, saying text: String) {
        let exitCode = Self.exitCode(for: error.code)
        self.init(exitCode, error.code.description, text, offset: error.offset, part: error.partIndex)
    }

    /// Creates the error of a part that is not in a form yet, as a form would report it.
    init(_ error: MultipartError, ofPart index: Int, named name: String) {
        let (code, text) = (error.code.description, "part \(index) \"\(name)\": \(error)")
        self.init(Self.exitCode(for: error.code), code, text, part: index)
    }

    static func usage(_ message: String) -> ToolError {
        ToolError(.usage, "usage", message)
    }

    /// The error of an output that cannot be created, or whose path is taken.
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
