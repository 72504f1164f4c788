#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Writes a new file in large pieces, on the caller's thread, which may block.
///
/// - Input: bytes in order, in spans of any length.
/// - Cost: the memory of one piece. Spans as long as a piece are not copied.
package struct PieceWriter {
    private let file: NewFile
    private let pieceSize: Int
    /// The number of bytes received so far, written or not.
    package private(set) var length: UInt64 = 0
    private var pending: ContiguousArray<UInt8> = []

    /// Creates a writer that writes to `file` in pieces of `pieceSize` bytes.
    package init(_ file: NewFile, pieceSize: Int = 64 * 1024) {
        self.file = file
        self.pieceSize = pieceSize
    }

    /// Appends bytes to the current piece. Writes in two cases:
    /// - If the bytes do not fit, writes the current piece first.
    /// - If the bytes are at least as long as a piece, writes the bytes directly.
    package mutating func write(_ bytes: Span<UInt8>) throws(POSIXError) {
        if bytes.count > pieceSize - pending.count { try flush() }
        length += UInt64(bytes.count)
        if bytes.count < pieceSize {
            pending.append(copying: bytes)
        } else {
            try file.write(bytes)
        }
    }

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
