/// Reads an input's bytes, as they are or with CR LF for each line break; it closes the input at the end.
final class ContentStream {
    private let source: FileDescriptor
    private var normalizer: LineBreakNormalizer?

    init(_ source: FileDescriptor, normalizesNewlines: Bool) {
        self.source = source
        self.normalizer = normalizesNewlines ? LineBreakNormalizer() : nil
    }

    deinit {
        if source.number > FileDescriptor.standardError.number { try? source.close() }
    }

    /// Reads some bytes; nil at the end.
    func read() throws -> Data? {
        var block = ContiguousArray<UInt8>(repeating: 0, count: 1 << 16)
        // SAFETY: the block's own bounds, inside the closure only.
        let count = try block.withUnsafeMutableBytes { try source.readBytes(into: $0) }
        guard count > 0 else { return nil }
        guard normalizer != nil else { return Data(block[..<count]) }
        // A lone LF after a CR may leave nothing, which is not the end.
        return Data(normalizer?.normalize(block[..<count]) ?? [])
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
