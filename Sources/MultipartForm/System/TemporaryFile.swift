#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A complete file, which is removed when its last owner releases it, except if it has been moved.
final class TemporaryFile: @unchecked Sendable {
    // SAFETY: `location` is accessed only under `lock`, and `isMoved` only under `moving`; the deinitializer, which has
    // the only reference, reads both without a lock. The rest is constant and Sendable.
    private var location: SourceFile
    private var isMoved = false
    private let lock = Lock()
    /// Held during a move, which may take long, since it may copy the file. Meanwhile, others can read the file where
    /// it was.
    private let moving = Lock()

    let length: UInt64

    init(at url: URL, _ identity: FileIdentity, length: UInt64) {
        location = SourceFile(url, identity, isNamed: false)
        self.length = length
    }

    deinit {
        if !isMoved { location.identity.remove(at: location.url.path) }
    }

    /// The system's directory for temporary files.
    static var directory: URL {
        let directory = FileManager.default.temporaryDirectory
        #if !canImport(Darwin)
            // An empty `TMPDIR`, as in `TMPDIR= command`, means that there is none, but Foundation takes it for the
            // root directory.
            if directory.path == "/", ProcessInfo.processInfo.environment["TMPDIR"] == "" {
                return URL(fileURLWithPath: "/tmp", isDirectory: true)
            }
        #endif
        return directory
    }

    var url: URL { withLocation { $0.url } }

    /// Calls `body` with the file, which is not moved during the call.
    func withLocation<Result, Failure: Error>(
        _ body: (SourceFile) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(location)
    }

    /// Moves the file to a URL where nothing exists, and keeps it there; returns false if it was moved before.
    ///
    /// If it throws, the file stays where it was. If the file cannot be renamed, it is copied, and the copy can be
    /// cancelled.
    func move(
        to destination: URL,
        mode: FileMode?,
        _ cancellation: Cancellation?
    ) throws(MultipartError) -> Bool {
        moving.lock()
        defer { moving.unlock() }
        guard !isMoved else { return false }
        let source = withLocation(\.self)
        let path = source.url.path
        let found = try MultipartError.wrap(.bodyPartInputStreamCreationFailed, try SystemCalls.identity(at: path))
        guard found == source.identity else { throw MultipartError(.bodyPartFileChanged) }
        let file = try NewFile(beside: destination, mode: mode)
        if try !rename(path, to: destination, inPlaceOf: file) {
            let identity = try source.copy(to: file, at: destination, cancellation)
            lock.lock()
            defer { lock.unlock() }
            source.identity.remove(at: path)
            location = SourceFile(destination, identity)
        }
        isMoved = true
        return true
    }

    /// Renames the file; false if it has to be copied.
    private func rename(_ path: String, to destination: URL, inPlaceOf file: NewFile) throws(MultipartError) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        do throws(POSIXError) {
            guard try file.move(path, to: destination.path) else { return false }
            location = SourceFile(destination, location.identity)
            return true
        } catch {
            throw MultipartError(.outputStreamCreationFailed, writing: destination, error)
        }
    }
}

/// Writes a temporary file in large pieces. A file that is not finished is removed again.
struct TemporaryFileWriter {
    var pieces: PieceWriter
    private let url: URL

    /// Creates a file with an unpredictable name in `directory` or, if that is nil, in the system's directory for
    /// temporary files.
    init(in directory: URL?, prefix: String, pieceSize: Int = PieceWriter.blockingSize) throws(POSIXError) {
        let directory = directory ?? TemporaryFile.directory
        guard directory.isLocalFile else { throw POSIXError(.invalid) }
        url = directory.appendingPathComponent(NewFile.randomName(prefix: prefix), isDirectory: false)
        pieces = PieceWriter(try NewFile(at: url.path, mode: .ownerOnly), pieceSize: pieceSize)
    }

    /// Completes the file. This may block the thread; no other write may be under way.
    mutating func finish() throws(POSIXError) -> TemporaryFile {
        try pieces.flush()
        return TemporaryFile(at: url, try pieces.file.finish(), length: pieces.length)
    }
}
