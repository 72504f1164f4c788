#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A temporary file. The deinitializer removes the complete file, unless it has been saved.
///
/// The file can be read only when it is complete. If it is never completed, the object that writes it removes it.
final class TemporaryFile: @unchecked Sendable {
    // SAFETY: `location` and `isSaved` are accessed only under `lock`. The deinitializer reads them without the lock,
    // because no other reference exists. The other properties are constant and Sendable.
    /// Where the file is; nil until it is complete.
    private var location: CheckedFile?
    /// Whether the program has saved the file: the file has been moved, or a copy has replaced it.
    private var isSaved = false
    private let lock = Lock()

    let length: UInt64

    /// Creates an object for a file of `length` bytes that is still to be written.
    init(length: UInt64) {
        self.length = length
    }

    deinit {
        if let location, !isSaved { location.identity.remove(at: location.url.path) }
    }

    /// Creates a file in `directory`, with a name of `prefix` and an unpredictable suffix. If `directory` is nil, uses
    /// the system's directory for temporary files.
    static func create(in directory: URL?, prefix: String) throws(POSIXError) -> (file: NewFile, url: URL) {
        let directory = directory ?? Self.directory
        guard directory.isLocalFile else { throw POSIXError(.invalid) }
        let url = directory.appendingPathComponent(NewFile.randomName(prefix: prefix), isDirectory: false)
        return (try NewFile(at: url.path, mode: .ownerOnly), url)
    }

    /// Takes over a complete file.
    func complete(at url: URL, _ identity: FileIdentity) {
        lock.withLock { location = CheckedFile(url, identity, isNamed: false) }
    }

    /// The system's directory for temporary files.
    static var directory: URL {
        let directory = FileManager.default.temporaryDirectory
        #if !canImport(Darwin)
            // An empty `TMPDIR`, as in `TMPDIR= command`, must count as no `TMPDIR`. But Foundation takes it for the
            // root directory.
            if directory.path == "/", ProcessInfo.processInfo.environment["TMPDIR"] == "" {
                return URL(fileURLWithPath: "/tmp", isDirectory: true)
            }
        #endif
        return directory
    }

    var url: URL { withLocation { $0.url } }

    /// Calls `body` with the file. The file is not moved during the call.
    func withLocation<Result, Failure: Error>(
        _ body: (CheckedFile) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(completeLocation)
    }

    /// Where the file is. Call it under the lock.
    private var completeLocation: CheckedFile {
        guard let location else { preconditionFailure("a temporary file is read only when it is complete") }
        return location
    }

    /// Moves the file to `destination`, and keeps it there. `file` is a new file in the directory of `destination`. The
    /// moved file takes the place of `file`, and gets its mode.
    ///
    /// - Returns: False if the file has been saved before, or if it must be copied; see ``NewFile/move(_:from:to:)``.
    /// - Throws: ``MultipartError``. The file can still be read, and is still temporary.
    func move(to destination: URL, inPlaceOf file: NewFile) throws(MultipartError) -> Bool {
        try lock.withLock { () throws(MultipartError) in
            guard !isSaved else { return false }
            let location = completeLocation
            let opened = try location.open()
            var path = location.url.path
            do throws(POSIXError) {
                isSaved = try file.move(opened, from: &path, to: destination.path)
                if isSaved { self.location = CheckedFile(destination, location.identity) }
                return isSaved
            } catch {
                let url = URL(fileURLWithPath: path, isDirectory: false)
                self.location = CheckedFile(url, location.identity, isNamed: false)
                throw MultipartError(.outputStreamCreationFailed, writing: destination, error)
            }
        }
    }

    /// Removes the file. From then on, the content is read from a copy. Changes nothing if the file has been saved
    /// before.
    ///
    /// - Parameters:
    ///   - destination: The URL of the copy.
    ///   - identity: The identity of the copy.
    func giveWay(toCopyAt destination: URL, _ identity: FileIdentity) {
        lock.withLock {
            guard !isSaved else { return }
            let temporary = completeLocation
            temporary.identity.remove(at: temporary.url.path)
            location = CheckedFile(destination, identity)
            isSaved = true
        }
    }
}
