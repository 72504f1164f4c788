import Crypto
package import Foundation
package import MultipartFormCodec

/// A part as a server has read it; the response to an upload is a JSON array of these.
package struct PartReceipt: Codable, Hashable, Sendable {
    /// The name of the form's field.
    package var name: String?
    /// The file name as it was sent.
    package var filename: String?
    /// The media type as it was sent.
    package var contentType: String?
    /// The length of the body in bytes.
    package var size: Int
    /// The SHA-256 of the body, in hexadecimal.
    package var sha256: String

    /// Creates a receipt.
    package init(name: String?, filename: String?, contentType: String?, size: Int, sha256: String) {
        self.name = name
        self.filename = filename
        self.contentType = contentType
        self.size = size
        self.sha256 = sha256
    }

    /// Describes a part of a form.
    package init(_ part: BodyPart) throws {
        var tally = PartTally(part.headers)
        tally.add(try part.data())
        self = tally.receipt
    }

    /// Describes a part that is still arriving, after reading its body to the end.
    package init(reading part: MultipartParts.Part) async throws {
        var tally = PartTally(part.headers)
        for try await bytes in part.body { tally.add(bytes) }
        self = tally.receipt
    }
}

/// Counts and hashes a body that is still arriving, in place of a server's own work.
package struct PartTally: Sendable {
    private let headers: HeaderFields
    private var digest = SHA256()
    private var size = 0

    /// Begins with a part's header fields.
    package init(_ headers: HeaderFields) {
        self.headers = headers
    }

    /// Takes the next bytes of the body.
    package mutating func add(_ bytes: some DataProtocol) {
        size += bytes.count
        digest.update(data: bytes)
    }

    /// Takes the next bytes of the body without copying them.
    package mutating func add(_ bytes: Span<UInt8>) {
        size += bytes.count
        bytes.withUnsafeBytes { digest.update(bufferPointer: $0) }
    }

    /// The part as it has been read.
    package var receipt: PartReceipt {
        PartReceipt(
            name: headers.name,
            filename: headers.filename,
            contentType: headers.contentType,
            size: size,
            sha256: digest.finalize().hexadecimal
        )
    }
}

extension Sequence<UInt8> {
    /// A digest, or a signature, as text.
    package var hexadecimal: String {
        map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
