package import Foundation

/// A complete file that is removed with its last owner, unless it is moved away first.
package final class TemporaryFile: @unchecked Sendable {
    // SAFETY: `location` and `isMoved` change under the lock only; the rest is constant and Sendable.
    private var location: SourceFile
    private var isMoved = false
    private let lock = NSLock()
    private let fileSystem: FileSystem

    /// The file's length in bytes.
    package let length: UInt64

    /// Takes over a file.
    package init(at url: URL, _ identity: FileIdentity, length: UInt64, fileSystem: FileSystem = .system) {
        location = SourceFile(url, identity, isNamed: false)
        self.length = length
        self.fileSystem = fileSystem
    }

    deinit {
        if !isMoved { location.identity.remove(at: location.url.path) }
    }

    /// Where the file is now.
    package var url: URL {
        withLocation { $0.url }
    }

    /// Looks at the file, which is not moved meanwhile.
    func withLocation<Result, Failure: Error>(
        _ body: (SourceFile) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(location)
    }

    /// Moves the file to where nothing stands; from then on it stays.
    ///
    /// - Parameters:
    ///   - destination: A file URL.
    ///   - mode: The permissions it gets.
    /// - Returns: False if the file has been moved before, and was left alone.
    /// - Throws: ``MultipartError``; the file is then where it was.
    package func move(to destination: URL, mode: mode_t) throws(MultipartError) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        guard !isMoved else { return false }
        var identity = location.identity
        try checkIdentity()
        do throws(POSIXError) {
            if mode != FileSystem.privateMode { try fileSystem.open(location.url.path).setPermissions(mode) }
            try fileSystem.rename(location.url.path, destination.path)
        } catch {
            guard error.code == .EXDEV else { throw MultipartError(creating: destination, failedBy: error) }
            identity = try BodyContent.file(location, length: length).copy(to: destination, mode: mode, fileSystem)
            location.identity.remove(at: location.url.path)
        }
        location = SourceFile(destination, identity)
        isMoved = true
        return true
    }

    /// Fails if another file has taken the path, or the file has changed.
    private func checkIdentity() throws(MultipartError) {
        let found: FileIdentity
        do {
            found = try FileIdentity(at: location.url.path)
        } catch {
            throw MultipartError(.bodyPartInputStreamCreationFailed, underlying: error)
        }
        guard found == location.identity else { throw MultipartError(.bodyPartFileChanged) }
    }
}
