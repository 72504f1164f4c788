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
    /// The size of a file in bytes; nil when the system does not tell.
    package var size: @Sendable (_ path: String) throws(POSIXError) -> UInt64?
    /// Opens a file to read it.
    package var open: @Sendable (_ path: String) throws(POSIXError) -> InputFile
    /// Creates a file exclusively, to be written by its owner only.
    package var create: @Sendable (_ path: String) throws(POSIXError) -> OutputFile
    /// Gives a file a second name, where nothing may stand.
    package var link: @Sendable (_ path: String, _ newPath: String) throws(POSIXError) -> Void

    /// Creates a file system from its functions.
    package init(
        kind: @escaping @Sendable (_ path: String) throws(POSIXError) -> Kind,
        size: @escaping @Sendable (_ path: String) throws(POSIXError) -> UInt64?,
        open: @escaping @Sendable (_ path: String) throws(POSIXError) -> InputFile,
        create: @escaping @Sendable (_ path: String) throws(POSIXError) -> OutputFile,
        link: @escaping @Sendable (_ path: String, _ newPath: String) throws(POSIXError) -> Void
    ) {
        self.kind = kind
        self.size = size
        self.open = open
        self.create = create
        self.link = link
    }

    /// The machine's own.
    package static let system = FileSystem(
        kind: { path throws(POSIXError) in
            let status = try status(path)
            // SAFETY: the path is passed as a C string that lives as long as the call.
            guard unsafe access(path, R_OK) == 0 else { throw .current }
            return Kind(mode: status.st_mode)
        },
        size: { path throws(POSIXError) in UInt64(exactly: try status(path).st_size) },
        open: { path throws(POSIXError) in try InputFile(path: path) },
        create: { path throws(POSIXError) in try OutputFile(creating: path, permissions: 0o600) },
        link: { path, newPath throws(POSIXError) in
            _ = try uninterrupted { unsafe Foundation.link(path, newPath) }
        }
    )

    private static func status(_ path: String) throws(POSIXError) -> stat {
        var status = stat()
        // SAFETY: the path is passed as a C string that lives as long as the call.
        guard unsafe stat(path, &status) == 0 else { throw .current }
        return status
    }
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
