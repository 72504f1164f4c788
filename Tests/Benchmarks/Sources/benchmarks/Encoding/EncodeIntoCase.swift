import Foundation
import MultipartForm

/// Encodes `Data` into a reused buffer, compared with a copy into warm memory.
///
/// Without the cost of new pages, the cost of the collision scan shows.
struct EncodeIntoCase: BenchmarkCase {
    /// The buffer that both operations use.
    ///
    /// It keeps some bytes, like a request's head: Foundation's `Data` frees its memory when it is emptied, even by
    /// `removeAll(keepingCapacity: true)`.
    private final class Buffer {
        private static let head = 64
        private var data = Data(count: head)

        /// Encodes a form after the head; returns its number of bytes.
        func encode(_ form: MultipartFormData) throws -> Int {
            data.removeSubrange(Self.head..<data.count)
            try form.encode(into: &data)
            return data.count - Self.head
        }
    }

    var name: String { "encode-into" }

    func run(_ settings: Settings) throws -> [BenchmarkResult] {
        let buffer = Buffer()
        return try scanResults(settings, against: { ($0.copy, $0.freshCopy) }, encode: buffer.encode)
    }
}
