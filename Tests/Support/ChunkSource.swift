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
    package init(_ chunks: [Chunk], waitingAt place: Int, waiting: Signal) {
        self.init(chunks) { index in
            guard index == place else { return }
            waiting.give()
            try await waitForCancellation()
        }
    }

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
            try await source.onRequest(index)
            defer { index += 1 }
            return index < source.chunks.count ? source.chunks[index] : nil
        }
    }
}

/// Bytes in a type that the library does not know.
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

/// Bytes whose count changes from one call to the next.
package struct ChangingBytes: ContiguousBytes, Sendable {
    private let bytes: [UInt8]
    private let counts: [Int]
    /// Counts the calls of `withUnsafeBytes(_:)`.
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

    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let count = counts[min(calls.increment(), counts.count) - 1]
        // In memory of its own, which is freed after the call.
        return try Array(bytes.prefix(count)).withUnsafeBytes(body)
    }
}
