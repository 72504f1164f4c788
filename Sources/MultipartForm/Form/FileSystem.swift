package import Foundation

/// What the library asks of the file system. Tests put failing answers in its place.
package struct FileSystem: Sendable {
    /// What stands at a path.
    package enum Kind: Sendable {
        /// A file whose bytes can be read from start to end.
        case regular
        /// A directory.
        case directory
        /// A FIFO, a device, a socket.
        case special
    }

    /// The kind of what stands at a path; throws when it is missing or cannot be reached.
    package var kind: @Sendable (_ path: String) throws(POSIXError) -> Kind
    /// Opens a file to read it.
    package var open: @Sendable (_ path: String) throws(POSIXError) -> InputFile
    /// The size of an open file in bytes; nil when the system does not tell.
    package var size: @Sendable (_ file: InputFile) throws(POSIXError) -> UInt64?
    /// Creates a file exclusively, to be written by its owner only.
    package var create: @Sendable (_ path: String) throws(POSIXError) -> OutputFile
    /// Gives a file another path on the same device, where nothing may stand.
    package var rename: @Sendable (_ path: String, _ newPath: String) throws(POSIXError) -> Void

    /// Creates a file system from its functions.
    package init(
        kind: @escaping @Sendable (_ path: String) throws(POSIXError) -> Kind,
        open: @escaping @Sendable (_ path: String) throws(POSIXError) -> InputFile,
        size: @escaping @Sendable (_ file: InputFile) throws(POSIXError) -> UInt64?,
        create: @escaping @Sendable (_ path: String) throws(POSIXError) -> OutputFile,
        rename: @escaping @Sendable (_ path: String, _ newPath: String) throws(POSIXError) -> Void
    ) {
        self.kind = kind
        self.open = open
        self.size = size
        self.create = create
        self.rename = rename
    }

    /// The machine's own.
    package static let system = FileSystem(
        kind: { path throws(POSIXError) in
            var status = stat()
            // SAFETY: the path is passed as a C string, and the status as a pointer, that live as long as the calls.
            guard unsafe stat(path, &status) == 0, unsafe access(path, R_OK) == 0 else { throw .current }
            return Kind(mode: status.st_mode)
        },
        open: { path throws(POSIXError) in try InputFile(path: path) },
        size: { file throws(POSIXError) in UInt64(exactly: try file.currentIdentity().size) },
        create: { path throws(POSIXError) in try OutputFile(creating: path, permissions: privateMode) },
        rename: { path, newPath throws(POSIXError) in try ExclusiveRename.perform(path, newPath) }
    )

    /// The mode of temporary files: for their owner only.
    package static let privateMode: mode_t = 0o600

    /// Where temporary files go unless the caller says: the system's directory for them.
    package static var temporaryDirectory: URL {
        let directory = FileManager.default.temporaryDirectory
        #if !canImport(Darwin)
            // An empty `TMPDIR`, as of `TMPDIR= command`, means none. Foundation takes it for the root.
            // SAFETY: the byte is read at once; Foundation has just read the variable in the same way.
            if directory.path == "/", unsafe getenv("TMPDIR")?.pointee == 0 {
                return URL(fileURLWithPath: "/tmp", isDirectory: true)
            }
        #endif
        return directory
    }
}

extension URL {
    /// Whether this is the URL of a file on this machine: without a host, or with `localhost` (RFC 8089 §2).
    package var isLocalFile: Bool {
        isFileURL && ["", "localhost"].contains(host(percentEncoded: false)?.lowercased() ?? "")
    }

    /// What an error says for the URL: a file's path, or else the whole URL.
    var errorText: String { isFileURL ? path : absoluteString }
}

extension FileSystem.Kind {
    /// The kind that a status' mode tells.
    init(mode: mode_t) {
        switch mode & S_IFMT {
        case S_IFREG: self = .regular
        case S_IFDIR: self = .directory
        default: self = .special
        }
    }
}

extension POSIXError {
    /// The error of the system call that just failed.
    package static var current: POSIXError {
        POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }

    /// What the system calls it, such as `No such file or directory`.
    var systemMessage: String {
        // SAFETY: the text is copied at once. For the codes there are it is a constant, in glibc, in musl and in the
        // Darwin of the platforms that are supported.
        unsafe String(cString: strerror(code.rawValue))
    }
}

/// Makes a system call, and again as long as a signal interrupts it.
///
/// On a remote file system an interrupted call may have had its effect: what it created then exists for the next one.
///
/// - Returns: What the call returns, which is not negative.
func uninterrupted<Answer: SignedInteger>(_ call: () -> Answer) throws(POSIXError) -> Answer {
    while true {
        let answer = call()
        if answer >= 0 { return answer }
        guard errno == EINTR else { throw .current }
    }
}
