#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A function that returns the next element of a sequence; nil at the sequence's end. It iterates the sequence on the
/// actor that is passed to it.
///
/// - Safety: calls must not overlap. `PartReader` ensures this with `isBusy`, and `ChunkEncoder` with its count of
///   chunks. `MultipartFormData` collects a form in one function, which awaits each chunk.
@usableFromInline
typealias NextElement<Element> = (isolated (any Actor)?) async throws -> Element?

extension AsyncSequence {
    // Inlinable, because collecting a form of six parts in two chunks then takes 4% fewer instructions.
    @inlinable
    func nextElement() -> NextElement<Element> {
        // SAFETY: only the closure uses the iterator, and its calls do not overlap.
        nonisolated(unsafe) var iterator = makeAsyncIterator()
        return { actor in unsafe try await iterator.nextElement(isolation: actor) }
    }
}

extension AsyncIteratorProtocol {
    /// Returns the next element; nil at the end. On systems without `next(isolation:)`, the iterator may run outside of
    /// the caller's actor.
    @inlinable
    mutating func nextElement(isolation actor: isolated (any Actor)?) async throws -> Element? {
        do {
            if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
                return try await next(isolation: actor)
            }
            // SAFETY: `self` is accessed exclusively until this call ends, and so is its copy.
            nonisolated(unsafe) var iterator = self
            defer { unsafe self = iterator }
            return unsafe try await iterator.next()
        } catch {
            await resumeOnCallerExecutor()
            throw error
        }
    }
}

/// A sequence that can be iterated once; a second iteration would silently have fewer elements, or none.
protocol SinglePassSequence {
    /// Whether elements are known to have been read; false if the sequence cannot tell.
    var isConsumed: Bool { get }
}

extension AsyncStream: SinglePassSequence {
    var isConsumed: Bool { false }
}

extension AsyncThrowingStream: SinglePassSequence {
    var isConsumed: Bool { false }
}

/// Distinguishes the first call of ``make()`` from later ones.
final class FirstCall: @unchecked Sendable {
    // SAFETY: the state is accessed only under the lock.
    private var hasBeenMade = false
    private let lock = Lock()

    /// Returns true for the first call, and false for all later ones.
    func make() -> Bool {
        lock.withLock {
            defer { hasBeenMade = true }
            return !hasBeenMade
        }
    }
}

extension AsyncSequence where Element: Collection<UInt8> {
    /// Iterates the sequence as `Data`: elements that are `Data` are shared, others copied.
    @inlinable
    func nextPiece() -> NextElement<Data> {
        // SAFETY: only the closure uses the iterator, and its calls do not overlap.
        nonisolated(unsafe) var iterator = makeAsyncIterator()
        return { actor in
            guard let element = unsafe try await iterator.nextElement(isolation: actor) else { return nil }
            return element.data
        }
    }
}

/// Returns the next piece of a part's content; nil at its end. A `CancellationError` is rethrown; any other error
/// becomes the underlying error of `inputStreamReadFailed`.
func nextPiece(of pieces: NextElement<Data>, isolation actor: isolated (any Actor)?) async throws -> Data? {
    do {
        let piece = try await pieces(actor)
        // If the task is cancelled, the sequence may end early. Then this throws, so that the content is not taken for
        // complete.
        try Task.checkCancellation()
        return piece
    } catch let error as CancellationError {
        throw error
    } catch {
        throw MultipartError(.inputStreamReadFailed, underlyingError: error)
    }
}

/// Returns to the caller's executor. Call it after catching an error of an awaited call, before the error is rethrown.
///
/// Some functions run on their caller's executor, since they are `nonisolated(nonsending)` or have an isolated
/// parameter. They must also return on it, because an actor's method that calls them relies on this. But if an awaited
/// call throws on another executor, Swift 6.3 stays there, and the actor's method continues outside of its actor. A
/// source's `next()`, `Task.sleep` and a throwing continuation may throw on another executor. Calls that do not throw
/// are not affected. Therefore:
///
/// - A continuation resumes with a `Result`, whose error is thrown afterwards.
/// - Any other error that may come from another executor is caught, and rethrown after a call of this function.
@usableFromInline
nonisolated(nonsending) func resumeOnCallerExecutor() async {
    await withCheckedContinuation { $0.resume() }
}
