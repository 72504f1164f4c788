#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Chunks of bytes of any type: `Data`, arrays and their slices, SwiftNIO's views, Dispatch's data.
extension Collection<UInt8> {
    /// The bytes as `Data`: shared if they are `Data`, else copied.
    // Inlinable, so that the cast costs nothing if the compiler knows the type.
    @inlinable
    var data: Data {
        if let data = self as? Data { return data }
        // SAFETY: the bytes are copied inside the closure.
        return withContiguousStorageIfAvailable { unsafe Data(buffer: $0) } ?? gathered
    }

    /// A copy of bytes that are not contiguous.
    @usableFromInline
    var gathered: Data {
        var result = Data()
        result.reserveCapacity(count)
        forEachPiece { result.append(copying: $0) }
        return result
    }

    /// Calls `body` with the bytes in place or, if they are not contiguous, piece by piece, in order.
    func forEachSpan(_ body: (Span<UInt8>) throws -> Void) throws {
        if try !readInPlace(body) { try forEachPiece(body) }
    }

    /// Calls `body` with the bytes in place, and returns true. If the bytes are not contiguous, returns false without a
    /// call.
    func readInPlace(_ body: (Span<UInt8>) throws -> Void) throws -> Bool {
        // SAFETY: the buffer is read inside the closure only.
        try withContiguousStorageIfAvailable { try body(unsafe $0.span) } != nil
    }

    /// Calls `body` with each region of a `DataProtocol`. For any other type, calls it with copies of up to 64 KiB
    /// each.
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
    /// The bytes of a text in UTF-8. Faster than `Data(text.utf8)`, which treats the view as a general sequence.
    init(utf8 text: String) {
        var text = text
        // SAFETY: the bytes are copied inside the closure.
        self = text.withUTF8 { unsafe Data(buffer: $0) }
    }
}
