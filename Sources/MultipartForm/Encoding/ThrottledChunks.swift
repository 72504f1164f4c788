public import Foundation

extension AsyncSequence where Element == Data {
    /// The same chunks, handed out no faster than a rate, for slow links.
    ///
    /// The rate holds on the whole: each chunk waits until those before it have had their time since the first one. A
    /// consumer that fell behind gets chunks without delay until it has caught up. Small chunks make a steady flow.
    ///
    /// ```swift
    /// for try await chunk in form.chunks(ofSize: 4096).throttle(bytesPerSecond: 50_000) { … }
    /// ```
    ///
    /// - Parameters:
    ///   - bytesPerSecond: The rate; at least 1.
    ///   - clock: What measures the time and waits; one that goes on while the system sleeps unless given.
    /// - Returns: A sequence that begins anew with each iteration. Waiting ends with a `CancellationError` when the task
    ///   is cancelled.
    public func throttle(
        bytesPerSecond: Int,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> ThrottledChunks<Self> {
        ThrottledChunks(base: self, pacing: Pacing(bytesPerSecond: bytesPerSecond), clock: clock)
    }
}

/// Chunks that are handed out no faster than a rate.
///
/// Make one with `throttle(bytesPerSecond:clock:)`.
public struct ThrottledChunks<Base: AsyncSequence>: AsyncSequence where Base.Element == Data {
    /// A chunk.
    public typealias Element = Data

    let base: Base
    let pacing: Pacing
    let clock: any Clock<Duration>

    /// An iterator over the chunks from the first on.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), pacing: pacing, clock: clock)
    }

    /// Hands out the chunks of another iterator in due time.
    public struct Iterator: AsyncIteratorProtocol {
        /// The other iterator, until it ends or waiting is cancelled.
        private var base: Base.AsyncIterator?
        private var pacing: Pacing
        private let clock: any Clock<Duration>
        private var elapsed: (@Sendable () -> Duration)?

        fileprivate init(base: Base.AsyncIterator, pacing: Pacing, clock: any Clock<Duration>) {
            self.base = base
            self.pacing = pacing
            self.clock = clock
        }

        /// The next chunk, when it is due; nil at the end.
        ///
        /// - Throws: What the sequence throws, or `CancellationError`.
        public mutating func next() async throws -> Data? {
            try await next(isolation: #isolation)
        }

        /// The next chunk, when it is due.
        ///
        /// - Parameter actor: Where the sequence is iterated.
        /// - Returns: The chunk; nil at the end.
        /// - Throws: What the sequence throws, or `CancellationError`.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
            do {
                guard let chunk = try await base?.next(isolation: actor) else {
                    base = nil
                    return nil
                }
                let delay = pacing.delay(of: chunk.count, at: timeSinceStart())
                if delay > .zero { try await clock.sleep(for: delay) }
                return chunk
            } catch {
                base = nil
                throw error
            }
        }

        /// The time since this was first asked.
        private mutating func timeSinceStart() -> Duration {
            if let elapsed { return elapsed() }
            elapsed = clock.stopwatch()
            return .zero
        }
    }
}

extension Clock where Duration == Swift.Duration {
    /// Measures the time from now on.
    fileprivate func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}

extension ThrottledChunks: Sendable where Base: Sendable {}

extension ThrottledChunks.Iterator: Sendable where Base.AsyncIterator: Sendable {}
