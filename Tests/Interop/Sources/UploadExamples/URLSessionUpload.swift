package import Foundation
package import MultipartFormCodec

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// Uploads a form with URLSession, encoding it as it is sent.
///
/// - Parameters:
///   - form: The form; its files are read as the session requests bytes.
///   - url: The server's address.
///   - session: The session that sends it; on Linux, a new session with its configuration and its delegate does.
///   - sent: Called with the number of bytes that the session has sent.
/// - Returns: The response's body.
/// - Throws: ``RefusedUpload``, or an error of the form or the session.
package func upload(
    _ form: MultipartFormData,
    to url: URL,
    with session: URLSession,
    sent: @escaping @Sendable (Int64) -> Void = { _ in }
) async throws -> Data {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
    #if canImport(Darwin)  // elsewhere a stream is always sent in chunks
        if let length = form.encodedLength {
            request.setValue("\(length)", forHTTPHeaderField: "Content-Length")
        }
    #endif
    let streams = BodyStreams(form, sent)
    request.httpBodyStream = try streams.make()
    do {
        let (body, response) = try await session.withUnusedSession { [request] session in
            try await session.data(for: request, delegate: streams)
        }
        if let refusal = RefusedUpload(body, response) { throw refusal }
        return body
    } catch let error as URLError {
        // If a content failed, the session knows no more than that the body ended; the stream knows why.
        throw streams.error ?? error
    }
}

/// Uploads a form with URLSession from memory, or from a temporary file if it is long.
///
/// - Parameters:
///   - form: The form.
///   - limit: The longest form to keep in memory, in bytes.
///   - url: The server's address.
///   - session: The session that sends it; on Linux one that is used for nothing else.
///   - sent: Called with the number of bytes that the session has sent, and the number of all bytes.
/// - Returns: The response's body.
/// - Throws: ``UploadError``, or an error of the form or the session.
package func upload(
    _ form: MultipartFormData,
    inMemoryUpTo limit: Int,
    to url: URL,
    with session: URLSession,
    sent: @escaping @Sendable (_ sent: Int64, _ total: Int64) -> Void = { _, _ in }
) async throws -> Data {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
    let progress = UploadProgress(sent)
    let (body, response) = try await form.withEncodedForm(inMemoryUpTo: limit) { encoded in
        switch encoded {
        case .data(let data): try await session.upload(for: request, from: data, delegate: progress)
        case .file(let file): try await session.upload(for: request, fromFile: file, delegate: progress)
        }
    }
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard 200..<300 ~= status else { throw UploadError.refused }
    return body
}

/// Uploads a form with URLSession from memory, in a way that can be cancelled on Linux, too.
///
/// - Parameters:
///   - form: The form.
///   - url: The server's address.
///   - session: The session that sends it; on Linux, a new session with its configuration and its delegate does.
///   - sent: Called with the number of bytes that the session has sent, and the number of all bytes.
/// - Returns: The response's body.
/// - Throws: ``UploadError``, or an error of the form or the session.
package func upload(
    encoding form: MultipartFormData,
    to url: URL,
    with session: URLSession,
    sent: @escaping @Sendable (_ sent: Int64, _ total: Int64) -> Void = { _, _ in }
) async throws -> Data {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
    let data = try form.encode()
    let progress = UploadProgress(sent)
    let (body, response) = try await session.withUnusedSession { [request] session in
        try await session.upload(for: request, from: data, delegate: progress)
    }
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard 200..<300 ~= status else { throw UploadError.refused }
    return body
}

/// Reports how much of a body a session has sent.
private final class UploadProgress: NSObject, URLSessionTaskDelegate {
    private let sent: @Sendable (_ sent: Int64, _ total: Int64) -> Void

    init(_ sent: @escaping @Sendable (_ sent: Int64, _ total: Int64) -> Void) {
        self.sent = sent
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        let (count, total) = (totalBytesSent, totalBytesExpectedToSend)
        // A body that is sent again, after status 401, is counted again.
        // A stream may have no total.
        sent(total > 0 ? min(count, total) : count, max(total, 0))
    }
}

/// Uploads a form with URLSession from a file, as a background session must.
///
/// - Parameters:
///   - form: The form.
///   - file: The file to write it to, which must not exist; it is removed after the upload.
///   - url: The server's address.
///   - session: The session that sends it.
/// - Returns: The response's body.
/// - Throws: ``UploadError``, or an error of the form or the session.
package func upload(
    _ form: MultipartFormData,
    through file: URL,
    to url: URL,
    with session: URLSession
) async throws -> Data {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
    try await form.writeEncodedData(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let (body, response) = try await session.upload(for: request, fromFile: file)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard 200..<300 ~= status else { throw UploadError.refused }
    return body
}
