#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#endif

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The system calls of the library: all platform-specific file operations.
///
/// A call that a signal interrupts is repeated, as long as the program need not end. A call that fails throws the
/// system's error.
package enum SystemCalls {
    /// Opens a file for reading. Opening a FIFO does not wait for its writer.
    static func openForReading(_ path: String) throws(POSIXError) -> Int32 {
        try intercept(.open, path)
        // SAFETY: the path is passed as a C string that lives as long as the call.
        return try retryingOnEINTR { unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    }

    /// Creates a file for writing, at a path where nothing exists. The process' mask (umask) narrows the mode.
    static func create(_ path: String, _ mode: FileMode) throws(POSIXError) -> Int32 {
        try intercept(.create, path)
        // SAFETY: the path is passed as a C string that lives as long as the call.
        return try retryingOnEINTR { unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode) }
    }

    /// Closes a file. If this throws, for instance because bytes could not be written, the file is closed all the same.
    package static func closeFile(_ descriptor: Int32) throws(POSIXError) {
        guard close(descriptor) == 0 || errno == EINTR else { throw .current }
    }

    /// The maximum number of bytes to read or write in one call; Darwin accepts no more.
    private static var maxCount: Int { Int(Int32.max) }

    /// Reads some bytes; returns their number, which is 0 at the end of the file.
    package static func readBytes(
        _ descriptor: Int32,
        into buffer: UnsafeMutableRawBufferPointer,
        unless isEnding: () -> Bool = { false }
    ) throws(POSIXError) -> Int {
        // SAFETY: the buffer's own bounds are passed on.
        try retryingOnEINTR(unless: isEnding) {
            unsafe read(descriptor, buffer.baseAddress, min(buffer.count, maxCount))
        }
    }

    /// Writes all bytes.
    package static func writeBytes(
        _ descriptor: Int32,
        _ bytes: Span<UInt8>,
        unless isEnding: () -> Bool = { false }
    ) throws(POSIXError) {
        var rest = bytes
        // Each pass writes at least one byte or throws.
        while !rest.isEmpty {
            // SAFETY: the span's own bounds are passed on.
            let count = try unsafe rest.withUnsafeBytes { bytes throws(POSIXError) in
                try retryingOnEINTR(unless: isEnding) {
                    unsafe write(descriptor, bytes.baseAddress, min(bytes.count, maxCount))
                }
            }
            guard count > 0 else { throw POSIXError(.EIO) }
            rest = rest.extracting(count...)
        }
    }

    static func seek(_ descriptor: Int32, toOffset offset: UInt64) throws(POSIXError) {
        guard let offset = off_t(exactly: offset) else { throw POSIXError(.EOVERFLOW) }
        _ = try retryingOnEINTR { lseek(descriptor, offset, SEEK_SET) }
    }

    /// Sets a file's mode, regardless of the process' mask.
    static func setMode(_ descriptor: Int32, _ mode: FileMode) throws(POSIXError) {
        _ = try retryingOnEINTR { fchmod(descriptor, mode) }
    }

    /// The permissions of an open file.
    static func mode(of descriptor: Int32) throws(POSIXError) -> FileMode {
        FileMode(try status(of: descriptor).st_mode) & 0o777
    }

    /// The permissions of the file at a path, after following links.
    static func mode(at path: String) throws(POSIXError) -> FileMode {
        FileMode(try status(at: path).st_mode) & 0o777
    }

    /// The kind of what exists at a path, after following links.
    static func kind(at path: String) throws(POSIXError) -> FileKind {
        try intercept(.stat, path)
        return kind(try status(at: path))
    }

    /// The identity of what exists at a path, without following a link.
    static func identity(at path: String) throws(POSIXError) -> FileIdentity {
        identity(try linkStatus(at: path))
    }

    static func identity(of descriptor: Int32) throws(POSIXError) -> FileIdentity {
        try intercept(.fstat)
        return identity(try status(of: descriptor))
    }

    /// Whether two files have the same owner, group and access-control list; false if the lists cannot be compared.
    ///
    /// Compares all extended attributes, because on Linux these include the access-control list, and the label of a
    /// security module.
    static func haveSameRights(_ path: String, and other: String) throws(POSIXError) -> Bool {
        let (status, otherStatus) = (try linkStatus(at: path), try linkStatus(at: other))
        guard status.st_uid == otherStatus.st_uid, status.st_gid == otherStatus.st_gid else { return false }
        #if canImport(Darwin)
            // On Darwin, the lists are not extended attributes, so a file with a list counts as different.
            guard !hasAccessControlList(path), !hasAccessControlList(other) else { return false }
        #endif
        do {
            return try extendedAttributes(at: path) == extendedAttributes(at: other)
        } catch {
            return false
        }
    }

    // Reads them with Foundation, because Swift's modules of the C libraries for Linux lack `getxattr`.
    private static func extendedAttributes(at path: String) throws -> [String: Data] {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return attributes[FileAttributeKey(rawValue: "NSFileExtendedAttributes")] as? [String: Data] ?? [:]
    }

    #if canImport(Darwin)
        private static func hasAccessControlList(_ path: String) -> Bool {
            // SAFETY: the path is passed as a C string that lives as long as the call.
            guard let list = unsafe acl_get_file(path, ACL_TYPE_EXTENDED) else { return false }
            // SAFETY: the list was made by the call before, and is not used afterwards.
            unsafe acl_free(UnsafeMutableRawPointer(list))
            return true
        }
    #endif

    private static func linkStatus(at path: String) throws(POSIXError) -> stat {
        var status = stat()
        // SAFETY: the C string of the path and the pointer to the status live as long as the call.
        _ = try retryingOnEINTR { unsafe lstat(path, &status) }
        return status
    }

    private static func status(of descriptor: Int32) throws(POSIXError) -> stat {
        var status = stat()
        // SAFETY: the pointer to the status lives as long as the call.
        _ = try retryingOnEINTR { unsafe fstat(descriptor, &status) }
        return status
    }

    private static func status(at path: String) throws(POSIXError) -> stat {
        var status = stat()
        // SAFETY: the C string of the path and the pointer to the status live as long as the call.
        _ = try retryingOnEINTR { unsafe stat(path, &status) }
        return status
    }

    private static func identity(_ status: stat) -> FileIdentity {
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        // The types of these fields differ in width between systems, so all are converted.
        return FileIdentity(
            device: UInt64(truncatingIfNeeded: status.st_dev),
            inode: UInt64(truncatingIfNeeded: status.st_ino),
            seconds: Int64(time.tv_sec),
            nanoseconds: Int(time.tv_nsec),
            kind: kind(status),
            size: Int64(status.st_size)
        )
    }

    private static func kind(_ status: stat) -> FileKind {
        switch mode_t(status.st_mode) & S_IFMT {
        case S_IFREG: .regular
        case S_IFDIR: .directory
        default: .special
        }
    }

    /// Removes a name, if it exists.
    static func removeName(_ path: String) {
        // SAFETY: the path is passed as a C string that lives as long as the call.
        _ = try? retryingOnEINTR { unsafe unlink(path) }
    }

    /// Gives a file a second name, a hard link.
    static func addName(_ newPath: String, toFileAt path: String) throws(POSIXError) {
        try intercept(.link, newPath)
        // SAFETY: the paths are passed as C strings that live as long as the call.
        _ = try retryingOnEINTR { unsafe link(path, newPath) }
    }

    /// Moves a file to a path, and replaces what exists there.
    static func replace(_ newPath: String, by path: String) throws(POSIXError) {
        try intercept(.rename, newPath)
        // SAFETY: the paths are passed as C strings that live as long as the call.
        _ = try retryingOnEINTR { unsafe rename(path, newPath) }
    }

    #if canImport(Darwin)
        /// Moves a file to a path where nothing exists.
        static func renameExclusively(_ path: String, to newPath: String) throws(POSIXError) {
            try intercept(.rename, newPath)
            // SAFETY: the paths are passed as C strings that live as long as the call.
            _ = try retryingOnEINTR { unsafe renamex_np(path, newPath, UInt32(RENAME_EXCL)) }
        }
    #endif

    /// Whether a call failed because the file system, or a policy of the system, does not support it.
    static func isUnsupported(_ error: POSIXError) -> Bool {
        [EPERM, EACCES, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK, EINVAL].contains(error.code.rawValue)
    }

    /// Repeats a call while signals interrupt it and `isEnding` returns false. Returns the result, which is not
    /// negative, or throws the system's error.
    ///
    /// On a remote file system, an interrupted call may have taken effect. The repeated call then finds what the first
    /// one created.
    package static func retryingOnEINTR<Answer: SignedInteger>(
        unless isEnding: () -> Bool = { false },
        _ call: () -> Answer
    ) throws(POSIXError) -> Answer {
        while true {
            let answer = call()
            if answer >= 0 { return answer }
            guard errno == EINTR, !isEnding() else { throw .current }
        }
    }
}

