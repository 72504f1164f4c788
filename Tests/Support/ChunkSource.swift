package import Foundation
import Synchronization

/// An asynchronous source of chunks that counts how often it is asked.
package struct ChunkSource<Chunk: Sendable>: AsyncSequence, Sendable {
    package typealias Element = Chunk
    package typealias Failure = any Error

    private let chunks: [Chunk]
    private let whenAsked: @Sendable (Int) async throws -> Void
    private let counter = RequestCounter()

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - chunks: What it yields.
    ///   - whenAsked: Called before each chunk with its index, and before the end with their number; may wait or throw.
    package init(_ chunks: [Chunk], whenAsked: @escaping @Sendable (Int) async throws -> Void = { _ in }) {
        self.chunks = chunks
        self.whenAsked = whenAsked
    }

    /// Creates a source that waits, instead of a chunk or the end, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - chunks: What it yields before.
    ///   - place: The index of the chunk, or their number.
    ///   - asked: Given when it waits.
    package init(_ chunks: [Chunk], waitingAt place: Int, asked: Signal) {
        self.init(chunks) { index in
            guard index == place else { return }
            asked.give()
            try await Task.sleep(for: .seconds(3600))
        }
    }

    /// How often the source has been asked for a chunk, by all iterators.
    package var requests: Int { counter.count }

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(source: self)
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let source: ChunkSource
        private var index = 0

        fileprivate init(source: ChunkSource) {
            self.source = source
        }

        package mutating func next(isolation actor: isolated (any Actor)?) async throws -> Chunk? {
            precondition(index <= source.chunks.count, "asked behind the end")
            source.counter.add()
            try await source.whenAsked(index)
            defer { index += 1 }
            return index < source.chunks.count ? source.chunks[index] : nil
        }
    }
}

private final class RequestCounter: Sendable {
    private let value = Mutex(0)

    var count: Int { value.withLock { $0 } }

    func add() {
        value.withLock { $0 += 1 }
    }
}

/// Bytes in storage of a type the library does not know.
package struct ForeignBytes: ContiguousBytes, Sendable {
    private let bytes: [UInt8]

    /// Copies bytes.
    package init(_ data: Data) {
        bytes = Array(data)
    }

    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes(body)
    }
}
