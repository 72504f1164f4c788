import Foundation
import MultipartFormCodec

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Makes the body, and makes it again if a redirect or an authentication makes the session send it again.
final class BodyStreams: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
    private let form: MultipartFormData
    private let offset: UInt64
    private let sent: @Sendable (Int64) -> Void
    private let lock = NSLock()
    // SAFETY: touched under the lock only.
    private var last: InputStream?

    init(_ form: MultipartFormData, from offset: UInt64 = 0, _ sent: @escaping @Sendable (Int64) -> Void) {
        self.form = form
        self.offset = offset
        self.sent = sent
    }

    func make() throws -> InputStream {
        let stream = try form.makeInputStream(from: offset)
        lock.withLock { last = stream }
        return stream
    }

    /// Why the last body could not be read to its end.
    var error: (any Error)? {
        lock.withLock { last?.streamError }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        completionHandler(try? make())
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        // The session counts from the offset.
        sent(Int64(clamping: offset) + totalBytesSent)
    }
}
