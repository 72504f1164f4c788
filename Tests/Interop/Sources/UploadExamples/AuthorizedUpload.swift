package import Foundation
package import MultipartFormCodec

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// The answer of a server that did not accept an upload.
package struct RefusedUpload: Error, CustomStringConvertible {
    package let status: Int
    /// The beginning of the answer, for a log.
    package let text: String
    /// Whether the rest of an upload may be sent later; not if the answer is that to the whole form.
    package let isTemporary: Bool

    /// What an answer says; nil for one of success.
    package init?(_ body: Data, _ response: URLResponse) {
        let response = response as? HTTPURLResponse
        status = response?.statusCode ?? 0
        if 200..<300 ~= status { return nil }
        text = String(decoding: body.prefix(1000), as: UTF8.self)
        let isComplete = response?.value(forHTTPHeaderField: "Upload-Complete") == "?1"
        isTemporary = (status == 409 || status >= 500) && !isComplete
    }

    package var description: String { "status \(status): \(text)" }

    /// What to tell the user.
    package var message: String {
        switch status {
        case 401, 403: "Sign in again."
        case 408, 429: "The server is busy. Try again later."
        case 413: "The file is too long for this server."
        case 400..<500: "The server does not accept this file."
        default: "The server has failed. Try again later."
        }
    }
}

/// What to tell the user of an upload that has ended without an answer; nil if it was cancelled, which does not mean
/// that the server has not received it.
package func message(for error: URLError) -> String? {
    switch error.code {
    case .cancelled: nil
    case .networkConnectionLost, .unknown, .badServerResponse:
        "The connection was lost, or the server refused the file."
    case .timedOut: "The server has not answered. It may have received the file."
    default: "No connection to the server."
    }
}

/// Uploads a form with a token, and once more with a new token if the server answers 401.
///
/// - Parameters:
///   - form: The form, which is encoded once.
///   - limit: The longest form to keep in memory, in bytes.
///   - url: The server's address.
///   - session: The session that sends it; on Linux, new sessions with its configuration and its delegate do.
///   - token: Returns the token, a new one if the last one has expired.
/// - Returns: The response's body.
/// - Throws: ``RefusedUpload``, or an error of the form, the session or the token.
package func upload(
    _ form: MultipartFormData,
    inMemoryUpTo limit: Int,
    to url: URL,
    with session: URLSession,
    token: @Sendable (_ isExpired: Bool) async throws -> String
) async throws -> Data {
    try await form.withEncodedForm(inMemoryUpTo: limit) { encoded in
        func send(_ token: String) async throws -> (Data, URLResponse) {
            var request = URLRequest(url: url)
            request.httpMethod = "POST"
            request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
            request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
            return try await session.withUnusedSession { [request] session in
                switch encoded {
                case .data(let data): try await session.upload(for: request, from: data)
                case .file(let file): try await session.upload(for: request, fromFile: file)
                }
            }
        }

        var (body, response) = try await send(token(false))
        if RefusedUpload(body, response)?.status == 401 { (body, response) = try await send(token(true)) }
        if let refusal = RefusedUpload(body, response) { throw refusal }
        return body
    }
}
