#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Returns the next element of a sequence, which is iterated on the caller's actor; nil at the sequence's end.
///
/// - Safety: calls must not overlap. `PartReader` ensures that with `isBusy`, `ChunkEncoder` with its count of chunks,
///   and `MultipartFormData`, which collects a form in one function, by awaiting each chunk.
@usableFromInline
typealias NextElement<Element> = (isolated (any Actor)?) async throws -> Element?

extension AsyncSequence {
    // Inlinable: collecting a form of six parts in two chunks takes 4% fewer instructions.
    @inlinable
    func nextElement() -> NextElement<Element> {
        // SAFETY: only the closure uses the iterator, and its calls do not overlap.
        nonisolated(unsafe) var iterator = makeAsyncIterator()
        return { actor in unsafe try await iterator.nextElement(isolation: actor) }
    }
}

extension AsyncIteratorProtocol {
    /// Returns the next element; nil at the end. Systems without isolated iteration leave the caller's actor for it.
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
    /// Whether elements have been read, as far as the sequence knows.
    var isConsumed: Bool { get }
}

extension AsyncStream: SinglePassSequence {
    var isConsumed: Bool { false }
}

extension AsyncThrowingStream: SinglePassSequence {
    var isConsumed: Bool { false }
}

/// Tells the first call from later ones.
final class FirstCall: @unchecked Sendable {
    // SAFETY: the state is accessed only under the lock.
    private var hasBeenMade = false
    private let lock = Lock()

    /// True for the first call only.
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
        // A cancelled sequence may end early.
        try Task.checkCancellation()
        return piece
    } catch let error as CancellationError {
        throw error
    } catch {
        throw MultipartError(.inputStreamReadFailed, underlyingError: error)
    }
}

/// Returns to the caller's executor, in a function that has caught an error.
///
/// A function that runs on its caller's executor, since it is `nonisolated(nonsending)` or has an isolated parameter,
/// must also return there: an actor's method that calls it relies on that. Swift 6.3 does not do so when an awaited
/// call throws on another executor, as a source's `next()`, `Task.sleep` or a throwing continuation may: the method
/// then goes on outside of its actor. Calls that do not throw are not affected. So:
///
/// - A continuation resumes with a `Result`, whose error is thrown afterwards.
/// - Any other error from elsewhere is caught, and rethrown after a call of this function.
@usableFromInline
nonisolated(nonsending) func resumeOnCallerExecutor() async {
    await withCheckedContinuation { $0.resume() }
}
