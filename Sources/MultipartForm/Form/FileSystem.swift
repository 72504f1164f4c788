package import Foundation

/// The file system operations that the library uses; tests replace some by ones that fail.
package struct FileSystem: Sendable {
    /// Returns the file type bits of what exists at a path; throws if it is missing or cannot be reached.
    package var kind: @Sendable (_ path: String) throws(POSIXError) -> mode_t
    /// Opens a file for reading.
    package var open: @Sendable (_ path: String) throws(POSIXError) -> InputFile
    /// Returns the size of an open file in bytes; nil if the system does not report it.
    package var size: @Sendable (_ file: InputFile) throws(POSIXError) -> UInt64?
    /// Creates a file exclusively, with permissions for its owner only.
    package var create: @Sendable (_ path: String) throws(POSIXError) -> OutputFile
    /// Renames a file on the same device to a path at which nothing may exist.
    package var rename: @Sendable (_ path: String, _ newPath: String) throws(POSIXError) -> Void

    /// The system's own.
    package static let system = FileSystem(
        kind: { path throws(POSIXError) in
            var status = stat()
            // SAFETY: the path is passed as a C string, and the status as a pointer, that live as long as the calls.
            guard unsafe stat(path, &status) == 0, unsafe access(path, R_OK) == 0 else { throw .current }
            return mode_t(status.st_mode) & S_IFMT
        },
        open: { path throws(POSIXError) in try InputFile(path: path) },
        size: { file throws(POSIXError) in UInt64(exactly: try file.currentIdentity().size) },
        create: { path throws(POSIXError) in try OutputFile(creating: path, permissions: privateMode) },
        rename: { path, newPath throws(POSIXError) in try ExclusiveRename.perform(path, newPath) }
    )

    /// The mode of temporary files: for their owner only.
    static let privateMode: mode_t = 0o600

    /// The system's directory for temporary files.
    package static var temporaryDirectory: URL {
        let directory = FileManager.default.temporaryDirectory
        #if !canImport(Darwin)
            // An empty `TMPDIR`, as in `TMPDIR= command`, means none, but Foundation takes it for the root.
            // SAFETY: the byte is read at once, and Foundation has just read the variable in the same way.
            if directory.path == "/", unsafe getenv("TMPDIR")?.pointee == 0 {
                return URL(fileURLWithPath: "/tmp", isDirectory: true)
            }
        #endif
        return directory
    }

    /// An unpredictable name: a prefix and 128 bits from the system's random number generator.
    ///
    /// Not a `UUID`: Foundation on Linux makes the same one each time if it cannot open `/dev/urandom`.
    static func temporaryName(prefix: String) -> String {
        let numbers = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }
        return prefix + numbers.joined(separator: "-")
    }
}

extension URL {
    /// Whether this is the URL of a file on this machine: without a host, or with `localhost` (RFC 8089 §2).
    var isLocalFile: Bool {
        isFileURL && ["", "localhost"].contains(host?.lowercased() ?? "")
    }

    /// The text of the URL in an error: a file's path, else the whole URL.
    var errorText: String { isFileURL ? path : absoluteString }
}

extension POSIXError {
    /// The error of the system call that just failed.
    package static var current: POSIXError {
        POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }

    /// The system's description, such as `No such file or directory`.
    var systemMessage: String {
        // SAFETY: the text is copied at once; for valid codes it is a constant in glibc, musl and the supported Darwin.
        unsafe String(cString: strerror(code.rawValue))
    }
}

/// Repeats a system call while signals interrupt it; its result is then not negative.
///
/// On a remote file system an interrupted call may have taken effect, so that what it created exists for the next one.
func retryingOnEINTR<Answer: SignedInteger>(_ call: () -> Answer) throws(POSIXError) -> Answer {
    while true {
        let answer = call()
        if answer >= 0 { return answer }
        guard errno == EINTR else { throw .current }
    }
}
