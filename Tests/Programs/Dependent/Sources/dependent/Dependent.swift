import Foundation
import MultipartFormCodec

/// Sends a form to itself in each way.
@main
enum Dependent {
    static func main() async throws {
        var form = MultipartFormData()
        form.append("Ada", withName: "name")
        form.append(Data("photo".utf8), withName: "photo", fileName: "a.png", mimeType: "image/png")
        let contentType = form.contentType

        let received = try MultipartFormData(parsing: try form.encode(), contentType: contentType)
        let author = try received["name"]?.text()
        precondition(author == "Ada")

        for try await part in try form.chunks(ofSize: 10).multipartParts(contentType: contentType)
        where part.name == "name" {
            let name = try await part.text(upTo: 100)
            precondition(name == "Ada")
        }

        let collected = try await MultipartFormData(collecting: form.chunks(), contentType: contentType) { headers in
            headers.filename == nil ? .memory(upTo: 1000) : .accept
        }
        precondition(collected["photo"]?.length == 5)

        do {
            _ = try MultipartFormData(parsing: Data("x".utf8), contentType: contentType)
        } catch let error as MultipartError {
            print(error.code, error.httpStatus)
        }

        let other = try BothModules.encode()
        precondition(!other.isEmpty)
    }
}
