import Foundation
import NIOCore
import NIOPosix
import Testing

/// A request whose bytes a test decides, and what the server answers.
struct RawRequest {
    /// The header fields, besides Host.
    var headers: [String]
    /// The bytes after the head.
    var body = Data()

    /// A request with a Content-Length.
    init(_ body: Data, as type: String, declaring length: Int? = nil) {
        headers = ["Content-Type: \(type)", "Content-Length: \(length ?? body.count)"]
        self.body = body
    }

    /// A request whose length is unknown, and which has not ended unless it says so.
    init(chunk: Data, as type: String, hasEnded: Bool) {
        headers = ["Content-Type: \(type)", "Transfer-Encoding: chunked"]
        let size = String(chunk.count, radix: 16)
        body = Data("\(size)\r\n".utf8) + chunk + Data("\r\n\(hasEnded ? "0\r\n\r\n" : "")".utf8)
    }

    /// The status and the body of an answer.
    struct Answer {
        let status: Int
        let text: String
    }

    /// Sends the request, and nothing after it; returns when the answer has arrived.
    func send(to url: URL) async throws -> Answer {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: try #require(url.port)) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        let head = ["POST \(url.path) HTTP/1.1", "Host: 127.0.0.1"] + headers
        var request = ByteBuffer(string: head.joined(separator: "\r\n") + "\r\n\r\n")
        request.writeBytes(body)
        // A server that does not answer fails the test.
        channel.channel.eventLoop.scheduleTask(in: .seconds(20)) { channel.channel.close(promise: nil) }
        return try await channel.executeThenClose { [request] inbound, outbound in
            try await outbound.write(request)
            var received = ""
            for try await buffer in inbound {
                received += String(buffer: buffer)
                if let answer = Self.parse(received) { return answer }
            }
            return try #require(nil as Answer?, "the server closed the connection after \(received)")
        }
    }

    /// The answer, if it is complete.
    private static func parse(_ text: String) -> Answer? {
        let pieces = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        guard pieces.count == 2, let status = text.firstMatch(of: /^HTTP\/1\.1 (\d+)/) else { return nil }
        let length = pieces[0].firstMatch(of: /(?i)content-length: *(\d+)/).flatMap { Int($0.1) } ?? 0
        guard pieces[1].utf8.count >= length else { return nil }
        return Answer(status: Int(status.1) ?? 0, text: String(pieces[1]))
    }
}
