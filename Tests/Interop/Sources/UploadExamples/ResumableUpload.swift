package import AsyncHTTPClient
package import Foundation
package import MultipartFormCodec
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// A form on its way to a server from which it can be continued after an interruption.
///
/// It follows draft-ietf-httpbis-resumable-upload, whose requests must name the version that they are written for.
package struct ResumableUpload: Sendable {
    /// The form; its encoding must be the same each time.
    package let form: MultipartFormData
    /// The address that the server has given this upload.
    package let url: URL
    /// The highest rate, for a slow link; nil for no limit.
    package var bytesPerSecond: Int?

    private let client: HTTPClient

    /// Continues an upload that has been created before.
    ///
    /// - Parameters:
    ///   - form: A form with the same encoding as that of the upload.
    ///   - url: The upload's address.
    ///   - client: The client that sends it.
    package init(of form: MultipartFormData, at url: URL, with client: HTTPClient) {
        self.form = form
        self.url = url
        self.client = client
    }

    /// Creates an upload, and sends none of its bytes.
    ///
    /// - Parameters:
    ///   - form: The form.
    ///   - target: The address that forms are posted to.
    ///   - client: The client that sends it.
    /// - Returns: The upload, at an address of its own.
    /// - Throws: ``UploadError``, or an error of the client.
    package static func create(
        of form: MultipartFormData,
        to target: URL,
        with client: HTTPClient
    ) async throws -> ResumableUpload {
        var request = HTTPClientRequest(url: target.absoluteString)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: form.contentType)
        request.headers.add(name: "Upload-Draft-Interop-Version", value: "8")
        request.headers.add(name: "Upload-Complete", value: "?0")
        if let length = form.encodedLength {
            request.headers.add(name: "Upload-Length", value: "\(length)")
        }
        let response = try await client.execute(request, timeout: .seconds(30))
        guard response.status == .created,
            let location = response.headers.first(name: "Location"),
            let url = URL(string: location, relativeTo: target)?.absoluteURL
        else { throw UploadError.refused }
        return ResumableUpload(of: form, at: url, with: client)
    }

    /// Asks how much of the form the server has.
    ///
    /// - Returns: The number of bytes; nil if the upload is complete.
    /// - Throws: ``UploadError``, or an error of the client.
    package func receivedLength() async throws -> UInt64? {
        let response = try await client.execute(makeRequest(.HEAD), timeout: .seconds(30))
        guard response.status.code < 500 else { throw UploadError.interrupted }
        guard response.status.code < 300,
            let offset = response.headers.first(name: "Upload-Offset").flatMap(UInt64.init),
            offset <= form.encodedLength ?? offset
        else { throw UploadError.refused }
        return response.headers.first(name: "Upload-Complete") == "?1" ? nil : offset
    }

    /// Sends what the server does not have yet.
    ///
    /// - Returns: The answer to the form; nil if the upload was complete before, and its answer was lost.
    /// - Throws: ``UploadError``, or an error of the form or the client.
    package func resume() async throws -> Data? {
        guard let offset = try await receivedLength() else { return nil }
        return try await send(from: offset)
    }

    private func send(from offset: UInt64) async throws -> Data {
        let rest = form.chunks(from: offset, bytesPerSecond: bytesPerSecond)

        var request = makeRequest(.PATCH)
        request.headers.add(name: "Content-Type", value: "application/partial-upload")
        request.headers.add(name: "Upload-Offset", value: "\(offset)")
        request.headers.add(name: "Upload-Complete", value: "?1")
        request.body = .stream(
            rest.map { [client] in try await client.buffer($0) },
            length: form.encodedLength.map { .known(Int64($0 - offset)) } ?? .unknown
        )
        return try await answer(to: request)
    }

    /// Sends what the server does not have yet, in requests of a limited length.
    ///
    /// - Parameter limit: The longest body of a request, in bytes.
    /// - Returns: The answer to the form; nil if the upload was complete before, and its answer was lost.
    /// - Throws: ``UploadError``, or an error of the form or the client.
    package func resume(inPiecesUpTo limit: Int) async throws -> Data? {
        guard var offset = try await receivedLength() else { return nil }
        var reader = try form.makeReader(from: offset)
        while true {
            let piece = try reader.next(maxLength: limit)
            let isLast = piece == nil || reader.offset == reader.length
            var request = makeRequest(.PATCH)
            request.headers.add(name: "Content-Type", value: "application/partial-upload")
            request.headers.add(name: "Upload-Offset", value: "\(offset)")
            request.headers.add(name: "Upload-Complete", value: isLast ? "?1" : "?0")
            request.body = .bytes(piece ?? Data())
            let answer = try await answer(to: request)
            if isLast { return answer }
            offset = reader.offset
        }
    }

    /// Sends the form, and resumes whenever the connection is lost.
    ///
    /// - Parameters:
    ///   - attempts: How often to try until the server has more bytes than before; at least 1.
    ///   - pause: The time before the second attempt; twice as long before each further one, up to a minute.
    /// - Returns: The answer to the form; nil if it was lost.
    /// - Throws: ``UploadError``, an error of the form, or the error of the last attempt.
    package func finish(attempts: Int, pause: Duration) async throws -> Data? {
        var (received, failures) = (UInt64(0), 0)
        while true {
            do {
                guard let offset = try await receivedLength() else { return nil }
                if offset > received { (received, failures) = (offset, 0) }
                return try await send(from: offset)
            } catch UploadError.refused {
                throw UploadError.refused
            } catch let error as MultipartError {
                throw error  // For example, a file has changed.
            } catch  where failures + 1 < attempts {
                try await Task.sleep(for: min(pause * (1 << min(failures, 20)), .seconds(60)))
                failures += 1
            }
        }
    }

    private func makeRequest(_ method: HTTPMethod) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: url.absoluteString)
        request.method = method
        request.headers.add(name: "Upload-Draft-Interop-Version", value: "8")
        return request
    }

    /// Sends a request, and returns what the server answers to the form.
    private func answer(to request: HTTPClientRequest) async throws -> Data {
        let response = try await client.execute(request, timeout: .hours(1))
        let status = response.status.code
        // If the server has read the form, the status is that of the form, and sending it again would not help.
        let isProcessed = response.headers.first(name: "Upload-Complete") == "?1"
        guard isProcessed || status < 500 && status != 409 else { throw UploadError.interrupted }
        guard status < 300 else { throw UploadError.refused }
        return Data(buffer: try await response.body.collect(upTo: 1 << 20))
    }
}
