import Foundation
import MultipartFormCodec

/// The code that the landing page and `Limits.md` show. Compiled, but not run: `CommonTaskTests` runs such
/// code. Code for values is in `DocumentedCodingTests`, the README's in `ProfileUpload` of `Tests/Interop`.
private enum DocumentedCode {
    func buildAndParse(_ photoURL: URL) throws {
        var form = MultipartFormData()
        form.append("Ada", withName: "name")
        form.append(photoURL, withName: "photo")
        let contentType = form.contentType
        let body = try form.encode()

        let received = try MultipartFormData(parsing: body, contentType: contentType)
        _ = received
    }

    func receive(_ chunks: AsyncStream<Data>, contentType: String?, url: URL, write: (Data) throws -> Void) async throws
    {
        for try await part in try chunks.multipartParts(contentType: contentType) {
            for try await bytes in part.body { try write(bytes) }
        }

        let form = try await MultipartFormData(
            collecting: chunks,
            contentType: contentType
        )
        try await form["photo"]?.save(to: url)
    }

    func limit(_ chunks: AsyncStream<Data>, contentType: String?) async throws {
        let options = MultipartCollector.Options(parser: .init(mode: .strict, maxTotalBytes: 100_000_000))
        let form = try await MultipartFormData(collecting: chunks, contentType: contentType, options: options)
        _ = form
    }
}
