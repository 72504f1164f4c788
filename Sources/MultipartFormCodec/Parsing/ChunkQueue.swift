#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The chunks that a caller has appended to a parser and the parser has not used up, in order.
///
/// - Cost: O(1) for each chunk, amortized. A removed chunk is released at once.
struct ChunkQueue: Sendable {
    /// The chunk to parse; empty if the queue is empty.
    private(set) var first = Data()
    /// The chunks after `first`, from the index `start` on. All elements before that index are empty.
    private var others: [Data] = []
    private var start = 0

    var isEmpty: Bool { first.isEmpty }

    /// Appends a chunk. Precondition: the chunk is not empty.
    mutating func append(_ chunk: Data) {
        if first.isEmpty { first = chunk } else { others.append(chunk) }
    }

    /// Removes the first chunk, if there is one.
    mutating func removeFirst() {
        guard start < others.count else {
            first = Data()
            return
        }
        first = others[start]
        others[start] = Data()
        start += 1
        // Removes the empty elements, but only when they are at least half of the array. Each removal moves all later
        // elements, so removing every element separately would take quadratic time.
        guard start * 2 >= others.count else { return }
        others.removeFirst(start)
        start = 0
    }
}
