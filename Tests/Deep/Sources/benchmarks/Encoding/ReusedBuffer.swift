import Foundation
import MultipartFormCodec

/// A buffer for many forms.
///
/// It keeps some bytes, like a request's head: Foundation's `Data` frees its memory when it is emptied, even by
/// `removeAll(keepingCapacity: true)`.
final class ReusedBuffer {
    private static let head = 64
    private var data = Data(count: head)

    /// Encodes a form after the head; returns its number of bytes.
    func encode(_ form: MultipartFormData) throws -> Int {
        data.removeSubrange(Self.head..<data.count)
        try form.encode(into: &data)
        return data.count - Self.head
    }
}
