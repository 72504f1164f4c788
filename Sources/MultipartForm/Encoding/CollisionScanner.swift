/// Looks for a line of a content that begins with the dash-boundary (RFC 2046 §5.1).
///
/// - Input: one content's bytes, in pieces of any size.
/// - Output: whether two hyphens and the boundary stand at the content's start, or behind a CR or an LF: receivers
///   that accept either as a line break would split the content there.
/// - Invariant: `matched` is how much of a line break and the dash-boundary the bytes so far end with.
/// - Cost: linear; no allocation, nothing kept.
struct CollisionScanner {
    private let search: DelimiterSearch
    private var matched = 1

    init(boundary: Boundary) {
        search = DelimiterSearch(
            needle: [ASCII.carriageReturn] + boundary.dashBoundary,
            alternative: ASCII.lineFeed
        )
    }

    /// Begins a content: its start counts as a line's.
    mutating func begin() {
        matched = 1
    }

    /// Goes on behind bytes that have not been seen, and did not end in a line break.
    mutating func beginWithinLine() {
        matched = 0
    }

    /// How many bytes before a place tell whether a collision may end behind it.
    var reach: Int { search.needle.count - 1 }

    /// Takes the next bytes; true when a collision ends in them.
    ///
    /// If there is somewhere to copy the bytes to, that costs little more than the copy. They have not all arrived when
    /// there is a collision.
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
            // All bytes belong to what matched before.
            break
        }
        return false
    }
}
