import Foundation

/// A stream of what an input yields, as it is or with CR LF for each line break.
final class ContentStream: InputStream {
    /// Nil once the stream is closed.
    private var source: InputSource?
    private var normalizer: LineBreakNormalizer?
    private var status = Stream.Status.notOpen
    /// Normalised bytes; those before `taken` have been handed out.
    private var pending: [UInt8] = []
    private var taken = 0

    init(_ source: InputSource, normalizesNewlines: Bool) {
        self.source = source
        self.normalizer = normalizesNewlines ? LineBreakNormalizer() : nil
        super.init(data: Data())
    }

    override var streamStatus: Stream.Status { status }

    override var hasBytesAvailable: Bool { status == .open }

    override func open() {
        if status == .notOpen { status = .open }
    }

    override func close() {
        status = .closed
        source = nil
    }

    /// Reads some bytes; 0 at the end and -1 on failure.
    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        guard let source, status == .open || status == .atEnd else { return -1 }
        // SAFETY: the caller's buffer with the caller's length.
        let room = UnsafeMutableRawBufferPointer(start: buffer, count: length)
        do throws(POSIXError) {
            let count = normalizer == nil ? try source.read(into: room) : try readNormalized(source, into: room)
            if count == 0, length > 0 { status = .atEnd }
            return count
        } catch {
            status = .error
            return -1
        }
    }

    private func readNormalized(
        _ source: InputSource,
        into room: UnsafeMutableRawBufferPointer
    ) throws(POSIXError) -> Int {
        // Each turn reads at least one byte or is the last; a lone LF after a CR may leave nothing.
        while taken == pending.count {
            // The caller's buffer serves as room for the raw bytes, which are taken out of it at once.
            let count = try source.read(into: room)
            guard count > 0 else { return 0 }
            pending = normalizer?.normalize(room[..<count]) ?? []
            taken = 0
        }
        let count = min(room.count, pending.count - taken)
        room.copyBytes(from: pending[taken..<taken + count])
        taken += count
        return count
    }
}

/// Makes each lone CR and lone LF a CR LF, as browsers send text, wherever the text is cut into pieces.
struct LineBreakNormalizer {
    private var endsInCarriageReturn = false

    /// The normal form of the text's next piece.
    mutating func normalize(_ piece: some Collection<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        for byte in piece {
            let isSecondHalf = byte == 0x0A && endsInCarriageReturn
            endsInCarriageReturn = byte == 0x0D
            guard byte == 0x0D || byte == 0x0A else {
                output.append(byte)
                continue
            }
            if !isSecondHalf { output += [0x0D, 0x0A] }
        }
        return output
    }
}
