package import FlyingFox
import Foundation
import MultipartForm

/// A FlyingFox handler that receives an upload part by part.
///
/// - Parameter request: A request with a form.
/// - Returns: What was read.
/// - Throws: What the connection throws.
package func receiveUpload(_ request: HTTPRequest) async throws -> HTTPResponse {
    let contentType = request.headers[.contentType] ?? "application/octet-stream"
    var receipts: [PartReceipt] = []
    do {
        for try await part in try request.bodySequence.multipartParts(contentType: contentType) {
            var tally = PartTally(part.headers)
            for try await bytes in part.body { tally.add(bytes) }
            receipts.append(tally.receipt)
        }
    } catch {
        guard let status = refusalStatus(of: error) else { throw error }
        return HTTPResponse(statusCode: HTTPStatusCode(status, phrase: "Refused"), body: Data("\(error)".utf8))
    }
    return HTTPResponse(
        statusCode: .ok,
        headers: [.contentType: "application/json"],
        body: try JSONEncoder().encode(receipts)
    )
}
