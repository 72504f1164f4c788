#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Reads the bytes of any collection, such as `Data`, an array, a slice, a view of SwiftNIO or Dispatch's data.
extension Collection<UInt8> {
    /// The bytes as `Data`. `Data` is shared; any other collection is copied.
    // Inlinable, so that the cast to `Data` costs nothing if the compiler knows the collection's type.
    @inlinable
    var data: Data {
        if let data = self as? Data { return data }
        // SAFETY: the bytes are copied inside the closure.
        return withContiguousStorageIfAvailable { unsafe Data(buffer: $0) } ?? gathered
    }

    /// A copy of the bytes, gathered piece by piece; for bytes that are not contiguous.
    @usableFromInline
    var gathered: Data {
        var result = Data()
        result.reserveCapacity(count)
        forEachPiece { result.append(copying: $0) }
        return result
    }

    /// If the bytes are contiguous, calls `body` once with all bytes, in place. Otherwise calls `body` with each piece,
    /// in order.
    func forEachSpan(_ body: (Span<UInt8>) throws -> Void) throws {
        if try !readInPlace(body) { try forEachPiece(body) }
    }

    /// If the bytes are contiguous, calls `body` with all bytes, in place, and returns true. Otherwise returns false
    /// without calling `body`.
    func readInPlace(_ body: (Span<UInt8>) throws -> Void) throws -> Bool {
        // SAFETY: the buffer is read inside the closure only.
        try withContiguousStorageIfAvailable { try body(unsafe $0.span) } != nil
    }

    /// Calls `body` with each contiguous region of a `DataProtocol`. For any other type, calls `body` with copies of at
    /// most 64 KiB each.
    private func forEachPiece(_ body: (Span<UInt8>) throws -> Void) rethrows {
        if let data = self as? any DataProtocol { return try data.forEachRegion(body) }
        var rest = self[...]
        while !rest.isEmpty {
            let piece = ContiguousArray(rest.prefix(64 * 1024))
            try body(piece.span)
            rest = rest.dropFirst(piece.count)
        }
    }
}

extension DataProtocol {
    fileprivate func forEachRegion(_ body: (Span<UInt8>) throws -> Void) rethrows {
        for region in regions {
            // SAFETY: the buffer is read inside the closure only.
            try unsafe region.withUnsafeBytes { try body(unsafe $0.bindMemory(to: UInt8.self).span) }
        }
    }
}

extension Data {
    /// Creates the bytes of a text in UTF-8. This is faster than `Data(text.utf8)`, which reads the view as a general
    /// sequence.
    init(utf8 text: String) {
        var text = text
        // SAFETY: the bytes are copied inside the closure.
        self = text.withUTF8 { unsafe Data(buffer: $0) }
    }
}
