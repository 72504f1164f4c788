import Foundation
import MultipartForm

/// Encodes `Data` into a buffer that is used again and again: compared with a copy into warm memory.
///
/// No new page hides here what the collision scan costs.
struct EncodeIntoCase: BenchmarkCase {
    /// The buffer that both operations use.
    ///
    /// It keeps a head of some bytes, as that of a request would be: Foundation's `Data` gives its memory back when
    /// it is emptied, even by `removeAll(keepingCapacity: true)`.
    private final class Buffer {
        private static let head = 64
        private var data = Data(count: head)

        /// Encodes a form behind the head; the number of bytes there.
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
