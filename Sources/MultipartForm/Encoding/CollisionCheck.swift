/// Finds the dash-boundary in content (RFC 2046 §5.1).
///
/// - Input: one content's bytes, in pieces of any size.
/// - Output: whether the dash-boundary is anywhere in them: some receivers split content there, even within a line.
/// - Cost: that of ``BoundarySearch``.
struct CollisionCheck {
    private var search: BoundarySearch

    init(boundary: Boundary) {
        search = BoundarySearch(dashBoundary: boundary.dashBoundary)
    }

    /// Begins a content.
    mutating func begin() {
        search.begin()
    }

    /// How many bytes before an offset may belong to a collision that ends after it.
    var overlap: Int { search.dashBoundary.count - 1 }

    /// Whether a collision ends in the next bytes. If none does, copies them to the destination, unless that is nil.
    mutating func scan(_ bytes: Span<UInt8>, copyingTo destination: UnsafeMutableRawBufferPointer?) -> Bool {
        guard let destination = unsafe destination else { return search.next(in: bytes, from: 0).isWhole }
        // SAFETY: the search checks that the destination has room.
        return unsafe search.next(in: bytes, copyingTo: destination).isWhole
    }

    /// The reason of the error.
    fileprivate var reason: String {
        let dashBoundary = String(decoding: search.dashBoundary, as: UTF8.self)
        return "content has \"\(dashBoundary)\" in it, the boundary after two hyphens"
    }
}

extension CollisionCheck? {
    /// The error of content that collides.
    var collision: MultipartError { MultipartError(.boundaryCollision, self?.reason) }

    /// Does what `scan` of the check does; nil finds no collision.
    mutating func scan(_ bytes: Span<UInt8>, copyingTo destination: UnsafeMutableRawBufferPointer?) -> Bool {
        if let collides = unsafe self?.scan(bytes, copyingTo: destination) { return collides }
        guard let destination = unsafe destination else { return false }
        precondition(destination.count >= bytes.count, "a copy has room for the bytes")
        // SAFETY: the destination has room.
        unsafe bytes.withUnsafeBytes { unsafe destination.copyMemory(from: $0) }
        return false
    }
}
