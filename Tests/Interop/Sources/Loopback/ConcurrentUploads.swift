package import Foundation
import MultipartFormCodec
import UploadExamples

/// Uploads generated files, each in its own form, all at once.
///
/// - Parameters:
///   - count: The number of files.
///   - length: The length of each, in bytes.
///   - client: The client that sends them.
///   - url: The server's address.
///   - isProxied: Whether a proxy there drops one part, renames another and adds one.
/// - Returns: The number of files that have arrived with the right length and SHA-256.
/// - Throws: The error of the first upload that fails.
package func uploadAtOnce(
    _ count: Int,
    length: UInt64,
    with client: UploadClient,
    to url: URL,
    isProxied: Bool = false
) async throws -> Int {
    let names = isProxied ? ["request-id", "seed", "attachment"] : ["password", "seed", "file"]
    return try await withThrowingTaskGroup(of: Bool.self) { group in
        for seed in 0..<count {
            group.addTask {
                let content = GeneratedContent(seed: UInt64(seed), length: length)
                var form = MultipartFormData()
                form.append("secret", withName: "password")
                form.append("\(seed)", withName: "seed")
                form.append(BodyPart(length: length, name: "file", filename: "generated.bin") { content.makeStream() })
                let receipts = try await client.upload(form, to: url)
                guard receipts.map(\.name) == names, let file = receipts.last else { return false }
                return file.filename == "generated.bin" && file.size == Int(length) && file.sha256 == content.sha256
            }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
}
