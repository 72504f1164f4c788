#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A temporary file being written, in large pieces; removed again unless it is finished.
struct TemporaryFileWriter {
    private static let pieceSize = 64 * 1024

    private let file: OutputFile
    private let url: URL
    private let fileSystem: FileSystem
    private var pending: ContiguousArray<UInt8> = []
    private var length: UInt64 = 0

    /// Creates a file with an unpredictable name, in the system's directory unless another is given.
    init(in directory: URL?, prefix: String, fileSystem: FileSystem = .system) throws(POSIXError) {
        let directory = directory ?? FileSystem.temporaryDirectory
        guard directory.isLocalFile else { throw POSIXError(.invalid) }
        url = directory.appendingPathComponent(FileSystem.temporaryName(prefix: prefix), isDirectory: false)
        file = try fileSystem.create(url.path, true)
        self.fileSystem = fileSystem
    }

    /// Writes bytes, or keeps them until there are enough.
    mutating func write(_ bytes: Span<UInt8>) throws(POSIXError) {
        length += UInt64(bytes.count)
        if pending.count + bytes.count > Self.pieceSize { try flush() }
        guard bytes.count < Self.pieceSize else { return try file.write(bytes) }
        pending.append(copying: bytes)
    }

    mutating func finish() throws(POSIXError) -> TemporaryFile {
        try flush()
        return TemporaryFile(at: url, try file.keep(), length: length, fileSystem: fileSystem)
    }

    private mutating func flush() throws(POSIXError) {
        try file.write(pending.span)
        pending.removeAll(keepingCapacity: true)
    }
}
