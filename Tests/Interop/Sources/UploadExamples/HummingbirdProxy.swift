import AsyncAlgorithms
package import AsyncHTTPClient
package import Foundation
package import Hummingbird
import Logging
import MultipartFormCodec
import NIOCore
import NIOHTTP1

/// A Hummingbird router that passes uploads on to another server while they arrive.
///
/// The upstream server gets neither a complete form nor a complete body if the client's message is malformed
/// or ends early.
///
/// - Parameters:
///   - url: The upstream server's address.
///   - client: The client that sends them.
///   - timeout: How long an upload may take, from its start, so also for the slowest client.
/// - Returns: A router whose one route, `/upload`, drops the part `password` and renames `file` to `attachment`.
package func makeProxyRouter(
    upstream url: URL,
    client: HTTPClient,
    timeout: TimeAmount = .hours(1)
) -> Router<BasicRequestContext> {
    let router = Router()
    router.add(middleware: FormErrors())
    router.add(middleware: ProxyErrors())

    router.post("upload") { request, _ in
        let (body, buffers) = (request.body, AsyncThrowingChannel<ByteBuffer, any Error>())
        return try await withThrowingTaskGroup(of: Void.self) { group in
            // Only this task reads the request, and it ends before the route returns. Hummingbird then reads what is
            // left of the request; two readers of one body, the other one AsyncHTTPClient, would end the process.
            group.addTask {
                do {
                    for try await buffer in body { await buffers.send(buffer) }
                    buffers.finish()
                } catch {
                    buffers.fail(ClientGone(cause: error))
                }
            }
            defer { group.cancelAll() }

            let chunks = buffers.map(\.readableBytesView)
            let parts = try chunks.multipartParts(contentType: request.headers[.contentType])
            let form = EncodedFormChunks(encoding: parts.compactMap(passedOn))

            var upstream = HTTPClientRequest(url: url.absoluteString)
            upstream.method = .POST
            upstream.headers.add(name: "Content-Type", value: form.contentType)
            upstream.body = .stream(form.map { try await client.buffer($0) }, length: .unknown)
            // Counts from the start, so it is for the slowest client, too.
            let answer = try await client.execute(upstream, timeout: timeout)
            let text = try await answer.body.collect(upTo: 1 << 20)
            return Response(
                status: .init(code: Int(answer.status.code)),
                headers: answer.headers.first(name: "Content-Type").map { [.contentType: $0] } ?? [:],
                body: ResponseBody(byteBuffer: text)
            )
        }
    }

    return router
}

/// The configuration of a client that fails at once if a server cannot be reached.
package func makeProxyConfiguration() -> HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.retryConnectionEstablishment = false
    return configuration
}

/// The client's connection has broken.
package struct ClientGone: Error {
    package let cause: any Error

    /// Whether an error is that of the client's connection. Within a part's body it is the cause of a `MultipartError`.
    package static func isCause(of error: any Error) -> Bool {
        error is ClientGone || (error as? MultipartError)?.underlyingError is ClientGone
    }
}

extension ClientGone {
    /// Creates the error outside of this module.
    package init(_ cause: any Error) { self.init(cause: cause) }
}

/// Answers 502 or 504 if the other server has failed, and logs that.
struct ProxyErrors<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            if ClientGone.isCause(of: error) {
                context.logger.debug("the client has gone: \(error)")
                throw HTTPError(.badRequest)
            }
            guard error is HTTPClientError || error is IOError else { throw error }
            context.logger.error("the other server has failed: \(error)")
            let isTooLate = error as? HTTPClientError == .deadlineExceeded
            throw HTTPError(isTooLate ? .gatewayTimeout : .badGateway)
        }
    }
}

/// The part to send for one that is arriving; nil to drop it.
@Sendable private func passedOn(_ part: MultipartParts.Part) -> BodyPart? {
    switch part.name {
    case "password":
        nil
    case "file":
        BodyPart(
            part.body,
            length: nil,
            name: "attachment",
            filename: part.filename,
            contentType: part.contentType
        )
    default:
        BodyPart(part)
    }
}
