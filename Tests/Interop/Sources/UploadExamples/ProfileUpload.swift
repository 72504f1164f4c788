package import Foundation
package import Hummingbird
import Logging
import MultipartForm

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// Uploads a profile with URLSession, and prints how much of it has been sent.
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
    form.append(photoURL, withName: "photo")  // named and typed by its path, checked now, read later
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
    // A long form, but not on Linux: withEncodedForm(inMemoryUpTo:), which writes a temporary file.
    let (answer, response) = try await session.upload(for: request, from: form.encode(), delegate: PrintedProgress())

    final class PrintedProgress: NSObject, URLSessionTaskDelegate {  // sent or buffered; `progress:` counts encoding
        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didSendBodyData bytesSent: Int64,
            totalBytesSent: Int64,
            totalBytesExpectedToSend: Int64
        ) {
            print("\(totalBytesSent) of \(totalBytesExpectedToSend) bytes sent")
        }
    }
    return (answer, response)
}

/// A Hummingbird router that receives profiles.
///
/// - Parameter uploads: The directory for photos.
/// - Returns: A router with one route, `/profiles`, which answers with the name.
package func makeProfileRouter(uploads: URL) -> Router<BasicRequestContext> {
    let router = Router()

    let routes: [String: MultipartCollector.Route] = ["name": .memory(upTo: 1024), "photo": .disk(upTo: 5 << 20)]
    router.post("profiles") { request, context in  // of Hummingbird
        do {
            let form = try await MultipartFormData(
                collecting: request.body.map(\.readableBytesView),
                contentType: request.headers[.contentType]
            ) { headers in routes[headers.name ?? ""] ?? .reject }
            guard form.count == 2, let name = try form["name"]?.text(), let photo = form["photo"],
                photo.filename != nil, photo.length != 0
            else { throw HTTPError(.badRequest) }
            try await photo.save(to: uploads.appendingPathComponent(UUID().uuidString))
            return name
        } catch let error as MultipartError {
            context.logger.notice("upload refused: \(error)")
            throw HTTPError(.init(code: error.httpStatus), message: "\(error.code)")
        }
    }

    return router
}
