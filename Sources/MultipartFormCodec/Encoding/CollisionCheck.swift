/// Searches content for the dash-boundary (RFC 2046 §5.1).
///
/// - Input: the bytes of one content, in pieces of any size.
/// - Output: whether the content contains the dash-boundary, even within a line: some receivers split content at any
///   dash-boundary.
/// - Cost: the cost of a ``BoundarySearch``.
struct CollisionCheck {
    private var search: BoundarySearch

    init(boundary: Boundary) {
        search = BoundarySearch(dashBoundary: boundary.dashBoundary)
    }

    /// Begins a new content. A dash-boundary cannot begin in one content and end in the next.
    mutating func begin() {
        search.begin()
    }

    /// How many bytes before an offset must be searched, to find a dash-boundary that begins before the offset and ends
    /// after it.
    var overlap: Int { search.dashBoundary.count - 1 }

    /// Searches the next bytes of the content, and returns whether a dash-boundary ends in them. If none does, and
    /// `destination` is not nil, copies the bytes to `destination`.
    mutating func scan(_ bytes: Span<UInt8>, copyingTo destination: UnsafeMutableRawBufferPointer?) -> Bool {
        guard let destination = unsafe destination else { return search.next(in: bytes, from: 0).isWhole }
        // SAFETY: `next(in:copyingTo:)` checks that the destination has room.
        return unsafe search.next(in: bytes, copyingTo: destination).isWhole
    }

    /// The reason that a `boundaryCollision` error states.
    fileprivate var reason: String {
        let dashBoundary = String(decoding: search.dashBoundary, as: UTF8.self)
        return "content has \"\(dashBoundary)\" in it, the boundary after two hyphens"
    }
}

extension CollisionCheck? {
    /// The error for content that contains the dash-boundary.
    var collision: MultipartError { MultipartError(.boundaryCollision, self?.reason) }

    /// Searches and copies bytes as ``CollisionCheck/scan(_:copyingTo:)`` does. If the check is nil, only copies the
    /// bytes, and returns false.
    mutating func scan(_ bytes: Span<UInt8>, copyingTo destination: UnsafeMutableRawBufferPointer?) -> Bool {
        if let collides = unsafe self?.scan(bytes, copyingTo: destination) { return collides }
        guard let destination = unsafe destination else { return false }
        precondition(destination.count >= bytes.count, "a copy has room for the bytes")
        // SAFETY: the precondition ensures that the destination has room.
        unsafe bytes.withUnsafeBytes { unsafe destination.copyMemory(from: $0) }
        return false
    }
}
