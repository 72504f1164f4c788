import Foundation
import MultipartForm

/// The code that the README, the landing page and `LimitsAndModes.md` show. Compiled, but not run: `CommonTaskTests` runs
/// such code. That which encodes and decodes values is in `DocumentedCodingTests`.
private enum DocumentedCode {
    struct Request {
        var httpBody: Data?

        func setValue(_ value: String, forHTTPHeaderField field: String) {}
    }

    func build(_ photoURL: URL, _ request: inout Request) throws {
        var form = MultipartFormData()
        form.append("Ada", withName: "name")
        form.append(photoURL, withName: "photo")  // named and typed by its path, checked now, read later

        request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
        request.httpBody = try form.encode()  // or: try form.writeEncodedData(to: fileURL)
    }

    func parse(_ body: Data, _ chunks: AsyncStream<Data>, contentType: String?, fileURL: URL) async throws {
        var title: String?
        let form = try MultipartFormData(parsing: body, contentType: contentType)  // all at once
        let name = try form["name"]?.text()

        for try await part in try chunks.multipartParts(contentType: contentType) {  // or as it arrives
            switch part.name {
            case "title": title = try await part.text(upTo: 1024)
            case "video": try await part.save(to: fileURL, upTo: 2 << 30)
            default: break  // skipped
            }
        }
        _ = (name, title)
    }

    func collect(_ chunks: AsyncStream<Data>, contentType: String?, fileURL: URL) async throws {
        let form = try await MultipartFormData(collecting: chunks, contentType: contentType) { headers in
            switch headers.name {
            case "avatar": .disk(upTo: 5 << 20)
            case "name": .memory(upTo: 4096)
            default: .reject
            }
        }
        try await form["avatar"]?.save(to: fileURL)
    }

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
