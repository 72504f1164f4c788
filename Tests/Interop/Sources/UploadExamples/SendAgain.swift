package import AsyncHTTPClient
package import Foundation
package import MultipartFormCodec
import NIOCore
import NIOHTTP1

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// Sends until an answer is final: again after a broken connection, and
/// after status 429, 502, 503 or 504.
package func sendAgain<Answer>(
    attempts: Int = 4,
    delay: Double = 1,
    status: (Answer) -> Int,
    _ send: () async throws -> Answer
) async throws -> Answer {
    for attempt in 1..<attempts {
        do {
            let answer = try await send()
            guard [429, 502, 503, 504].contains(status(answer)) else { return answer }
        } catch let error where !(error is MultipartError || error is CancellationError) {
            // The connection broke, or was not made.
        }
        let seconds = delay * Double(1 << attempt) * .random(in: 0.5...1)
        try await Task.sleep(nanoseconds: UInt64(seconds * 1e9))
    }
    return try await send()
}

/// Uploads a form with AsyncHTTPClient, several times if that is necessary.
///
/// - Parameters:
///   - form: The form.
///   - url: The server's address.
///   - client: The client that sends it.
///   - delay: The base of the time between two attempts, in seconds.
/// - Returns: The status of the last answer.
/// - Throws: The error of the last attempt, or of the form.
package func uploadAgain(
    _ form: MultipartFormData,
    to url: URL,
    with client: HTTPClient,
    delay: Double
) async throws -> Int {
    // One identifier for all attempts.
    var form = form
    form.append(UUID().uuidString, withName: "upload-id")

    let response = try await sendAgain(delay: delay, status: { Int($0.status.code) }) {
        var request = HTTPClientRequest(url: url.absoluteString)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: form.contentType)
        request.body = .stream(
            form.chunks().map { try await client.buffer($0) },
            length: form.encodedLength.map { .known(Int64($0)) } ?? .unknown
        )
        return try await client.execute(request, timeout: .minutes(5))
    }
    return Int(response.status.code)
}

/// Uploads a form with URLSession, several times if that is necessary.
///
/// - Parameters:
///   - form: The form.
///   - url: The server's address.
///   - session: The session that sends it; on Linux, new sessions with its configuration do.
///   - delay: The base of the time between two attempts, in seconds.
/// - Returns: The status of the last answer.
/// - Throws: The error of the last attempt, or of the form.
package func uploadAgain(
    _ form: MultipartFormData,
    to url: URL,
    with session: URLSession,
    delay: Double
) async throws -> Int {
    var form = form
    form.append(UUID().uuidString, withName: "upload-id")
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")

    let data = try form.encode()
    let (_, response) = try await sendAgain(
        delay: delay,
        status: { ($0.1 as? HTTPURLResponse)?.statusCode ?? 0 }
    ) {
        try await session.withUnusedSession { [request] session in
            try await session.upload(for: request, from: data)
        }
    }
    return (response as? HTTPURLResponse)?.statusCode ?? 0
}
