import AsyncAlgorithms
package import AsyncHTTPClient
package import Foundation
package import Hummingbird
import Logging
import MultipartFormCodec
package import NIOCore
import NIOHTTP1

/// A Hummingbird router that forwards uploads to another server while they arrive.
///
/// The upstream server gets neither a complete form nor a complete body if the client's message is malformed
/// or ends early.
///
/// - Parameters:
///   - url: The upstream server's address.
///   - client: The client that sends them.
///   - timeout: How long an upload may take, from its start, so also for the slowest client.
/// - Returns: A router whose one route, `/upload`, drops the part `password`, trims the text of `title`, renames `file`
///   to `attachment` and scans it, and adds the part `request-id`.
package func makeProxyRouter(
    upstream url: URL,
    client: HTTPClient,
    timeout: TimeAmount = .hours(1)
) -> Router<BasicRequestContext> {
    let router = Router()
    router.add(middleware: FormErrors())
    router.add(middleware: ProxyErrors())

    router.post("upload") { request, context in
        try await withSingleReader(of: request.body) { body in
            let parts = try body.map(\.readableBytesView)
                .multipartParts(contentType: request.headers[.contentType])
            let form = EncodedFormChunks(
                encoding: parts.compactMap(forwarded),
                before: [BodyPart(context.id, name: "request-id")]
            )

            var upstream = HTTPClientRequest(url: url.absoluteString)
            upstream.method = .POST
            upstream.headers.add(name: "Content-Type", value: form.contentType)
            upstream.body = .stream(form.map { try await client.buffer($0) }, length: .unknown)
            let answer = try await client.execute(upstream, timeout: timeout)
            var headers = HTTPFields()
            headers[.contentType] = answer.headers.first(name: "Content-Type")
            headers[.retryAfter] = answer.headers.first(name: "Retry-After")
            return Response(
                status: .init(code: Int(answer.status.code)),
                headers: headers,
                body: ResponseBody(byteBuffer: try await answer.body.collect(upTo: 1 << 20))
            )
        }
    }

    return router
}

/// Reads a request's body in a task of its own, which ends before this
/// function returns.
func withSingleReader<Value>(
    of body: RequestBody,
    _ operation: (AsyncThrowingChannel<ByteBuffer, any Error>) async throws -> Value
) async throws -> Value {
    let buffers = AsyncThrowingChannel<ByteBuffer, any Error>()
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            do {
                for try await buffer in body { await buffers.send(buffer) }
                buffers.finish()
            } catch {
                buffers.fail(ClientDisconnected(cause: error))
            }
        }
        defer { group.cancelAll() }
        return try await operation(buffers)
    }
}

/// The part to send for one that is arriving; nil to drop it.
@Sendable
func forwarded(_ part: MultipartParts.Part) async throws -> BodyPart? {
    switch part.name {
    case "password", "request-id":
        return nil
    case "title":
        // To change a text, read it.
        let title = try await part.text(upTo: 1000)
        return BodyPart(
            title.trimmingCharacters(in: .whitespacesAndNewlines),
            name: "title"
        )
    case "file":
        let scanner = BodyScanner()
        return BodyPart(
            part.body.map { try await scanner.scan($0) },
            length: nil,
            name: "attachment",
            filename: part.filename,
            contentType: part.contentType
        )
    default:
        return BodyPart(part)
    }
}

/// Searches a body for a signature, also across the ends of pieces.
package actor BodyScanner {
    private let signature = Data("FORBIDDEN-CONTENT".utf8)
    private var end = Data()

    package init() {}

    package func scan(_ piece: Data) throws -> Data {
        let window = end + piece
        guard window.range(of: signature) == nil else {
            throw HTTPError(.unprocessableContent, message: "file refused")
        }
        end = window.suffix(signature.count - 1)
        return piece
    }
}

/// The configuration of a client that fails at once if a server cannot be reached.
package func makeProxyConfiguration() -> HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.retryConnectionEstablishment = false
    return configuration
}

/// The client's connection has broken.
package struct ClientDisconnected: Error {
    let cause: any Error

    package init(cause: any Error) {
        self.cause = cause
    }
}

/// Answers an error of either connection: 400 if the client has
/// disconnected, 502 or 504 if the upstream server has failed.
package struct ProxyErrors<Context: RequestContext>: RouterMiddleware {
    package func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            switch Self.cause(of: error) {
            case let cause as ClientDisconnected:
                context.logger.debug("the client disconnected: \(cause)")
                throw HTTPError(.badRequest)
            case let cause as HTTPClientError where cause == .deadlineExceeded:
                context.logger.error("the upstream server is too slow")
                throw HTTPError(.gatewayTimeout)
            case let cause where cause is HTTPClientError || cause is IOError:
                context.logger.error("the upstream server failed: \(cause)")
                throw HTTPError(.badGateway)
            case let refusal as HTTPError:
                throw refusal
            default:
                throw error
            }
        }
    }

    /// What a part's content threw, or else the error itself.
    package static func cause(of error: any Error) -> any Error {
        (error as? MultipartError)?.underlyingError ?? error
    }
}
