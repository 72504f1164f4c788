package import FlyingFox
import Foundation
import MultipartFormCodec

/// A FlyingFox handler that receives an upload part by part.
///
/// - Parameter request: A request with a form.
/// - Returns: The receipts of the parts, or a refusal.
/// - Throws: An error of the connection.
package func receiveUpload(_ request: HTTPRequest) async throws -> HTTPResponse {
    var receipts: [PartReceipt] = []
    do {
        let contentType = request.headers[.contentType]
        for try await part in try request.bodySequence.multipartParts(contentType: contentType) {
            receipts.append(try await PartReceipt(reading: part))
        }
    } catch let error as MultipartError {
        let status = HTTPStatusCode(error.httpStatus, phrase: "Refused")
        return HTTPResponse(statusCode: status, body: Data((error.clientMessage ?? "upload failed").utf8))
    }
    return HTTPResponse(
        statusCode: .ok,
        headers: [.contentType: "application/json"],
        body: try JSONEncoder().encode(receipts)
    )
}