extension SystemCalls {
    /// A call into which tests inject failures.
    package enum Call: Sendable {
        case open, create, stat, fstat, link, rename
    }

    /// Decides before each of these calls whether it fails. Only tests set it, each for its own task.
    package static let interceptor = TaskLocal<Interceptor?>(wrappedValue: nil)

    // The closure is wrapped in a structure, because linkers may strip what the type of a closure needs at run time
    // (`Tests/Fuzz`).
    package struct Interceptor: Sendable {
        /// Takes a call and its path, empty for `fstat`; returns the error to throw, or nil to make the call.
        package typealias Decision = @Sendable (_ call: Call, _ path: String) -> POSIXError?

        fileprivate let decide: Decision

        package init(_ decide: @escaping Decision) {
            self.decide = decide
        }
    }

    private static func intercept(_ call: Call, _ path: String = "") throws(POSIXError) {
        if let error = interceptor.get()?.decide(call, path) { throw error }
    }
}

/// The permissions of a file.
typealias FileMode = mode_t

extension FileMode {
    /// The mode of files that the program names. As for any file, the process' mask narrows it.
    static let umasked: FileMode = 0o666

    /// The mode of temporary files.
    static let ownerOnly: FileMode = 0o600
}

extension POSIXError {
    /// The error of the system call that just failed.
    package static var current: POSIXError {
        POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }

    /// The system's description, such as `No such file or directory`.
    package var systemMessage: String {
        // SAFETY: the text is copied at once; for valid codes it is a constant in glibc, musl and the supported Darwin.
        unsafe String(cString: strerror(code.rawValue))
    }
}

// Names of codes for source files that do not import the C library: the enumeration's own cases, such as `EEXIST`, come
// from that library.
extension POSIXErrorCode {
    static var alreadyExists: Self { .EEXIST }
    static var invalid: Self { .EINVAL }
    static var isDirectory: Self { .EISDIR }
    static var noEntry: Self { .ENOENT }
    static var otherDevice: Self { .EXDEV }
}
