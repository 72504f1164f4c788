#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A complete temporary file. The deinitializer removes it, unless it has been moved.
final class TemporaryFile: @unchecked Sendable {
    // SAFETY: `location` is accessed only under `lock`, and `isMoved` only under `moving`. The deinitializer reads both
    // without a lock, because no other reference exists. The other properties are constant and Sendable.
    private var location: SourceFile
    private var isMoved = false
    private let lock = Lock()
    /// A move holds this lock until it ends, which may take long if the file is copied. The move does not hold `lock`
    /// during the copy, so that other threads can read the file at its old path.
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
        _ body: (SourceFile) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(location)
    }

    /// Moves the file to a URL where nothing exists, and keeps the file there.
    ///
    /// If the file cannot be renamed, it is copied. The copy can be cancelled. If this method throws, the file stays at
    /// its old path.
    ///
    /// - Returns: False if the file has already been moved.
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

    /// Renames the file. Returns false if the file must be copied instead.
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

/// Writes a temporary file in large pieces. If the file is not finished, it is removed when the writer is destroyed.
struct TemporaryFileWriter {
    var pieces: PieceWriter
    private let url: URL

    /// Creates a file in `directory`, with a name of `prefix` and an unpredictable suffix. If `directory` is nil, uses
    /// the system's directory for temporary files.
    init(in directory: URL?, prefix: String, pieceSize: Int = PieceWriter.blockingSize) throws(POSIXError) {
        let directory = directory ?? TemporaryFile.directory
        guard directory.isLocalFile else { throw POSIXError(.invalid) }
        url = directory.appendingPathComponent(NewFile.randomName(prefix: prefix), isDirectory: false)
        pieces = PieceWriter(try NewFile(at: url.path, mode: .ownerOnly), pieceSize: pieceSize)
    }

    /// Completes and returns the file. This may block the thread.
    ///
    /// - Precondition: No other thread is writing.
    mutating func finish() throws(POSIXError) -> TemporaryFile {
        try pieces.flush()
        return TemporaryFile(at: url, try pieces.file.finish(), length: pieces.length)
    }
}
