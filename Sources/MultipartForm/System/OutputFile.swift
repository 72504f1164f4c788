#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A file being written that is removed again unless it is kept. Another file at its path is never removed.
package final class OutputFile {
    private let path: String
    private let descriptor: Int32
    /// The identity when the file was closed; nil while it is open, since on FAT the inode changes with the first byte.
    private var closed: FileIdentity?
    /// Whether whatever is at the path stays there.
    var isKept = false

    /// Creates a file whose mode is narrowed by the process' mask; fails with `EEXIST` if something exists at the path.
    init(creating path: String, permissions: FileMode) throws(POSIXError) {
        descriptor = try SystemCalls.create(path, permissions)
        self.path = path
    }

    deinit {
        // While the file is open, no other file gets its inode.
        if !isKept { try? currentIdentity().remove(at: path) }
        if closed == nil { try? SystemCalls.closeFile(descriptor) }
    }

    private func currentIdentity() throws(POSIXError) -> FileIdentity {
        if let closed { return closed }
        return try SystemCalls.identity(of: descriptor)
    }

    func write(_ bytes: Span<UInt8>) throws(POSIXError) {
        try SystemCalls.writeBytes(descriptor, bytes)
    }

    func permissions() throws(POSIXError) -> FileMode {
        try SystemCalls.mode(of: descriptor)
    }

    /// Sets the file's permissions, regardless of the process' mask.
    func setPermissions(_ permissions: FileMode) throws(POSIXError) {
        try SystemCalls.setMode(descriptor, permissions)
    }

    /// Closes the file, moves it by `rename`, if given, and keeps it.
    ///
    /// - Returns: The file's identity.
    /// - Throws: `POSIXError`: what `rename` throws, a write that the system could not complete, or `ENOENT` if the
    ///   file or its directory has been removed. The file is then removed with its owner.
    func keep(
        renamedBy rename: (_ path: String) throws(POSIXError) -> Void = { _ in }
    ) throws(POSIXError) -> FileIdentity {
        closed = try currentIdentity()
        try SystemCalls.closeFile(descriptor)
        let identity = try checkPlace()
        try rename(path)
        isKept = true
        return identity
    }

    /// Returns the file's current identity; fails with `ENOENT` if it is no longer at its path.
    @discardableResult
    func checkPlace() throws(POSIXError) -> FileIdentity {
        let found = try SystemCalls.identity(at: path)
        guard found.isSameFile(as: try currentIdentity()) else { throw POSIXError(.noEntry) }
        return found
    }
}

extension MultipartError {
    /// The error of an output file: a code, unless something exists at its URL.
    init(_ code: Code, writing url: URL, _ error: POSIXError) {
        let code = error.code == .alreadyExists ? .outputStreamFileAlreadyExists : code
        self.init(code, path: url.path, underlyingError: error)
    }
}
