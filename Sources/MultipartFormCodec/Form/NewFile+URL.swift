#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// Operations that take the URL of the file, and throw a `MultipartError` with the file's path.
extension NewFile {
    /// Creates a file in the directory of `url`, for a later move to `url`. Throws if `url` does not name a file on
    /// this machine, or if something exists there.
    convenience init(beside url: URL, mode: FileMode? = nil) throws(MultipartError) {
        guard url.isLocalFile else { throw MultipartError(.outputStreamURLInvalid, path: url.errorText) }
        do throws(POSIXError) {
            try self.init(beside: url.path, mode: mode)
        } catch {
            throw MultipartError(.outputStreamCreationFailed, writing: url, error)
        }
    }

    func write(_ bytes: Span<UInt8>, for url: URL) throws(MultipartError) {
        try MultipartError.wrap(.outputStreamWriteFailed, path: url.path, try write(bytes))
    }

    /// Closes the file, moves it to `url`, and returns its identity.
    @discardableResult
    func finish(at url: URL) throws(MultipartError) -> FileIdentity {
        do throws(POSIXError) {
            return try finish(at: url.path)
        } catch {
            throw MultipartError(.outputStreamWriteFailed, writing: url, error)
        }
    }
}

extension MultipartError {
    /// Creates the error of writing a file at `url`: `outputStreamFileAlreadyExists` if `error` is `EEXIST`, otherwise
    /// `code`.
    init(_ code: Code, writing url: URL, _ error: POSIXError) {
        let code = error.code == .alreadyExists ? .outputStreamFileAlreadyExists : code
        self.init(code, path: url.path, underlyingError: error)
    }
}

// The mode of a file that the program saves.
extension FileMode {
    /// Creates a mode from permissions that the program has chosen; traps if they are outside the range 0 to 0o777.
    init(permissions: Int) {
        precondition(0...0o777 ~= permissions, "permissions are 0 to 0o777, written in octal")
        self = FileMode(permissions)
    }
}
