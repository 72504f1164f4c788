import Foundation
import MultipartForm

/// A stream of what a file descriptor yields: standard input, or a text that is normalised on its way.
final class DescriptorStream: InputStream {
    private let descriptor: FileDescriptor
    private let ownsDescriptor: Bool
    private var normalizer: NewlineNormalizer?
    private var status = Stream.Status.notOpen
    /// Normalised bytes; those before `taken` have been handed out.
    private var pending: [UInt8] = []
    private var taken = 0

    /// Creates a stream.
    ///
    /// - Parameters:
    ///   - descriptor: Where to read.
    ///   - ownsDescriptor: Whether the stream closes it.
    ///   - normalizesNewlines: Whether each line break becomes CR LF.
    init(_ descriptor: FileDescriptor, ownsDescriptor: Bool, normalizesNewlines: Bool) {
        self.descriptor = descriptor
        self.ownsDescriptor = ownsDescriptor
        self.normalizer = normalizesNewlines ? NewlineNormalizer() : nil
        super.init(data: Data())
    }

    deinit {
        if ownsDescriptor, status != .closed { descriptor.close() }
    }

    /// Where the stream is in its life.
    override var streamStatus: Stream.Status { status }

    /// Whether a read may yield bytes.
    override var hasBytesAvailable: Bool { status == .open }

    /// Makes the stream ready to read.
    override func open() {
        if status == .notOpen { status = .open }
    }

    /// Ends the stream.
    override func close() {
        guard status != .closed else { return }
        status = .closed
        if ownsDescriptor { descriptor.close() }
    }

    /// Reads some bytes; 0 at the end and -1 on failure.
    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        guard status == .open || status == .atEnd else { return -1 }
        // SAFETY: the caller's buffer with the caller's length.
        let room = UnsafeMutableRawBufferPointer(start: buffer, count: length)
        do throws(POSIXError) {
            let count = normalizer == nil ? try descriptor.read(into: room) : try readNormalized(into: room)
            if count == 0, length > 0 { status = .atEnd }
            return count
        } catch {
            status = .error
            return -1
        }
    }

    private func readNormalized(into room: UnsafeMutableRawBufferPointer) throws(POSIXError) -> Int {
        // Each turn reads at least one byte or is the last; a lone LF behind a CR may leave nothing.
        while taken == pending.count {
            pending.removeAll(keepingCapacity: true)
            taken = 0
            // SAFETY: the caller's buffer serves as room for the raw bytes, which are taken out of it at once.
            let count = try descriptor.read(into: room)
            guard count > 0 else { return 0 }
            normalizer?.normalize(room[..<count], into: &pending)
        }
        let count = min(room.count, pending.count - taken)
        room.copyBytes(from: pending[taken..<taken + count])
        taken += count
        return count
    }
}
