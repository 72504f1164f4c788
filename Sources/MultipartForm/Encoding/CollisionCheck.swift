/// Finds the dash-boundary in content (RFC 2046 §5.1).
///
/// - Input: one content's bytes, in pieces of any size.
/// - Output: whether the dash-boundary is anywhere in them, even within a line, because some receivers split content
///   there.
/// - Cost: the same as for a ``BoundarySearch``.
struct CollisionCheck {
    private var search: BoundarySearch

    init(boundary: Boundary) {
        search = BoundarySearch(dashBoundary: boundary.dashBoundary)
    }

    /// Begins a new content: bytes of the previous one no longer count.
    mutating func begin() {
        search.begin()
    }

    /// How many bytes before an offset may belong to a dash-boundary that ends after the offset.
    var overlap: Int { search.dashBoundary.count - 1 }

    /// Returns whether a dash-boundary ends in `bytes`, the next bytes of the content. If not, copies the bytes to
    /// `destination`; if that is nil, copies nothing.
    mutating func scan(_ bytes: Span<UInt8>, copyingTo destination: UnsafeMutableRawBufferPointer?) -> Bool {
        guard let destination = unsafe destination else { return search.next(in: bytes, from: 0).isWhole }
        // SAFETY: the search checks that the destination has room.
        return unsafe search.next(in: bytes, copyingTo: destination).isWhole
    }

    /// The reason that the error gives.
    fileprivate var reason: String {
        let dashBoundary = String(decoding: search.dashBoundary, as: UTF8.self)
        return "content has \"\(dashBoundary)\" in it, the boundary after two hyphens"
    }
}

extension CollisionCheck? {
    /// The error of content that has the dash-boundary in it.
    var collision: MultipartError { MultipartError(.boundaryCollision, self?.reason) }

    /// Calls the check's `scan`. Without a check, only copies the bytes, and returns false.
    mutating func scan(_ bytes: Span<UInt8>, copyingTo destination: UnsafeMutableRawBufferPointer?) -> Bool {
        if let collides = unsafe self?.scan(bytes, copyingTo: destination) { return collides }
        guard let destination = unsafe destination else { return false }
        precondition(destination.count >= bytes.count, "a copy has room for the bytes")
        // SAFETY: the destination has room.
        unsafe bytes.withUnsafeBytes { unsafe destination.copyMemory(from: $0) }
        return false
    }
}
