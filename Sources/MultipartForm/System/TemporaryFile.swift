#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A complete file that is removed with its last owner, unless it is moved away first.
final class TemporaryFile: @unchecked Sendable {
    // SAFETY: `location` is accessed only under its lock, and `isMoved` only under that of moving, or by the last
    // owner; the rest is constant and Sendable.
    private var location: SourceFile
    private var isMoved = false
    private let lock = Lock()
    /// Held during a move, which may copy the file; meanwhile, others can read it where it was.
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
            // An empty `TMPDIR`, as in `TMPDIR= command`, means none, but Foundation takes it for the root.
            if directory.path == "/", ProcessInfo.processInfo.environment["TMPDIR"] == "" {
                return URL(fileURLWithPath: "/tmp", isDirectory: true)
            }
        #endif
        return directory
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

    /// Moves the file to a URL where nothing exists, and keeps it; false if it was moved before.
    ///
    /// If it throws, the file stays where it was. A file that cannot be renamed is copied, which can be cancelled.
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

/// A temporary file being written, in large pieces; removed again unless it is finished.
struct TemporaryFileWriter {
    var pieces: PieceWriter
    private let url: URL

    /// Creates a file with an unpredictable name, in the system's directory unless another is given.
    init(in directory: URL?, prefix: String, pieceSize: Int = PieceWriter.blockingSize) throws(POSIXError) {
        let directory = directory ?? TemporaryFile.directory
        guard directory.isLocalFile else { throw POSIXError(.invalid) }
        url = directory.appendingPathComponent(NewFile.randomName(prefix: prefix), isDirectory: false)
        pieces = PieceWriter(try NewFile(at: url.path, mode: .ownerOnly), pieceSize: pieceSize)
    }

    /// Completes the file; it may block the thread. No write may be under way.
    mutating func finish() throws(POSIXError) -> TemporaryFile {
        try pieces.flush()
        return TemporaryFile(at: url, try pieces.file.finish(), length: pieces.length)
    }
}
