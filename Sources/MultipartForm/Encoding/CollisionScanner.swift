/// Finds a line of a content that begins with the dash-boundary (RFC 2046 §5.1).
///
/// - Input: one content's bytes, in pieces of any size.
/// - Output: whether two hyphens and the boundary are at the content's start, or after a CR or an LF: receivers that
///   accept either as a line break would split the content there.
/// - Invariant: `matched` is the length of the longest prefix of a line break and the dash-boundary that the bytes end
///   with.
/// - Cost: linear; no allocation.
struct CollisionScanner {
    private let search: DelimiterSearch
    private var matched = 1

    init(boundary: Boundary) {
        search = DelimiterSearch(
            needle: [ASCII.carriageReturn] + boundary.dashBoundary,
            alternative: ASCII.lineFeed
        )
    }

    /// Begins a content, whose start counts as the start of a line.
    mutating func begin() {
        matched = 1
    }

    /// Continues after bytes that were skipped, and did not end in a line break.
    mutating func beginWithinLine() {
        matched = 0
    }

    /// How many bytes before a place can belong to a collision that ends after it.
    var reach: Int { search.needle.count - 1 }

    /// Whether a collision ends in the next bytes. They are copied on the way, if there is a destination: all of them,
    /// unless there is a collision.
    mutating func scan(_ bytes: Span<UInt8>, copyingTo destination: UnsafeMutableRawBufferPointer? = nil) -> Bool {
        var position = 0
        while position < bytes.count, matched > 0 {
            guard bytes[position] == search.needle[matched] else {
                matched = 0
                break
            }
            matched += 1
            position += 1
            if matched == search.needle.count { return true }
        }
        let result =
            // SAFETY: passed on to a search that checks that there is room.
            if let destination = unsafe destination {
                unsafe search.search(bytes, from: position, copyingTo: destination)
            } else {
                search.search(bytes, from: position)
            }
        switch result {
        case .found:
            return true
        case .partial(let place):
            matched = bytes.count - place
        case .none where position < bytes.count:
            matched = 0
        case .none:
            // All bytes belong to the earlier match.
            break
        }
        return false
    }
}
