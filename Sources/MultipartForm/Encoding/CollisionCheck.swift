/// Finds a line of content that begins with the dash-boundary (RFC 2046 §5.1).
///
/// - Input: one content's bytes, in pieces of any size.
/// - Output: whether the dash-boundary stands at the content's start, or after a CR or LF: a receiver that accepts
///   either as a line break would split the content there.
/// - Cost: that of ``BoundarySearch``.
struct CollisionCheck {
    private var search: BoundarySearch

    init(boundary: Boundary) {
        search = BoundarySearch(dashBoundary: boundary.dashBoundary)
    }

    /// Begins a content, which begins a line, or continues within a line after skipped bytes.
    mutating func begin(withinLine: Bool = false) {
        search.begin(after: withinLine ? .other : .start)
    }

    /// How many bytes before an offset may belong to a collision that ends after it, with the line break before it.
    var reach: Int { search.dashBoundary.count }

    /// Whether a collision ends in the next bytes; if none does, and there is a destination, copies them to it.
    mutating func scan(_ bytes: Span<UInt8>, copyingTo destination: UnsafeMutableRawBufferPointer?) -> Bool {
        var place =
            // SAFETY: the search checks that the destination has room.
            if let destination = unsafe destination {
                unsafe search.next(in: bytes, copyingTo: destination)
            } else {
                search.next(in: bytes, from: 0)
            }
        // Each pass skips a dash-boundary within a line, which is content.
        while place.isWhole {
            guard case .other = place.predecessor else { return true }
            place = search.next(in: bytes, from: search.end(of: place))
        }
        return false
    }

    /// What a collision is, in words.
    fileprivate var fact: String {
        let dashBoundary = String(decoding: search.dashBoundary, as: UTF8.self)
        return "content has a line that begins with \"\(dashBoundary)\", the boundary"
    }
}

extension CollisionCheck? {
    /// The error of content that collides.
    var collision: MultipartError { MultipartError(.boundaryCollision, self?.fact) }

    /// As `scan` of the check; without one, there is no collision.
    mutating func scan(_ bytes: Span<UInt8>, copyingTo destination: UnsafeMutableRawBufferPointer?) -> Bool {
        if let collides = unsafe self?.scan(bytes, copyingTo: destination) { return collides }
        guard let destination = unsafe destination else { return false }
        precondition(destination.count >= bytes.count, "a copy has room for the bytes")
        // SAFETY: the destination has room.
        unsafe bytes.withUnsafeBytes { unsafe destination.copyMemory(from: $0) }
        return false
    }
}
