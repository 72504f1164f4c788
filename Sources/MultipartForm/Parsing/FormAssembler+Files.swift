#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// The temporary file of the current part: when it is created, and who writes it.
extension FormAssembler {
    /// Whether the next `count` bytes of the part go to disk.
    // Inlined, as is `mustMoveToDisk`, because calls would copy the whole assembler. So collecting short fields
    // (`programs collected`) takes 13% fewer instructions.
    @inline(__always)
    func usesDisk(for count: Int) -> Bool {
        file != nil || kind == .disk || mustMoveToDisk(for: count)
    }

    /// Whether content in memory must move to disk before `count` more bytes: with them, it would exceed the threshold
    /// or the memory that is left.
    @inline(__always)
    private func mustMoveToDisk(for count: Int) -> Bool {
        file == nil && isFile && kind == .accept && (count > options.diskThreshold - length || count > memoryRoom)
    }

    /// Creates the part's file if it has none and the next `count` bytes need one.
    @inline(__always)
    mutating func createFile(for count: Int) throws(MultipartError) {
        if kind == .disk {
            try openFile()
        } else if mustMoveToDisk(for: count) {
            try moveToDisk()
        }
    }

    private mutating func moveToDisk() throws(MultipartError) {
        // The offset of the first byte that does not fit in memory. Errors use it, so that they do not depend on the
        // chunk.
        let spill = min(options.diskThreshold, length + memoryRoom)
        // If the part's limit is reached first, the content never needs the disk.
        guard spill < limit else { throw error(.limitPartBytes, at: limit, limit: limit, limitName) }
        moveInlineContentToData()
        let content = data
        data = Data()
        memoryBytes -= content.count
        try charge(Self.memoryBytesOfFile, at: spill)
        guard spill < diskRoom else { throw error(.limitDiskBytes, at: diskRoom, limit: maxDiskBytes) }
        try openFile()
        try write(content.span)
    }

    mutating func openFile() throws(MultipartError) {
        guard file == nil else { return }
        do {
            let usualSize = isAwaited ? PieceWriter.awaitedSize : PieceWriter.blockingSize
            let pieceSize = options.defaults.pieceBytes ?? usualSize
            file = try TemporaryFileWriter(in: options.temporaryDirectory, prefix: "part-", pieceSize: pieceSize)
        } catch {
            throw fileError(.outputStreamCreationFailed, error)
        }
    }

    mutating func write(_ bytes: Span<UInt8>) throws(MultipartError) {
        diskBytes += bytes.count
        do {
            // Bytes for which there is room are only kept, since a write may be under way. Without room, no write is
            // under way.
            if isAwaited, let room = file?.pieces.room, bytes.count <= room {
                file?.pieces.keep(bytes)
            } else {
                try file?.pieces.write(bytes)
            }
        } catch {
            throw fileError(.outputStreamWriteFailed, error)
        }
    }

    /// Writes the bytes that the part's file has kept, if there is a file. No write may be under way.
    mutating func flushFile() throws(MultipartError) {
        do throws(POSIXError) {
            try file?.pieces.flush()
        } catch {
            throw fileError(.outputStreamWriteFailed, error)
        }
    }

    /// Completes the part's file, if it has one.
    mutating func finishFile() throws(MultipartError) -> BodyContent? {
        do throws(POSIXError) {
            guard let file = try file?.finish() else { return nil }
            return .temporaryFile(file)
        } catch {
            throw fileError(.outputStreamWriteFailed, error)
        }
    }

    private func fileError(_ code: MultipartError.Code, _ cause: POSIXError) -> MultipartError {
        MultipartError(
            code,
            "temporary file cannot be \(code == .outputStreamWriteFailed ? "written" : "created")",
            partIndex: index,
            partName: headers.name,
            path: (options.temporaryDirectory ?? TemporaryFile.directory).errorText,
            underlyingError: cause
        )
    }
}

// Files that are written on another thread while their parts arrive.
extension FormAssembler {
    /// Adds as many bytes as the file's piece has room for; false if the piece must be written, or the file created,
    /// first.
    mutating func addToPiece(_ body: Span<UInt8>) throws(MultipartError) -> Bool {
        let rest = body.extracting(droppingFirst: addedBytes)
        // Counts only bytes within the message's maximum length, so that no file is created for others.
        let room = maxTotalBytes - (start + UInt64(length))
        neededBytes = min(rest.count, Int(clamping: room))
        if file == nil, neededBytes > 0, usesDisk(for: neededBytes) { return false }
        let count = min(rest.count, file?.pieces.room ?? .max)
        try add(rest.extracting(first: count))
        let isWhole = count == rest.count
        addedBytes = isWhole ? 0 : addedBytes + count
        return isWhole
    }

    /// Prepares the disk for an event: creates the part's file or, at the part's end, completes it. Call it on a thread
    /// that may block; no write may be under way.
    mutating func prepareDisk(for event: PendingEvents.Kind) throws(MultipartError) {
        if event == .endOfPart { try endPart() } else { try createFile(for: neededBytes) }
    }

    var hasFile: Bool { file != nil }

    /// Begins to write the file's piece on another thread; throws the error of an earlier write.
    mutating func beginWrite() async throws(MultipartError) {
        do {
            try await file?.pieces.beginWrite()
        } catch {
            throw fileError(.outputStreamWriteFailed, error)
        }
    }

    /// Waits for the write under way, and throws its error.
    func waitForWrite() async throws(MultipartError) {
        do {
            try await file?.pieces.wait()
        } catch {
            throw fileError(.outputStreamWriteFailed, error)
        }
    }

    /// On another thread, writes all bytes that the file has kept. Waits for that, and throws its error.
    mutating func writeAll() async throws(MultipartError) {
        do {
            try await file?.pieces.writeAll()
        } catch {
            throw fileError(.outputStreamWriteFailed, error)
        }
    }
}
