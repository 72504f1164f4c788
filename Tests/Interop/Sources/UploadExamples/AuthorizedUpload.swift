package import Foundation
package import MultipartForm

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// The answer of a server that did not accept an upload.
package struct RefusedUpload: Error, CustomStringConvertible {
    package let status: Int
    /// The beginning of the answer, for a log.
    package let text: String

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
        func send(_ token: String) async throws -> (body: Data, status: Int) {
            var request = URLRequest(url: url)
            request.httpMethod = "POST"
            request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
            request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
            let (body, response) = try await session.withUnusedSession { [request] session in
                switch encoded {
                case .data(let data): try await session.upload(for: request, from: data)
                case .file(let file): try await session.upload(for: request, fromFile: file)
                }
            }
            return (body, (response as? HTTPURLResponse)?.statusCode ?? 0)
        }

        var answer = try await send(token(false))
        if answer.status == 401 { answer = try await send(token(true)) }
        guard 200..<300 ~= answer.status else {
            let text = String(decoding: answer.body.prefix(1000), as: UTF8.self)
            throw RefusedUpload(status: answer.status, text: text)
        }
        return answer.body
    }
}
