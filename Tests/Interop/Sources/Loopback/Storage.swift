import AsyncHTTPClient
import Crypto
package import Foundation
import MultipartFormCodec
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
package import UploadExamples

/// A bucket of ``RecipePeer/storage``, and the keys of the user that may use it.
package struct StorageKeys: Decodable, Sendable {
    /// The bucket's address.
    package var url: URL
    /// Its region.
    package var region: String
    /// The user.
    package var accessKey: String
    /// The user's key; a test may spoil it.
    package var secretKey: String

    /// Reads the line that the peer has printed.
    package init(json: String) throws {
        self = try JSONDecoder().decode(StorageKeys.self, from: Data(json.utf8))
    }

    /// Runs an operation with the bucket and a client of its own.
    ///
    /// - Parameters:
    ///   - connections: The number of requests at once.
    ///   - operation: Called with the bucket.
    /// - Returns: What the operation returns.
    /// - Throws: What the operation throws.
    package func withBucket<Value>(
        connections: Int = 8,
        _ operation: (S3Bucket) async throws -> Value
    ) async throws -> Value {
        try await withHTTPClient(connections: connections) { client in
            let bucket = S3Bucket(url: url, region: region, accessKey: accessKey, secretKey: secretKey, client: client)
            return try await operation(bucket)
        }
    }
}

extension S3Bucket {
    /// The keys of the uploads that have begun and are neither complete nor aborted.
    package func openUploads() async throws -> [String] {
        try await keys(query: ["uploads": ""])
    }

    /// The keys of the objects.
    package func objects() async throws -> [String] {
        try await keys(query: ["list-type": "2"])
    }

    private func keys(query: [String: String]) async throws -> [String] {
        let response = try await send(.GET, "", query: query)
        let answer = String(buffer: try await response.body.collect(upTo: 1 << 20))
        return answer.matches(of: /<Key>(.*?)<\/Key>/).map { String($0.1) }
    }
}

/// Uploads generated files to a server that stores them elsewhere, all at once, and reads them back.
///
/// - Parameters:
///   - count: The number of files, each in its own form.
///   - length: The length of each, in bytes.
///   - url: The route's address, which is also that of the files.
/// - Returns: The number of files that have come back with the right length and SHA-256.
/// - Throws: The error of the first transfer that fails.
package func storeAtOnce(_ count: Int, length: UInt64, to url: URL) async throws -> Int {
    try await withHTTPClient(connections: count) { client in
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for seed in 0..<count {
                group.addTask {
                    let content = GeneratedContent(seed: UInt64(seed), length: length)
                    var form = MultipartFormData()
                    form.append("\(seed)", withName: "seed")
                    form.append(
                        BodyPart(length: length, name: "file", filename: "generated.bin") { content.makeStream() }
                    )
                    let answer = try await upload(form, to: url, with: client)
                    let files = try JSONDecoder().decode([StoredFile].self, from: answer)
                    guard let file = files.first, files.count == 1, file.length == Int(length) else { return false }
                    return try await hash(url.appendingPathComponent("\(file.id)"), with: client) == content.sha256
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }
}

/// The SHA-256 of a response's body, in hexadecimal.
private func hash(_ url: URL, with client: HTTPClient) async throws -> String {
    let response = try await client.execute(HTTPClientRequest(url: url.absoluteString), timeout: .minutes(5))
    guard response.status == .ok else { throw UploadError.refused }
    var digest = SHA256()
    for try await bytes in response.body { digest.update(data: bytes.readableBytesView) }
    return digest.finalize().hexadecimal
}

/// Runs an operation with an HTTP client, and shuts it down.
private func withHTTPClient<Value>(
    connections: Int,
    _ operation: (HTTPClient) async throws -> Value
) async throws -> Value {
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
    let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    let result: Result<Value, any Error>
    do {
        result = .success(try await operation(client))
    } catch {
        result = .failure(error)
    }
    try await client.shutdown()
    return try result.get()
}
