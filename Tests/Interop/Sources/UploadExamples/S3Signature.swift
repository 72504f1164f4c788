import Crypto
import Foundation

/// Signs requests to S3 (AWS Signature Version 4).
package struct S3Signature {
    private let accessKey: String
    private let secretKey: String
    private let region: String
    private let time: String

    /// Creates a signature.
    ///
    /// - Parameters:
    ///   - accessKey: Who signs.
    ///   - secretKey: The key, of which one for the day, the region and the service is made.
    ///   - region: The bucket's region.
    ///   - time: The time, as the field `x-amz-date` has it: `20260101T120000Z`.
    package init(accessKey: String, secretKey: String, region: String, time: String) {
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.region = region
        self.time = time
    }

    /// The value of the field Authorization.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path, encoded.
    ///   - query: The query, encoded, sorted by its names, each with `=`.
    ///   - headers: The fields to sign, with their names in lower case and sorted.
    ///   - bodyHash: The SHA-256 of the body, in hexadecimal.
    /// - Returns: The value.
    package func authorize(
        _ method: String,
        _ path: String,
        _ query: String,
        _ headers: [(name: String, value: String)],
        bodyHash: String
    ) -> String {
        let names = headers.map(\.name).joined(separator: ";")
        let lines = headers.map { "\($0.name):\($0.value)\n" }.joined()
        let request = [method, path, query, lines, names, bodyHash].joined(separator: "\n")
        let scope = [String(time.prefix(8)), region, "s3", "aws4_request"]
        let text = [
            "AWS4-HMAC-SHA256", time, scope.joined(separator: "/"),
            SHA256.hash(data: Data(request.utf8)).hexadecimal,
        ].joined(separator: "\n")

        var key = SymmetricKey(data: Data("AWS4\(secretKey)".utf8))
        for step in scope {
            key = SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: Data(step.utf8), using: key))
        }
        let signature = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key).hexadecimal
        let credential = "\(accessKey)/\(scope.joined(separator: "/"))"
        return "AWS4-HMAC-SHA256 Credential=\(credential), SignedHeaders=\(names), Signature=\(signature)"
    }

    /// A text with all but unreserved characters percent-encoded.
    static func encode(_ text: String, besides others: String = "") -> String {
        let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
        return text.addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: unreserved + others)) ?? ""
    }
}
