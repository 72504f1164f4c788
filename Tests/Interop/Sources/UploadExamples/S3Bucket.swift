package import AsyncHTTPClient
import Crypto
package import Foundation
package import NIOCore
package import NIOHTTP1

/// A bucket of S3, or of a service with the same protocol.
package struct S3Bucket: Sendable {
    /// The bucket's address, such as `https://photos.s3.eu-central-1.amazonaws.com`.
    package var url: URL
    /// The region that requests are signed for.
    package var region: String
    /// Who signs, and with what.
    package var accessKey: String
    package var secretKey: String
    /// The token of keys that expire, as roles have them; nil if there is none.
    package var sessionToken: String?
    /// Sends the requests.
    package var client: HTTPClient

    /// Creates a bucket that exists.
    package init(
        url: URL,
        region: String,
        accessKey: String,
        secretKey: String,
        sessionToken: String? = nil,
        client: HTTPClient
    ) {
        self.url = url
        self.region = region
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken
        self.client = client
    }

    /// Sends a signed request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - key: The object's key; empty for the bucket itself.
    ///   - query: The names and values of the query.
    ///   - body: The body, whose hash is signed, too.
    /// - Returns: The response, whose status is one of success.
    /// - Throws: ``S3Error`` for any other status, or an error of the client.
    package func send(
        _ method: HTTPMethod,
        _ key: String,
        query: [String: String] = [:],
        body: ByteBuffer = ByteBuffer()
    ) async throws -> HTTPClientResponse {
        let path = S3Signature.encode(url.path + "/" + key, besides: "/")
        let query = query.sorted { $0.key < $1.key }
            .map { "\(S3Signature.encode($0.key))=\(S3Signature.encode($0.value))" }
            .joined(separator: "&")
        var origin = URLComponents()
        (origin.scheme, origin.host, origin.port) = (url.scheme, url.host, url.port)
        let address = (origin.string ?? "") + path
        var request = HTTPClientRequest(url: query.isEmpty ? address : "\(address)?\(query)")
        request.method = method
        if body.readableBytes > 0 { request.body = .bytes(body) }

        let hash = SHA256.hash(data: body.readableBytesView).hexadecimal
        let time = Date.now.formatted(Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted))
        var signed = [
            ("host", url.port.map { "\(url.host ?? ""):\($0)" } ?? url.host ?? ""),
            ("x-amz-content-sha256", hash),
            ("x-amz-date", time),
        ]
        if let sessionToken { signed.append(("x-amz-security-token", sessionToken)) }
        let signature = S3Signature(accessKey: accessKey, secretKey: secretKey, region: region, time: time)
        let authorization = signature.authorize(method.rawValue, path, query, signed, bodyHash: hash)
        for (name, value) in signed.dropFirst() + [("authorization", authorization)] {
            request.headers.add(name: name, value: value)
        }

        let response = try await client.execute(request, timeout: .minutes(5))
        guard (200..<300).contains(response.status.code) else {
            let answer = try await response.body.collect(upTo: 1 << 16)
            throw S3Error(status: Int(response.status.code), answer: String(buffer: answer))
        }
        return response
    }
}

/// A response of S3 that is not one of success.
package struct S3Error: Error {
    /// The status; 200 if S3 began to answer before it failed.
    package var status: Int
    /// The body, which is XML with a code such as `AccessDenied`.
    package var answer: String
}
