package import FlyingFox
import FlyingSocks
package import Foundation
package import Logging
import MultipartFormCodec

/// A FlyingFox handler that stores the video of a form.
///
/// - Parameters:
///   - request: A request with a form.
///   - directory: The directory for the video, also while it arrives.
///   - maxVideoBytes: The longest video, in bytes.
///   - logger: For errors of the server.
/// - Returns: The name of the stored file, or a refusal.
/// - Throws: An error of the connection, when nobody is left to answer.
package func receiveVideo(
    _ request: HTTPRequest,
    storedIn directory: URL,
    upTo maxVideoBytes: Int,
    logger: Logger
) async throws -> HTTPResponse {
    do {
        let id = try await storeVideo(
            request.bodySequence,
            contentType: request.headers[.contentType],
            contentLength: request.headers[.contentLength],
            in: directory,
            maxVideoBytes: maxVideoBytes
        )
        return HTTPResponse(statusCode: .created, body: Data(id.utf8))
    } catch let error as SocketError {
        throw error  // nobody is left to answer
    } catch {
        let refusal = Refusal(error)
        guard refusal.status < 500 else {
            logger.error("\(refusal.reason)")
            return HTTPResponse(statusCode: .internalServerError)
        }
        let status = HTTPStatusCode(refusal.status, phrase: "Refused")
        return HTTPResponse(statusCode: status, body: Data(refusal.reason.utf8))
    }
}
