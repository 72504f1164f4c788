import Foundation
package import Hummingbird
package import HummingbirdTesting
package import MultipartFormCodec
import NIOFoundationCompat

extension TestClientProtocol {
    /// Posts a form to a route under test.
    ///
    /// - Parameters:
    ///   - form: The form.
    ///   - uri: The route's path.
    /// - Returns: The response.
    /// - Throws: An error of the form or of the test client.
    package func post(_ form: MultipartFormData, to uri: String) async throws -> TestResponse {
        try await execute(
            uri: uri,
            method: .post,
            headers: [.contentType: form.contentType],
            body: ByteBuffer(data: try form.encode())
        ) { $0 }
    }
}

/// Uploads a photo to a router in this process, without a socket.
///
/// - Parameters:
///   - router: A router with the route `/photos`.
///   - photo: The photo.
/// - Returns: The response's status and body.
/// - Throws: An error of the form or of the test client.
package func tryPhotoRoute(
    of router: Router<BasicRequestContext>,
    with photo: PhotoUpload
) async throws -> (HTTPResponse.Status, String) {
    let form = try FormDataEncoder().encode(photo)
    let response = try await Application(responder: router.buildResponder()).test(.router) { client in
        try await client.post(form, to: "/photos")
    }
    return (response.status, String(buffer: response.body))
}
