package import FlyingFox
import Foundation
import MultipartForm

/// A FlyingFox handler that receives an upload part by part.
///
/// - Parameter request: A request with a form.
/// - Returns: What was read.
/// - Throws: What the connection throws.
package func receiveUpload(_ request: HTTPRequest) async throws -> HTTPResponse {
    let contentType = request.headers[.contentType] ?? ""
    var receipts: [PartReceipt] = []
    do {
        for try await part in try request.bodySequence.multipartParts(contentType: contentType) {
            var tally = PartTally(part.headers)
            for try await bytes in part.body { tally.add(bytes) }
            receipts.append(tally.receipt)
        }
    } catch let error as MultipartParsingError {
        return HTTPResponse(statusCode: .badRequest, body: Data(error.description.utf8))
    }
    return HTTPResponse(
        statusCode: .ok,
        headers: [.contentType: "application/json"],
        body: try JSONEncoder().encode(receipts)
    )
}
