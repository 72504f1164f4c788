#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A complete file that is removed with its last owner, unless it is moved away first.
final class TemporaryFile: @unchecked Sendable {
    // SAFETY: `location` and `isMoved` change only under the lock; the rest is constant and Sendable.
    private var location: SourceFile
    private var isMoved = false
    private let lock = Lock()
    private let fileSystem: FileSystem

    let length: UInt64

    init(at url: URL, _ identity: FileIdentity, length: UInt64, fileSystem: FileSystem) {
        location = SourceFile(url, identity, isNamed: false)
        self.length = length
        self.fileSystem = fileSystem
    }

    deinit {
        if !isMoved { location.identity.remove(at: location.url.path) }
    }

    var url: URL { withLocation { $0.url } }

    /// Calls `body` with the file, which is not moved meanwhile.
    func withLocation<Result, Failure: Error>(
        _ body: (SourceFile) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(location)
    }

    /// Moves the file to a URL at which nothing exists, and keeps it; false if it has been moved before.
    ///
    /// If it throws, the file is where it was.
    func move(to destination: URL, mode: FileMode?) throws(MultipartError) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        guard !isMoved else { return false }
        let path = location.url.path
        var identity = location.identity
        let found = try MultipartError.wrap(.bodyPartInputStreamCreationFailed, try SystemCalls.identity(at: path))
        guard found == identity else { throw MultipartError(.bodyPartFileChanged) }
        do throws(POSIXError) {
            // Before anybody else may read it.
            try AtomicFile.checkVacancy(of: destination.path)
            try rename(path, to: destination.path, mode: mode)
        } catch {
            guard error.code == .otherDevice else {
                throw MultipartError(.outputStreamCreationFailed, writing: destination, error)
            }
            identity = try BodyContent.file(location, length: length).copy(to: destination, mode: mode, fileSystem)
            location.identity.remove(at: path)
        }
        location = SourceFile(destination, identity)
        isMoved = true
        return true
    }

    /// Renames the file with another mode, that of any new file for nil; if it throws, the file is where it was, and for
    /// its owner only.
    private func rename(_ path: String, to newPath: String, mode: FileMode?) throws(POSIXError) {
        let mode = if let mode { mode } else { try AtomicFile.usualMode(beside: newPath) }
        guard mode != FileSystem.privateMode else { return try fileSystem.rename(path, newPath) }
        let file = try fileSystem.open(path)
        do throws(POSIXError) {
            try file.setPermissions(mode)
            try fileSystem.rename(path, newPath)
        } catch {
            try? file.setPermissions(FileSystem.privateMode)
            throw error
        }
    }
}
