package import AsyncHTTPClient
package import Foundation
package import MultipartFormCodec
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// A presigned POST: where to send a form, and the fields that allow it.
package struct PresignedPost: Decodable, Sendable {
    /// A field of the form.
    package struct Field: Decodable, Sendable {
        /// The field's name.
        package var name: String
        /// The field's value.
        package var value: String
    }

    /// The bucket's address.
    package var url: URL
    /// The fields, as the program that signed the policy has sent them.
    package var fields: [Field]
}

extension PresignedPost {
    /// Makes the form that uploads a file.
    ///
    /// - Parameter file: The file; S3 takes its name for `${filename}` in the key.
    /// - Returns: The form.
    package func makeForm(with file: URL) -> MultipartFormData {
        var form = MultipartFormData()
        for field in fields { form.append(field.value, withName: field.name) }
        form.append(file, withName: "file")  // S3 ignores what is after it.
        return form
    }
}

/// Uploads a file to S3 with AsyncHTTPClient, reading it as it is sent.
///
/// - Parameters:
///   - file: The file.
///   - post: The presigned POST.
///   - client: The client that sends it.
/// - Returns: The response's status and body, which is XML.
/// - Throws: ``UploadError``, or an error of the form or the client.
package func upload(
    _ file: URL,
    with post: PresignedPost,
    using client: HTTPClient
) async throws -> (status: Int, body: Data) {
    let form = post.makeForm(with: file)
    // Without a length the client would send the form in chunks,
    // which S3 refuses.
    guard let length = form.encodedLength else { throw UploadError.unknownLength }
    var request = HTTPClientRequest(url: post.url.absoluteString)
    request.method = .POST
    request.headers.add(name: "Content-Type", value: form.contentType)
    request.body = .stream(
        form.chunks().map { try await client.buffer($0) },
        length: .known(Int64(length))
    )
    let response = try await client.execute(request, timeout: .minutes(5))
    return (Int(response.status.code), Data(buffer: try await response.body.collect(upTo: 1 << 20)))
}

/// Uploads a file to S3 with URLSession, from memory or from a temporary file.
///
/// - Parameters:
///   - file: The file.
///   - post: The presigned POST.
///   - session: The session that sends it.
/// - Returns: The response's status and body, which is XML.
/// - Throws: An error of the form or the session.
package func upload(
    _ file: URL,
    with post: PresignedPost,
    using session: URLSession
) async throws -> (status: Int, body: Data) {
    let form = post.makeForm(with: file)
    var request = URLRequest(url: post.url)
    request.httpMethod = "POST"
    request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
    let (body, response) = try await form.withEncodedForm(inMemoryUpTo: 1 << 20) { encoded in
        switch encoded {
        case .data(let data): try await session.upload(for: request, from: data)
        case .file(let file): try await session.upload(for: request, fromFile: file)
        }
    }
    guard let response = response as? HTTPURLResponse else { throw UploadError.refused }
    return (response.statusCode, body)
}
