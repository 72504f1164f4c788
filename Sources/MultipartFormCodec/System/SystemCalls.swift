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

/// All system calls on files. A function that throws reports the system's error as a `POSIXError`.
///
/// ``retryingOnEINTR(unless:_:)`` repeats a call that a signal has interrupted. `close` is not repeated, because an
/// interrupted `close` has closed the descriptor.
package enum SystemCalls {
    /// Opens a file for reading, and returns its descriptor. Opening a FIFO does not wait for its writer.
    ///
    /// If another program, such as a file server, holds a lease of the file, waits until the program gives up the
    /// lease, but at most for a minute. Linux breaks the lease after 45 seconds, unless the system is configured
    /// otherwise.
    static func openForReading(_ path: String) throws(POSIXError) -> Int32 {
        try intercept(.open, path)
        var checks = 0
        while true {
            do throws(POSIXError) {
                // SAFETY: the path is passed as a C string that lives as long as the call.
                return try retryingOnEINTR { unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
            } catch {
                guard error.code == .EAGAIN, checks < maxLeaseChecks else { throw error }
                checks += 1
                usleep(leaseCheckMicroseconds)
            }
        }
    }

    /// The maximum number of retries while another program holds a lease of the file. The retries last a minute in all.
    private static var maxLeaseChecks: Int { 60_000_000 / Int(leaseCheckMicroseconds) }
    private static var leaseCheckMicroseconds: UInt32 { 10_000 }

    /// Creates a file for writing, and returns its descriptor. The file's mode is `mode` without the bits of
    /// the process's umask. Throws `EEXIST` if something exists at the path.
    static func create(_ path: String, _ mode: FileMode) throws(POSIXError) -> Int32 {
        try intercept(.create, path)
        // SAFETY: the path is passed as a C string that lives as long as the call.
        return try retryingOnEINTR { unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode) }
    }

    /// Closes a descriptor. Always closes it, but may throw the error of an earlier write.
    package static func closeFile(_ descriptor: Int32) throws(POSIXError) {
        guard close(descriptor) == 0 || errno == EINTR else { throw .current }
    }

    /// The maximum number of bytes to read or write in one call. Darwin refuses more.
    private static var maxCount: Int { Int(Int32.max) }

    /// Reads some bytes and returns their count; returns 0 at the end of the file. Waits for the first byte, even if
    /// the descriptor is non-blocking. If a signal interrupts the call, calls `isEnding`: if the result is true, throws
    /// `EINTR`; otherwise repeats the call.
    package static func readBytes(
        _ descriptor: Int32,
        into buffer: UnsafeMutableRawBufferPointer,
        unless isEnding: () -> Bool = { false }
    ) throws(POSIXError) -> Int {
        // SAFETY: the call writes at most `buffer.count` bytes to the buffer.
        try waiting(for: POLLIN, on: descriptor, unless: isEnding) {
            unsafe read(descriptor, buffer.baseAddress, min(buffer.count, maxCount))
        }
    }

    /// Writes all bytes, in several calls if needed. Waits for room, even if the descriptor is non-blocking. If a
    /// signal interrupts a call, calls `isEnding`: if the result is true, throws `EINTR`; otherwise repeats the call.
    package static func writeBytes(
        _ descriptor: Int32,
        _ bytes: Span<UInt8>,
        unless isEnding: () -> Bool = { false }
    ) throws(POSIXError) {
        var rest = bytes
        // Each iteration writes at least one byte, or throws.
        while !rest.isEmpty {
            // SAFETY: the call reads at most `bytes.count` bytes.
            let count = try unsafe rest.withUnsafeBytes { bytes throws(POSIXError) in
                try waiting(for: POLLOUT, on: descriptor, unless: isEnding) {
                    unsafe write(descriptor, bytes.baseAddress, min(bytes.count, maxCount))
                }
            }
            guard count > 0 else { throw POSIXError(.EIO) }
            rest = rest.extracting(count...)
        }
    }

    /// Makes a call that reads or writes. If the call would block, waits until the descriptor is ready, then repeats
    /// the call.
    private static func waiting(
        for event: some BinaryInteger,
        on descriptor: Int32,
        unless isEnding: () -> Bool,
        _ call: () -> Int
    ) throws(POSIXError) -> Int {
        while true {
            do throws(POSIXError) {
                return try retryingOnEINTR(unless: isEnding, call)
            } catch {
                guard error.code == .EAGAIN else { throw error }
                var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
                // SAFETY: the pointer to the request lives as long as the call.
                _ = try retryingOnEINTR(unless: isEnding) { unsafe poll(&request, 1, -1) }
            }
        }
    }

    static func seek(_ descriptor: Int32, toOffset offset: UInt64) throws(POSIXError) {
        guard let offset = off_t(exactly: offset) else { throw POSIXError(.EOVERFLOW) }
        _ = try retryingOnEINTR { lseek(descriptor, offset, SEEK_SET) }
    }

    /// Sets the mode of an open file. The process's umask has no effect.
    static func setMode(_ descriptor: Int32, _ mode: FileMode) throws(POSIXError) {
        try intercept(.fchmod)
        _ = try retryingOnEINTR { fchmod(descriptor, mode) }
    }

    /// Returns the mode of the file at a path. Follows symbolic links.
    static func mode(at path: String) throws(POSIXError) -> FileMode {
        FileMode(try status(at: path).st_mode) & 0o777
    }

    /// Returns the kind of the entry at a path. Follows symbolic links.
    static func kind(at path: String) throws(POSIXError) -> FileType {
        try intercept(.stat, path)
        return kind(try status(at: path))
    }

    /// Returns the identity of the entry at a path. Does not follow a symbolic link.
    static func identity(at path: String) throws(POSIXError) -> FileIdentity {
        identity(try linkStatus(at: path))
    }

    static func identity(of descriptor: Int32) throws(POSIXError) -> FileIdentity {
        try intercept(.fstat)
        return identity(try status(of: descriptor))
    }

    /// Returns the rights of an open file. Reads the owner and the group as numbers only: a name service may need
    /// seconds to return their names.
    static func rights(of descriptor: Int32) throws(POSIXError) -> FileRights {
        let status = try status(of: descriptor)
        return FileRights(
            owner: status.st_uid,
            group: status.st_gid,
            mode: FileMode(status.st_mode) & 0o777,
            accessControl: accessControl(of: descriptor)
        )
    }

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
        // Converts each value, because the widths of the C types differ between systems.
        return FileIdentity(
            device: UInt64(truncatingIfNeeded: status.st_dev),
            inode: UInt64(truncatingIfNeeded: status.st_ino),
            seconds: Int64(time.tv_sec),
            nanoseconds: Int(time.tv_nsec),
            kind: kind(status),
            size: Int64(status.st_size)
        )
    }

    private static func kind(_ status: stat) -> FileType {
        switch mode_t(status.st_mode) & S_IFMT {
        case S_IFREG: .regular
        case S_IFDIR: .directory
        default: .special
        }
    }

    /// Removes the entry at a path. Ignores errors, for instance if nothing exists there.
    static func removeName(_ path: String) {
        // SAFETY: the path is passed as a C string that lives as long as the call.
        _ = try? retryingOnEINTR { unsafe unlink(path) }
    }

    /// Creates a hard link at `newPath` to the file at `path`.
    static func addName(_ newPath: String, toFileAt path: String) throws(POSIXError) {
        try intercept(.link, newPath)
        // SAFETY: the paths are passed as C strings that live as long as the call.
        _ = try retryingOnEINTR { unsafe link(path, newPath) }
    }

    /// Moves the file at `path` to `newPath`, and replaces any file there.
    static func replace(_ newPath: String, by path: String) throws(POSIXError) {
        try intercept(.rename, newPath)
        // SAFETY: the paths are passed as C strings that live as long as the call.
        _ = try retryingOnEINTR { unsafe rename(path, newPath) }
    }

    #if canImport(Darwin)
        /// Moves the file at `path` to `newPath`. Throws `EEXIST` if something exists there.
        static func renameExclusively(_ path: String, to newPath: String) throws(POSIXError) {
            try intercept(.rename, newPath)
            // SAFETY: the paths are passed as C strings that live as long as the call.
            _ = try retryingOnEINTR { unsafe renamex_np(path, newPath, UInt32(RENAME_EXCL)) }
        }
    #endif

    /// Returns whether an error means that the file system does not support a call, or that a security policy forbids
    /// the call.
    static func isUnsupported(_ error: POSIXError) -> Bool {
        [EPERM, EACCES, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK, EINVAL].contains(error.code.rawValue)
    }

    /// Repeats a call as long as a signal interrupts it and `isEnding` returns false.
    ///
    /// On a remote file system, an interrupted call may have taken effect. For instance, the first call may have
    /// created a file, so that the repeated call fails with `EEXIST`.
    ///
    /// - Returns: The result of the call, which is not negative.
    /// - Throws: The system's error; `EINTR` if a signal interrupts the call and `isEnding` returns true.
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
    /// A system call for which a test can simulate an error.
    package enum Call: Sendable {
        case open, create, stat, fstat, fchmod, link, rename
    }

    /// Throws if a test simulates an error. Does nothing in a release build.
    private static func intercept(_ call: Call, _ path: String = "") throws(POSIXError) {
        #if TestHooks
            if let error = interceptor.get()?.decide(call, path) { throw error }
        #endif
    }

    #if TestHooks
        /// A hook that each test sets for its own task. Before each ``Call``, it decides whether the call fails.
        package static let interceptor = TaskLocal<Interceptor?>(wrappedValue: nil)

        /// A function that decides whether a ``Call`` fails.
        // A structure, not a closure: `TaskLocal` needs the metadata of its value's type at run time. A linker may
        // strip the metadata of a closure's type, as happens in the build of `Tests/Fuzz`.
        package struct Interceptor: Sendable {
            /// Returns the error to throw instead of making `call`, or nil to make the call. `path` is empty for
            /// `fstat` and `fchmod`.
            package typealias Decision = @Sendable (_ call: Call, _ path: String) -> POSIXError?

            fileprivate let decide: Decision

            package init(_ decide: @escaping Decision) {
                self.decide = decide
            }
        }
    #endif
}

/// The mode of a file: who may read, write and execute it.
typealias FileMode = mode_t

extension FileMode {
    /// The mode to create an ordinary file with. The system removes the bits of the process's umask from it.
    static let umasked: FileMode = 0o666

    /// The mode of a temporary file: only the file's owner can read and write.
    static let ownerOnly: FileMode = 0o600
}

extension POSIXError {
    /// The error of the system call that has just failed on this thread.
    package static var current: POSIXError {
        POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }

    /// The system's description of the error, such as `No such file or directory`.
    package var systemMessage: String {
        // SAFETY: the text is copied at once, and no other thread changes it: for valid codes, `strerror` returns a
        // constant in glibc, in musl and on supported versions of Darwin.
        unsafe String(cString: strerror(code.rawValue))
    }
}

// Error codes for source files that do not import the C library. Without this import, the names such as `EEXIST` are
// not available.
extension POSIXErrorCode {
    static var alreadyExists: Self { .EEXIST }
    static var invalid: Self { .EINVAL }
    static var isDirectory: Self { .EISDIR }
    static var noEntry: Self { .ENOENT }
    static var otherDevice: Self { .EXDEV }
}
