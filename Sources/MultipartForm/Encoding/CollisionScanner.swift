/// Finds a line of content that begins with the dash-boundary (RFC 2046 §5.1).
///
/// - Input: one content's bytes, in pieces of any size.
/// - Output: whether the dash-boundary stands at the content's start, or after a CR or LF: a receiver that accepts
///   either as a line break would split the content there.
/// - Invariant: a match is open while the bytes read end with the beginning of a line and a prefix of the dash-boundary.
/// - Cost: linear; no allocation.
struct CollisionScanner {
    private var search: DelimiterSearch
    /// The length of the prefix of the dash-boundary that begins the content's last line; nil if anything else does.
    private var matched: Int? = 0

    init(boundary: Boundary) {
        search = DelimiterSearch(needle: boundary.dashBoundary)
    }

    /// Begins a content, which begins a line, or continues within a line after skipped bytes.
    mutating func begin(withinLine: Bool = false) {
        matched = withinLine ? nil : 0
    }

    /// How many bytes before an offset may belong to a collision that ends after it, with the line break before it.
    var reach: Int { search.needle.count }

    /// Whether a collision ends in the next bytes; if none does, and there is a destination, copies them to it.
    mutating func scan(_ bytes: Span<UInt8>, copyingTo destination: UnsafeMutableRawBufferPointer?) -> Bool {
        if continueMatch(in: bytes) { return true }
        var found =
            // SAFETY: the search checks that the destination has room.
            if let destination = unsafe destination {
                unsafe search.search(bytes, copyingTo: destination)
            } else {
                search.search(bytes, from: 0)
            }
        if found != nil {
            // The copy ends there, but within a line the dash-boundary is content.
            // SAFETY: copyMemory checks that the bytes fit.
            unsafe bytes.withUnsafeBytes { unsafe destination?.copyMemory(from: $0) }
        }
        while let match = found {
            if match > 0, Self.isLineBreak(bytes[match - 1]) { return true }
            found = search.search(bytes, from: match + 1)
        }
        if matched == nil { matched = lengthOfMatch(atEndOf: bytes) }
        return false
    }

    /// Continues the open match, if there is one, with the first bytes; true if they complete it.
    private mutating func continueMatch(in bytes: Span<UInt8>) -> Bool {
        guard let matched else { return false }
        let rest = search.needle.count - matched
        let length = min(rest, bytes.count)
        for index in 0..<length where bytes[index] != search.needle[matched + index] {
            self.matched = nil
            return false
        }
        self.matched = matched + length
        return length == rest
    }

    /// The length of the prefix of the dash-boundary that begins the last line of `bytes`; nil if anything else does, or
    /// if the line began before them.
    private func lengthOfMatch(atEndOf bytes: Span<UInt8>) -> Int? {
        let lowest = max(0, bytes.count - search.needle.count)
        // Most fields have no line break. Backwards, byte by byte, sending received fields on (`programs encode-again`)
        // takes 30% more instructions.
        guard ASCII.endOfText(bytes, from: lowest, to: bytes.count) < bytes.count else { return nil }
        var start = bytes.count
        while start > lowest, !Self.isLineBreak(bytes[start - 1]) { start -= 1 }
        guard start > lowest else { return nil }
        for index in start..<bytes.count where bytes[index] != search.needle[index - start] { return nil }
        return bytes.count - start
    }

    /// What a collision is, in words.
    fileprivate var fact: String {
        "content has a line that begins with \"\(String(decoding: search.needle, as: UTF8.self))\", the boundary"
    }

    private static func isLineBreak(_ byte: UInt8) -> Bool {
        byte == ASCII.carriageReturn || byte == ASCII.lineFeed
    }
}

extension CollisionScanner? {
    /// The error of content that collides.
    var collision: MultipartError { MultipartError(.boundaryCollision, self?.fact) }

    /// As `scan` of the scanner; without one, there is no collision.
    mutating func scan(_ bytes: Span<UInt8>, copyingTo destination: UnsafeMutableRawBufferPointer?) -> Bool {
        if let collides = unsafe self?.scan(bytes, copyingTo: destination) { return collides }
        // SAFETY: copyMemory checks that the bytes fit.
        unsafe bytes.withUnsafeBytes { unsafe destination?.copyMemory(from: $0) }
        return false
    }
}
