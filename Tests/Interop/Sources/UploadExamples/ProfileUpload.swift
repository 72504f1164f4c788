package import Foundation
package import Hummingbird
import Logging
import MultipartFormCodec

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// Uploads a profile with URLSession.
///
/// - Parameters:
///   - photoURL: The photo's file.
///   - url: The server's address.
///   - session: The session that sends it.
/// - Returns: The response's body and the response.
/// - Throws: An error of the form or the session.
package func uploadProfile(
    _ photoURL: URL,
    to url: URL,
    with session: URLSession
) async throws -> (Data, URLResponse) {
    var form = MultipartFormData()
    form.append("Ada", withName: "name")
    form.append(photoURL, withName: "photo")  // named and typed by its path, read while it is sent
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
    let (answer, response) = try await session.upload(for: request, from: form.encode())
    return (answer, response)
}

/// A Hummingbird router that receives profiles.
///
/// - Parameter uploads: The directory for photos.
/// - Returns: A router with one route, `/profiles`, which answers with the name.
package func makeProfileRouter(uploads: URL) -> Router<BasicRequestContext> {
    let router = Router()

    struct Profile: Decodable {
        var name: String
        var photo: FormFile
    }

    router.post("profiles") { request, context in  // of Hummingbird
        do {
            let form = try await MultipartFormData(
                collecting: request.body.map(\.readableBytesView),
                contentType: request.headers[.contentType]
            ) { headers in headers.filename == nil ? .memory(upTo: 1024) : .disk(upTo: 5 << 20) }
            let profile = try FormDataDecoder().decode(Profile.self, from: form)
            try await profile.photo.save(to: uploads.appendingPathComponent(UUID().uuidString))
            return profile.name
        } catch {
            let refusal = MultipartError(error)
            if refusal?.clientMessage == nil { context.logger.error("\(error)") }
            throw HTTPError(.init(code: refusal?.httpStatus ?? 500), message: refusal?.clientMessage ?? "upload failed")
        }
    }

    return router
}
