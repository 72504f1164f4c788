package import Foundation

/// A complete file that is removed with its last owner, unless it is moved away first.
package final class TemporaryFile: @unchecked Sendable {
    // SAFETY: `location` and `isMoved` change under the lock only; the rest is constant and Sendable.
    private var location: URL
    private var isMoved = false
    private let lock = NSLock()
    private let fileSystem: FileSystem

    /// The file's length in bytes.
    package let length: UInt64

    /// Takes over a file.
    package init(at url: URL, length: UInt64, fileSystem: FileSystem = .system) {
        location = url
        self.length = length
        self.fileSystem = fileSystem
    }

    deinit {
        // SAFETY: the path is passed as a C string that lives as long as the call.
        if !isMoved { unsafe unlink(location.path) }
    }

    /// Where the file is now.
    package var url: URL {
        lock.lock()
        defer { lock.unlock() }
        return location
    }

    /// Opens the file to read it, wherever it is.
    package func open(_ fileSystem: FileSystem) throws(POSIXError) -> InputFile {
        lock.lock()
        defer { lock.unlock() }
        return try fileSystem.open(location.path)
    }

    /// Moves the file to where nothing stands; from then on it stays.
    ///
    /// - Parameter destination: A file URL.
    /// - Returns: False if the file has been moved before, and was left alone.
    /// - Throws: ``MultipartEncodingError``; the file is then where it was.
    package func move(to destination: URL) throws(MultipartEncodingError) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        guard !isMoved else { return false }
        do {
            // Renaming would overwrite what stands there.
            try fileSystem.link(location.path, destination.path)
        } catch {
            guard Self.needsCopy(error) else { throw MultipartEncodingError(creating: destination, failedBy: error) }
            try BodyContent.file(location, length: length).copy(to: destination, fileSystem)
        }
        // SAFETY: the path is passed as a C string that lives as long as the call.
        unsafe unlink(location.path)
        location = destination
        isMoved = true
        return true
    }

    /// Whether a link was refused because the destination is on another device, or on one without links.
    private static func needsCopy(_ error: POSIXError) -> Bool {
        [EXDEV, EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(error.code.rawValue)
    }
}
