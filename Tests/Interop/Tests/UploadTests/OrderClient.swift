import AsyncHTTPClient
import Foundation
import Loopback
import MultipartFormCodec
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import UploadExamples

/// Sends orders, and forms that should have been orders, to one server.
struct OrderClient {
    private let client: HTTPClient
    private let url: URL

    /// A response's status, and the message of Hummingbird's error.
    struct Answer: Equatable {
        var status: UInt
        var message: String?
    }

    private struct Failure: Decodable {
        struct Reason: Decodable {
            var message: String
        }

        var error: Reason
    }

    /// Runs an operation with a client, and closes the client's connections.
    static func with<Value>(_ url: URL, _ operation: (OrderClient) async throws -> Value) async throws -> Value {
        let client = HTTPClient(eventLoopGroupProvider: .singleton)
        let result: Result<Value, any Error>
        do {
            result = .success(try await operation(OrderClient(client: client, url: url)))
        } catch {
            result = .failure(error)
        }
        try await client.shutdown()
        return try result.get()
    }

    /// Uploads an order as the recipe does.
    func upload(_ order: Order) async throws -> OrderReceipt {
        try await UploadExamples.upload(order, to: url, with: client)
    }

    /// Posts a form, whatever the answer may be.
    func post(_ form: MultipartFormData) async throws -> Answer {
        var request = HTTPClientRequest(url: url.absoluteString)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: form.contentType)
        request.body = .bytes(ByteBuffer(data: try form.encode()))
        let response = try await client.execute(request, timeout: .minutes(1))
        let body = Data(buffer: try await response.body.collect(upTo: 1 << 20))
        let failure = try? JSONDecoder().decode(Failure.self, from: body)
        return Answer(status: response.status.code, message: failure?.error.message)
    }
}
