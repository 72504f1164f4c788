package import Foundation

/// An asynchronous source of chunks that counts the calls of `next()`.
package struct ChunkSource<Chunk: Sendable>: AsyncSequence, Sendable {
    package typealias Element = Chunk
    package typealias Failure = any Error

    private let chunks: [Chunk]
    private let onRequest: @Sendable (Int) async throws -> Void
    private let counter = Counter()
    private let iterators = Counter()

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - chunks: The chunks it yields.
    ///   - onRequest: Called before each chunk with its index, and before the end with the count; may wait or throw.
    package init(_ chunks: [Chunk], onRequest: @escaping @Sendable (Int) async throws -> Void = { _ in }) {
        self.chunks = chunks
        self.onRequest = onRequest
    }

    /// Creates a source that waits until the task is cancelled, instead of yielding a chunk or the end.
    ///
    /// - Parameters:
    ///   - chunks: The chunks; those before `place` are yielded.
    ///   - place: The index of the chunk it waits at, or the count for the end.
    ///   - waiting: Given when it waits.
    ///   - endsWhenCancelled: Whether the source ends after the wait, as an `AsyncStream` does, instead of throwing.
    package init(_ chunks: [Chunk], waitingAt place: Int, waiting: Signal, endsWhenCancelled: Bool = false) {
        self.init(chunks) { index in
            guard index == place else { return }
            waiting.give()
            do {
                try await waitForCancellation()
            } catch {
                throw endsWhenCancelled ? EarlyEnd() : error
            }
        }
    }

    private struct EarlyEnd: Error {}

    /// How often `next()` has been called, on all iterators.
    package var requests: Int { counter.value }

    /// How many iterators have been made.
    package var iterations: Int { iterators.value }

    package func makeAsyncIterator() -> AsyncIterator {
        iterators.increment()
        return AsyncIterator(source: self)
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let source: ChunkSource
        private var index = 0

        fileprivate init(source: ChunkSource) {
            self.source = source
        }

        // Older systems call this one.
        package mutating func next() async throws -> Chunk? {
            try await next(isolation: nil)
        }

        package mutating func next(isolation actor: isolated (any Actor)?) async throws -> Chunk? {
            precondition(index <= source.chunks.count, "next() called after the end")
            source.counter.increment()
            defer { index += 1 }
            do {
                try await source.onRequest(index)
            } catch is EarlyEnd {
                return nil
            }
            return index < source.chunks.count ? source.chunks[index] : nil
        }
    }
}

/// Bytes in a type that the library does not know, and that are not contiguous.
package struct ForeignBytes: Collection, Sendable {
    private let halves: [[UInt8]]

    /// Copies bytes.
    package init(_ data: Data) {
        halves = [Array(data.prefix(data.count / 2)), Array(data.dropFirst(data.count / 2))]
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { halves[0].count + halves[1].count }

    package func index(after index: Int) -> Int { index + 1 }

    package subscript(position: Int) -> UInt8 {
        position < halves[0].count ? halves[0][position] : halves[1][position - halves[0].count]
    }
}

/// Contiguous bytes whose count changes from one call to the next.
package struct ChangingBytes: RandomAccessCollection, Sendable {
    private let bytes: [UInt8]
    private let counts: [Int]
    /// Counts the calls of `withContiguousStorageIfAvailable(_:)`.
    package let calls = Counter()

    /// Creates bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - counts: How many of them each call passes; the last one repeats.
    package init(_ bytes: Data, counts: [Int]) {
        self.bytes = Array(bytes)
        self.counts = counts
    }

    package var startIndex: Int { bytes.startIndex }
    package var endIndex: Int { bytes.endIndex }

    package subscript(position: Int) -> UInt8 { bytes[position] }

    package func withContiguousStorageIfAvailable<Result>(
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result? {
        let count = counts[Swift.min(calls.increment(), counts.count) - 1]
        // In memory of its own, which is freed after the call.
        return try Array(bytes.prefix(count)).withUnsafeBufferPointer(body)
    }
}
