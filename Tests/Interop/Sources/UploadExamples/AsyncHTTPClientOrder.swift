package import AsyncHTTPClient
package import Foundation
import MultipartFormCodec

/// Uploads an order as a form with AsyncHTTPClient.
///
/// - Parameters:
///   - order: The order; files on disk are read chunk by chunk.
///   - url: The server's address.
///   - client: The client that sends it.
/// - Returns: The order as the server has read it.
/// - Throws: ``UploadError``, or an error of the encoder, the form or the client.
package func upload(_ order: Order, to url: URL, with client: HTTPClient) async throws -> OrderReceipt {
    let form = try FormDataEncoder().encode(order)
    let body = try await upload(form, to: url, with: client)
    return try JSONDecoder().decode(OrderReceipt.self, from: body)
}
