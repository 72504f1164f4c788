internal import Foundation
internal import MultipartFormCodec
internal import TestSupport

/// What one performance of an entry needs, and what it notes.
final class Scene: @unchecked Sendable {
    // Only `stayed` changes, under the lock.

    /// Given when the task is to be cancelled.
    let cancellation = Signal()
    /// Signalled at the entry's end.
    let performance = LimitedSemaphore()
    private let directory: TemporaryDirectory
    private let isOnActor: @Sendable () -> Bool
    private var isStill: Bool?
    private let lock = NSLock()

    init(_ directory: TemporaryDirectory, isOnActor: @escaping @Sendable () -> Bool) throws {
        self.directory = directory
        self.isOnActor = isOnActor
        try directory.write(Data(count: 1000), as: "existing")
    }

    /// Whether the entry was still on its actor at its end; nil before.
    var stayed: Bool? { lock.withLock { isStill } }

    /// Notes whether this runs on the actor.
    func note() {
        let isStill = isOnActor()
        lock.withLock { self.isStill = isStill }
    }

    func url(_ name: String) -> URL { directory.url.appendingPathComponent(name) }

    /// A file that exists.
    var existing: URL { url("existing") }
    /// A file to create, in a directory that exists.
    var vacant: URL { url("vacant") }
    /// A file in a directory that does not exist.
    var unreachable: URL { url("missing/file") }
}

/// How a message arrives, and so how reading it ends.
enum Arrival: CaseIterable {
    case whole
    case cutOff
    /// The second part has no field name.
    case malformed
    /// The last body is longer than the parser's limit.
    case tooLong
    /// The source throws on an executor of its own.
    case disconnected
    /// A stream of the standard library fails, from another thread.
    case disconnectedStream
    /// The task is cancelled while the source waits.
    case cancelled

    var outcome: Outcome {
        switch self {
        case .whole: .success
        case .cutOff: .failure(.unexpectedEnd)
        case .malformed: .failure(.malformedHeader)
        case .tooLong: .failure(.limitPartBytes)
        case .disconnected, .disconnectedStream: .foreign
        case .cancelled: .cancellation
        }
    }

    var options: MultipartParser.Options {
        MultipartParser.Options(maxPartBytes: self == .tooLong ? 250 : nil)
    }
}

/// An actor whose methods throw where it runs.
private actor Peer {
    static let shared = Peer()

    func disconnect() throws { throw POSIXError(.ECONNRESET) }
}

extension Scene {
    static let contentType = "multipart/form-data; boundary=b"

    /// A field, and a file of 300 bytes, in chunks of 50 bytes.
    private func chunks(_ arrival: Arrival) -> [Data] {
        let field = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nvalue\r\n"
        let header = arrival == .malformed ? "no field" : "Content-Disposition: form-data; name=\"f\"; filename=\"x\""
        let body = String(repeating: "x", count: 300)
        let message = Data("\(field)--b\r\n\(header)\r\n\r\n\(body)\r\n--b--\r\n".utf8)
        return ChunkSplitter.pieces(of: arrival == .cutOff ? message.dropLast(100) : message, size: 50)
    }

    /// A source that suspends elsewhere before each chunk.
    func source(_ arrival: Arrival) -> ChunkSource<Data> {
        let chunks = chunks(arrival)
        return ChunkSource(chunks) { [cancellation] index in
            await Task.yield()
            guard index == chunks.count - 2 else { return }
            if arrival == .disconnected { try await Peer.shared.disconnect() }
            if arrival == .cancelled {
                cancellation.give()
                try await waitForCancellation()
            }
        }
    }

    /// A stream of the standard library that gets its chunks from another thread.
    func stream(_ arrival: Arrival) -> AsyncThrowingStream<Data, any Error> {
        let chunks = chunks(arrival)
        return AsyncThrowingStream { continuation in
            DispatchQueue.global().async {
                for chunk in chunks.dropLast(2) { continuation.yield(chunk) }
                continuation.finish(throwing: POSIXError(.ECONNRESET))
            }
        }
    }

    func parts(_ arrival: Arrival) throws -> MultipartParts {
        guard arrival == .disconnectedStream else {
            return try source(arrival).multipartParts(contentType: Self.contentType, options: arrival.options)
        }
        return try stream(arrival).multipartParts(contentType: Self.contentType, options: arrival.options)
    }
}
