package import Foundation
package import MultipartFormCodec

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// Sends what a server does not have yet of an upload with URLSession, encoding it as it is sent.
///
/// - Parameters:
///   - form: A form with the same encoding as that of the upload.
///   - upload: The upload's address.
///   - session: The session that sends it; on Linux, new sessions with its configuration and its delegate do.
///   - sent: Called with the number of bytes of the form that have been sent, with those before the offset.
/// - Returns: The answer to the form; nil if the upload was complete before, and its answer was lost.
/// - Throws: ``RefusedUpload``, or an error of the form or the session.
package func resume(
    _ form: MultipartFormData,
    at upload: URL,
    with session: URLSession,
    sent: @escaping @Sendable (Int64) -> Void = { _ in }
) async throws -> Data? {
    guard let offset = try await receivedLength(of: upload, with: session) else { return nil }
    var request = makePatch(to: upload, from: offset, isLast: true)
    #if canImport(Darwin)  // elsewhere a stream is always sent in chunks
        if let length = form.encodedLength, length >= offset {
            request.setValue("\(length - offset)", forHTTPHeaderField: "Content-Length")
        }
    #endif
    let streams = BodyStreams(form, from: offset, sent)
    request.httpBodyStream = try streams.make()
    do {
        let (body, response) = try await session.withUnusedSession { [request] session in
            try await session.data(for: request, delegate: streams)
        }
        if let refusal = RefusedUpload(body, response) { throw refusal }
        return body
    } catch let error as URLError {
        throw streams.error ?? error
    }
}

/// Sends what a server does not have yet of an upload in pieces, each in a request that the server answers.
///
/// Returns the answer to the form; nil if the server had all of the form before. That answer was lost, and may have
/// been a refusal.
package func resume(
    _ form: MultipartFormData,
    at upload: URL,
    with session: URLSession,
    inPiecesOf length: Int,
    confirmed: (UInt64) -> Void
) async throws -> Data? {
    guard var offset = try await receivedLength(of: upload, with: session) else { return nil }
    var reader = try form.makeReader(from: offset)
    while true {
        let piece = try reader.next(maxLength: length)
        let isLast = piece == nil || reader.offset == reader.length
        let request = makePatch(to: upload, from: offset, isLast: isLast)
        let (body, response) = try await session.withUnusedSession(patience: 2) { session in
            try await session.upload(for: request, from: piece ?? Data())
        }
        if let refusal = RefusedUpload(body, response) { throw refusal }
        offset = reader.offset
        confirmed(offset)
        if isLast { return body }
    }
}

/// Sends a form in pieces, tries again after an interruption, and deletes what the server has of it if the task is
/// cancelled or the form cannot be read.
///
/// Gives up after `attempts` without a confirmed piece. Returns the answer to the form; nil if the server has the form,
/// but its answer was lost, and may have been a refusal.
package func upload(
    _ form: MultipartFormData,
    to target: URL,
    with session: URLSession,
    inPiecesOf length: Int,
    attempts: Int = 5,
    confirmed: @Sendable (UInt64) -> Void
) async throws -> Data? {
    let upload = try await createUpload(of: form, at: target, with: session)
    var failures = 0
    while true {
        do {
            return try await resume(form, at: upload, with: session, inPiecesOf: length) { offset in
                failures = 0
                confirmed(offset)
            }
        } catch {
            if Task.isCancelled || error is MultipartError {
                // In a task that is not cancelled.
                await Task { await deleteUpload(upload, with: session) }.value
                throw Task.isCancelled ? CancellationError() : error
            }
            let isTemporary = (error as? RefusedUpload)?.isTemporary ?? (error is URLError)
            failures += 1
            guard isTemporary, failures < attempts else { throw error }
            // If it is cancelled meanwhile, so is the next attempt.
            try? await Task.sleep(nanoseconds: UInt64(failures) * 1_000_000_000)
        }
    }
}

/// Asks the server to delete what it has of an upload.
func deleteUpload(_ upload: URL, with session: URLSession) async {
    var request = URLRequest(url: upload)
    request.httpMethod = "DELETE"
    request.timeoutInterval = 5
    request.setValue("8", forHTTPHeaderField: "Upload-Draft-Interop-Version")
    _ = try? await session.withUnusedSession { [request] session in try await session.data(for: request) }
}

/// Creates an upload, and returns its address. If the task is cancelled, it waits for that for a time: nobody could
/// delete the upload without it.
func createUpload(of form: MultipartFormData, at target: URL, with session: URLSession) async throws -> URL {
    if let error = form.firstError { throw error }  // before anything is sent
    var request = URLRequest(url: target)
    request.httpMethod = "POST"
    request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
    request.setValue("8", forHTTPHeaderField: "Upload-Draft-Interop-Version")
    request.setValue("?0", forHTTPHeaderField: "Upload-Complete")
    if let length = form.encodedLength {
        request.setValue("\(length)", forHTTPHeaderField: "Upload-Length")
    }
    let (body, response) = try await session.withUnusedSession(patience: 2) { [request] session in
        try await session.data(for: request)
    }
    if let refusal = RefusedUpload(body, response) { throw refusal }
    guard let location = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Location"),
        let upload = URL(string: location, relativeTo: target)?.absoluteURL
    else { throw URLError(.badServerResponse) }
    return upload
}

/// How many bytes of an upload the server has; nil for all.
func receivedLength(of upload: URL, with session: URLSession) async throws -> UInt64? {
    var request = URLRequest(url: upload)
    request.httpMethod = "HEAD"
    request.setValue("8", forHTTPHeaderField: "Upload-Draft-Interop-Version")
    let (body, response) = try await session.withUnusedSession(patience: 2) { [request] session in
        try await session.data(for: request)
    }
    if let refusal = RefusedUpload(body, response) { throw refusal }
    guard let state = response as? HTTPURLResponse,
        let offset = state.value(forHTTPHeaderField: "Upload-Offset").flatMap(UInt64.init)
    else { throw URLError(.badServerResponse) }
    return state.value(forHTTPHeaderField: "Upload-Complete") == "?1" ? nil : offset
}

/// A request that sends bytes of an upload from an offset on.
func makePatch(to upload: URL, from offset: UInt64, isLast: Bool) -> URLRequest {
    var request = URLRequest(url: upload)
    request.httpMethod = "PATCH"
    request.setValue("application/partial-upload", forHTTPHeaderField: "Content-Type")
    request.setValue("8", forHTTPHeaderField: "Upload-Draft-Interop-Version")
    request.setValue("\(offset)", forHTTPHeaderField: "Upload-Offset")
    request.setValue(isLast ? "?1" : "?0", forHTTPHeaderField: "Upload-Complete")
    return request
}
