import AsyncHTTPClient
package import Foundation
package import MultipartFormCodec
import NIOCore
import NIOHTTP1

extension S3Bucket {
    /// Stores a part as an object while it arrives.
    ///
    /// The object exists once the part has arrived to its end, or not at all.
    ///
    /// - Parameters:
    ///   - part: The part.
    ///   - key: The object's key.
    /// - Returns: The object's length in bytes.
    /// - Throws: What the part's body throws, ``S3Error``, or an error of the client.
    package func store(_ part: MultipartParts.Part, as key: String) async throws -> Int {
        var object = S3Object(bucket: self, key: key)
        do {
            for try await bytes in part.body { try await object.append(bytes) }
            return try await object.finish()
        } catch {
            // In a task of its own: this one may have been cancelled, because
            // the client has gone.
            await Task { [object] in await object.abort() }.value
            throw error
        }
    }

    /// Removes objects, such as those of a form that turned out to be broken.
    ///
    /// - Parameter keys: The objects' keys.
    package func remove(_ keys: [String]) async {
        await Task {
            for key in keys { _ = try? await send(.DELETE, key) }
        }.value
    }
}

/// An object that is sent in pieces while its bytes arrive.
package struct S3Object: Sendable {
    /// S3 takes pieces of 5 MiB to 5 GiB, at most 10,000; only the last one may be shorter.
    package static let pieceBytes = 8 << 20

    private let bucket: S3Bucket
    private let key: String
    private var piece = ByteBuffer()
    private var length = 0
    private var uploadID: String?
    private var tags: [String] = []

    /// Begins an object. Nothing is sent before the first piece is full.
    package init(bucket: S3Bucket, key: String) {
        self.bucket = bucket
        self.key = key
    }

    /// Appends bytes; returns once they are in memory, or S3 has the full piece.
    package mutating func append(_ bytes: Data) async throws {
        var rest = bytes
        while !rest.isEmpty {
            let taken = rest.prefix(Self.pieceBytes - piece.readableBytes)
            piece.writeBytes(taken)
            rest = rest.dropFirst(taken.count)
            if piece.readableBytes == Self.pieceBytes { try await sendPiece() }
        }
        length += bytes.count
    }

    private mutating func sendPiece() async throws {
        if uploadID == nil {
            let response = try await bucket.send(.POST, key, query: ["uploads": ""])
            let answer = String(buffer: try await response.body.collect(upTo: 1 << 16))
            guard let match = answer.firstMatch(of: /<UploadId>(.+?)<\/UploadId>/) else {
                throw S3Error(status: 200, answer: answer)
            }
            uploadID = String(match.1)
        }
        let query = ["uploadId": uploadID ?? "", "partNumber": "\(tags.count + 1)"]
        let headers = try await bucket.send(.PUT, key, query: query, body: piece).headers
        tags.append(headers.first(name: "ETag") ?? "")
        piece.clear(minimumCapacity: Self.pieceBytes)
    }

    /// Makes the object of the pieces.
    package mutating func finish() async throws -> Int {
        guard let uploadID else {
            _ = try await bucket.send(.PUT, key, body: piece)  // Less than a piece: one request.
            return length
        }
        if piece.readableBytes > 0 { try await sendPiece() }
        let parts = tags.enumerated().map { number, tag in
            "<Part><PartNumber>\(number + 1)</PartNumber><ETag>\(tag)</ETag></Part>"
        }
        let list = "<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>"
        let response = try await bucket.send(
            .POST,
            key,
            query: ["uploadId": uploadID],
            body: ByteBuffer(string: list)
        )
        // S3 answers 200 before it puts the pieces together, and may fail after that.
        let answer = String(buffer: try await response.body.collect(upTo: 1 << 16))
        guard answer.contains("<CompleteMultipartUploadResult") else { throw S3Error(status: 200, answer: answer) }
        return length
    }

    /// Drops the pieces that S3 has.
    package func abort() async {
        guard let uploadID else { return }
        _ = try? await bucket.send(.DELETE, key, query: ["uploadId": uploadID])
    }
}
