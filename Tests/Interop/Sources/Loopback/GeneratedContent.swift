import Crypto
package import Foundation
import Synchronization
import UploadExamples

/// Bytes generated from a seed, never in memory at once, and hashed as they are read.
package final class GeneratedContent: Sendable {
    /// The number of bytes.
    package let length: UInt64

    private let seed: UInt64
    private let whenRead: @Sendable (UInt64) -> Void
    private let digest = Mutex<String?>(nil)

    /// Creates content.
    ///
    /// - Parameters:
    ///   - seed: The seed of the bytes.
    ///   - length: The number of bytes.
    ///   - whenRead: Called after each read with the number of bytes read so far.
    package init(seed: UInt64, length: UInt64, whenRead: @escaping @Sendable (UInt64) -> Void = { _ in }) {
        self.seed = seed
        self.length = length
        self.whenRead = whenRead
    }

    /// The SHA-256 of the bytes, in hexadecimal; nil until a stream of them has been read to its end.
    package var sha256: String? { digest.withLock(\.self) }

    /// A stream of all the bytes.
    package func makeStream() -> InputStream {
        GeneratedStream(seed: seed, length: length) { [self] count, digest in
            if count == length { self.digest.withLock { $0 = digest.finalize().hexadecimal } }
            whenRead(count)
        }
    }
}

/// Generates a block of bytes when the previous one has been read.
private final class GeneratedStream: InputStream {
    private let length: UInt64
    private let whenRead: (UInt64, SHA256) -> Void
    private var state: UInt64
    private var block = [UInt64](repeating: 0, count: 8192)
    private var offset: UInt64 = 0
    private var digest = SHA256()
    private var status = Status.notOpen

    init(seed: UInt64, length: UInt64, whenRead: @escaping (UInt64, SHA256) -> Void) {
        state = seed
        self.length = length
        self.whenRead = whenRead
        super.init(data: Data())
    }

    override var streamStatus: Status { status }
    override var hasBytesAvailable: Bool { offset < length }
    override func open() { status = .open }
    override func close() { status = .closed }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
        let place = Int(offset % UInt64(block.count * 8))
        if place == 0 { fillBlock() }
        let count = min(maxLength, block.count * 8 - place, Int(clamping: length - offset))
        guard count > 0 else { return 0 }
        let target = UnsafeMutableRawBufferPointer(start: buffer, count: count)
        block.withUnsafeBytes { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[place..<place + count])) }
        digest.update(bufferPointer: UnsafeRawBufferPointer(target))
        offset += UInt64(count)
        whenRead(offset, digest)
        return count
    }

    /// The next words of SplitMix64.
    private func fillBlock() {
        for index in block.indices {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            block[index] = word ^ (word >> 31)
        }
    }
}
