#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Writes a new file in large pieces, on the caller's thread, which may block.
///
/// - Input: bytes in order, in spans of any length.
/// - Cost: the memory of one piece. Of spans as long as a piece, less than two pages are copied.
package struct PieceWriter {
    private let file: NewFile
    private let pieceSize: Int
    /// The number of bytes received so far, written or not.
    package private(set) var length: UInt64 = 0
    private var pending: ContiguousArray<UInt8> = []

    /// Creates a writer that writes to `file` in pieces of `pieceSize` bytes: whole pages, or less than one.
    package init(_ file: NewFile, pieceSize: Int = 64 * 1024) {
        self.file = file
        self.pieceSize = pieceSize
    }

    /// Appends bytes to the current piece. If they do not fit, writes the piece, and then whole pages of the bytes if
    /// they are at least as long as a piece.
    ///
    /// Each write but the last one of a file ends at the end of a page. On ext4, writes that end within a page take a
    /// fifth more of the time of an upload.
    package mutating func write(_ bytes: Span<UInt8>) throws(POSIXError) {
        length += UInt64(bytes.count)
        guard bytes.count > pieceSize - pending.count else { return pending.append(copying: bytes) }
        let head = (pageSize - pending.count % pageSize) % pageSize
        pending.append(copying: bytes.extracting(first: head))
        try flush()
        var rest = bytes.extracting(droppingFirst: head)
        if rest.count >= pieceSize {
            let whole = rest.count - rest.count % pageSize
            try file.write(rest.extracting(first: whole))
            rest = rest.extracting(droppingFirst: whole)
        }
        pending.append(copying: rest)
    }

    private var pageSize: Int { min(pieceSize, 4096) }

    /// Writes the current piece.
    package mutating func flush() throws(POSIXError) {
        // Empties the piece even if the write fails, so that no byte is written twice.
        defer { pending.removeAll(keepingCapacity: true) }
        try file.write(pending.span)
    }

    /// Writes the current piece, and completes the file: see ``NewFile/finish(at:replacesFile:)``.
    @discardableResult
    package mutating func finish(at place: String? = nil) throws(POSIXError) -> FileIdentity {
        try flush()
        return try file.finish(at: place)
    }
}
