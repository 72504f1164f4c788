import Alamofire
import Foundation
import MultipartFormCodec

import struct MultipartFormCodec.MultipartFormData

/// Uploads of a form through Alamofire's own calls.
struct AlamofireUploads: Sendable {
    /// Where to send forms.
    let url: URL

    /// Creates the uploads to a server.
    ///
    /// - Parameter url: Where to send forms.
    init(to url: URL) {
        self.url = url
    }

    /// Builds a form as a program for Alamofire does.
    ///
    /// - Parameter photoURL: A file.
    /// - Returns: The form.
    func form(with photoURL: URL) -> MultipartFormData {
        var form = MultipartFormData()
        form.append(Data("one".utf8), withName: "one")
        form.append("two", withName: "two")
        form.append(photoURL, withName: "photo")
        return form
    }

    /// Sends a form from memory.
    func sendData(_ form: MultipartFormData) async throws -> Data {
        let headers: HTTPHeaders = ["Content-Type": form.contentType]
        let upload = AF.upload(try form.encode(), to: url, headers: headers)
        return try await upload.validate().serializingData().value
    }

    /// Sends a short form from memory, and a long one from a temporary file.
    func send(_ form: MultipartFormData, inMemoryUpTo limit: Int) async throws -> Data {
        let headers: HTTPHeaders = ["Content-Type": form.contentType]
        return try await form.withEncodedForm(inMemoryUpTo: limit) { encoded in
            let upload =
                switch encoded {
                case .data(let data): AF.upload(data, to: url, headers: headers)
                case .file(let file): AF.upload(file, to: url, headers: headers)
                }
            return try await upload.validate().serializingData().value
        }
    }

    /// Sends a form while it is encoded.
    func sendStream(_ form: MultipartFormData) async throws -> Data {
        var headers: HTTPHeaders = ["Content-Type": form.contentType]
        #if canImport(Darwin)  // elsewhere a stream is always sent in chunks
            if let length = form.encodedLength {
                headers.add(name: "Content-Length", value: "\(length)")
            }
        #endif
        let stream = try form.makeInputStream()
        do {
            let upload = AF.upload(stream, to: url, headers: headers)
            return try await upload.validate().serializingData().value
        } catch {
            // If a content failed, the session knows no more than that the body ended.
            throw stream.streamError ?? error
        }
    }

    /// Sends a form from memory, again after a failure.
    func sendRetrying(_ form: MultipartFormData) async throws -> Data {
        let headers: HTTPHeaders = ["Content-Type": form.contentType]
        let retries = RetryPolicy(retryableHTTPMethods: [.post])
        let upload = AF.upload(
            try form.encode(),
            to: url,
            headers: headers,
            interceptor: retries
        )
        return try await upload.validate().serializingData().value
    }

    /// Sends a form as a stream, in a new request with a new stream after a failure.
    func sendStream(_ form: MultipartFormData, attempts: Int) async throws -> Data {
        for _ in 1..<attempts {
            do {
                return try await sendStream(form)
            } catch is AFError {
                continue
            }
        }
        return try await sendStream(form)
    }

    /// The header fields of a part, as this library has them.
    ///
    /// - Parameter headers: Alamofire's.
    /// - Returns: The same names and values.
    func fields(_ headers: HTTPHeaders) -> HeaderFields {
        HeaderFields(headers.map { HeaderField(name: $0.name, value: $0.value) })
    }
}
