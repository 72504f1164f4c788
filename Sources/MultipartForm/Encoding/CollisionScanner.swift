/// Finds a line of content that begins with the dash-boundary (RFC 2046 §5.1).
///
/// - Input: one content's bytes, in pieces of any size.
/// - Output: whether the dash-boundary stands at the content's start, or after a CR or LF: a receiver that accepts
///   either as a line break would split the content there.
/// - Invariant: the last `matched` bytes are the longest prefix, at the end, of a line break and the dash-boundary.
/// - Cost: linear; no allocation.
struct CollisionScanner {
    private let search: DelimiterSearch
    private var matched = 1

    init(boundary: Boundary) {
        search = DelimiterSearch(needle: [ASCII.carriageReturn] + boundary.dashBoundary, alternative: ASCII.lineFeed)
    }

    /// Begins a content, which begins a line, or continues within a line after skipped bytes.
    mutating func begin(withinLine: Bool = false) {
        matched = withinLine ? 0 : 1
    }

    /// How many bytes before an offset may belong to a collision that ends after it.
    var reach: Int { search.needle.count - 1 }

    /// Whether a collision ends in the next bytes; if none does, and there is a destination, copies them to it.
    mutating func scan(_ bytes: Span<UInt8>, copyingTo destination: UnsafeMutableRawBufferPointer?) -> Bool {
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
            // SAFETY: the search checks that the destination has room.
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
        case .none:
            // The earlier match has ended above, or goes on.
            break
        }
        return false
    }
}

extension CollisionScanner? {
    /// As `scan` of the scanner; without one, there is no collision.
    mutating func scan(_ bytes: Span<UInt8>, copyingTo destination: UnsafeMutableRawBufferPointer?) -> Bool {
        if let collides = unsafe self?.scan(bytes, copyingTo: destination) { return collides }
        // SAFETY: copyMemory checks that the bytes fit.
        unsafe bytes.withUnsafeBytes { unsafe destination?.copyMemory(from: $0) }
        return false
    }
}
