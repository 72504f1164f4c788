#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A function that returns the next element of a sequence; nil at the sequence's end. The function iterates the
/// sequence on the actor that is passed to it.
///
/// - Safety: calls must not overlap. The callers ensure this:
///   - `PartReader` sets `isBusy` during a call.
///   - `ChunkEncoder` throws if another copy of its iterator has already begun the same chunk.
///   - `MultipartFormData` and `BodyContent` await each call before the next call.
@usableFromInline
typealias NextElement<Element> = (isolated (any Actor)?) async throws -> Element?

extension AsyncSequence {
    // Inlinable, so that collecting a form of six parts in two chunks takes 4% fewer instructions.
    @inlinable
    func nextElement() -> NextElement<Element> {
        // SAFETY: only the closure uses the iterator, and calls of the closure do not overlap.
        nonisolated(unsafe) var iterator = makeAsyncIterator()
        return { actor in unsafe try await iterator.nextElement(isolation: actor) }
    }
}

extension AsyncIteratorProtocol {
    /// Returns the next element; nil at the sequence's end. On systems that lack `next(isolation:)`, the iterator may
    /// run outside of the caller's actor.
    @inlinable
    mutating func nextElement(isolation actor: isolated (any Actor)?) async throws -> Element? {
        do {
            if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
                return try await next(isolation: actor)
            }
            // SAFETY: nothing else accesses `self` until this call ends, because the method is mutating. Nothing else
            // refers to the copy.
            nonisolated(unsafe) var iterator = self
            defer { unsafe self = iterator }
            return unsafe try await iterator.next()
        } catch {
            await resumeOnCallerExecutor()
            throw error
        }
    }
}

/// A sequence that can be iterated only once. A second iteration would have fewer elements, or none, but no error.
protocol SinglePassSequence {
    /// Whether elements have been read; false if the sequence cannot tell.
    var isConsumed: Bool { get }
}

extension AsyncStream: SinglePassSequence {
    var isConsumed: Bool { false }
}

extension AsyncThrowingStream: SinglePassSequence {
    var isConsumed: Bool { false }
}

/// Distinguishes the first call of ``make()`` from later calls.
final class FirstCall: @unchecked Sendable {
    // SAFETY: `hasBeenMade` is accessed only under the lock.
    private var hasBeenMade = false
    private let lock = Lock()

    /// Returns true for the first call, and false for every later call.
    func make() -> Bool {
        lock.withLock {
            defer { hasBeenMade = true }
            return !hasBeenMade
        }
    }
}

extension AsyncSequence where Element: Collection<UInt8> {
    /// Returns a function that returns the elements as `Data`. An element that is `Data` is shared; any other element
    /// is copied.
    @inlinable
    func nextPiece() -> NextElement<Data> {
        // SAFETY: only the closure uses the iterator, and calls of the closure do not overlap.
        nonisolated(unsafe) var iterator = makeAsyncIterator()
        return { actor in
            guard let element = unsafe try await iterator.nextElement(isolation: actor) else { return nil }
            return element.data
        }
    }
}

/// Returns the next piece of a part's content; nil at the content's end. A `CancellationError` is rethrown. Any other
/// error becomes the underlying error of `inputStreamReadFailed`.
func nextPiece(of pieces: NextElement<Data>, isolation actor: isolated (any Actor)?) async throws -> Data? {
    do {
        let piece = try await pieces(actor)
        // In a cancelled task, the sequence may have ended early, so the content may be incomplete.
        try Task.checkCancellation()
        return piece
    } catch let error as CancellationError {
        throw error
    } catch {
        throw MultipartError(.inputStreamReadFailed, underlyingError: error)
    }
}

/// Returns to the caller's executor. Call it after an awaited call has thrown, before you rethrow the error.
///
/// A function that is `nonisolated(nonsending)`, or has an isolated parameter, must return or throw on its caller's
/// executor. But if a call that the function awaits throws on another executor, Swift 6.3 stays on the other executor.
/// If the caller is a method of an actor, the method then continues outside of its actor.
///
/// The `next()` of a sequence, `Task.sleep` and a continuation may throw on another executor. Calls that return
/// normally are not affected. Therefore:
/// - A continuation resumes with a `Result`. The error in the `Result` is thrown afterwards.
/// - Any other error that may come from another executor is caught, and rethrown after a call of this function.
@usableFromInline
nonisolated(nonsending) func resumeOnCallerExecutor() async {
    await withCheckedContinuation { $0.resume() }
}
