import Foundation

/// A stream of an input's bytes, as they are or with CR LF for each line break; it closes the input at the end.
final class ContentStream: InputStream {
    private let source: FileDescriptor
    private var normalizer: LineBreakNormalizer?
    /// Normalised bytes that have not been read.
    private var pending: ArraySlice<UInt8> = []

    init(_ source: FileDescriptor, normalizesNewlines: Bool) {
        self.source = source
        self.normalizer = normalizesNewlines ? LineBreakNormalizer() : nil
        super.init(data: Data())
    }

    deinit {
        if source.number > FileDescriptor.standardError.number { try? source.close() }
    }

    override var streamStatus: Stream.Status { .open }

    override func open() {}
    override func close() {}

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        // SAFETY: the caller's buffer with the caller's length.
        let room = UnsafeMutableRawBufferPointer(start: buffer, count: length)
        do {
            guard normalizer != nil else { return try source.read(into: room) }
            // Each pass reads at least one byte or is the last; a lone LF after a CR may leave nothing.
            while pending.isEmpty {
                // The room serves for the raw bytes, which are taken out of it at once.
                let count = try source.read(into: room)
                guard count > 0 else { return 0 }
                pending = normalizer?.normalize(room[..<count])[...] ?? []
            }
        } catch {
            return -1
        }
        let bytes = pending.prefix(length)
        room.copyBytes(from: bytes)
        pending = pending.dropFirst(bytes.count)
        return bytes.count
    }
}

/// Makes each lone CR and lone LF a CR LF, as browsers send text, wherever the text is cut into pieces.
struct LineBreakNormalizer {
    private var endsInCarriageReturn = false

    mutating func normalize(_ piece: some Collection<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(piece.count)
        for byte in piece {
            switch byte {
            case 0x0A where endsInCarriageReturn: break
            case 0x0A, 0x0D: output += [0x0D, 0x0A]
            default: output.append(byte)
            }
            endsInCarriageReturn = byte == 0x0D
        }
        return output
    }
}
