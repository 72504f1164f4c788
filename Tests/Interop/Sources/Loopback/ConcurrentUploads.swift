package import Foundation
import MultipartForm
import UploadExamples

/// Uploads generated files, each in a form of its own, all at once.
///
/// - Parameters:
///   - count: How many files.
///   - length: The length of each, in bytes.
///   - client: What sends them.
///   - url: Where to.
///   - isProxied: Whether a proxy there drops one part and renames another.
/// - Returns: How many have arrived with the length and the SHA-256 they were generated with.
/// - Throws: What the first upload that fails throws.
package func uploadAtOnce(
    _ count: Int,
    length: UInt64,
    with client: UploadClient,
    to url: URL,
    isProxied: Bool = false
) async throws -> Int {
    let names = isProxied ? ["seed", "attachment"] : ["password", "seed", "file"]
    return try await withThrowingTaskGroup(of: Bool.self) { group in
        for seed in 0..<count {
            group.addTask {
                let content = GeneratedContent(seed: UInt64(seed), length: length)
                var form = MultipartFormData()
                form.append("secret", withName: "password")
                form.append("\(seed)", withName: "seed")
                form.append(withLength: length, name: "file", fileName: "generated.bin") { content.makeStream() }
                let receipts = try await client.upload(form, to: url)
                guard receipts.map(\.name) == names, let file = receipts.last else { return false }
                return file.filename == "generated.bin" && file.size == Int(length) && file.sha256 == content.sha256
            }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
}
