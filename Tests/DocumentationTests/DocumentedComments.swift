import Foundation
import MultipartFormCodec

/// The code that doc comments show. Compiled, but not run: other tests run such code.
private enum DocumentedComments {
    struct Request {
        var body: AsyncStream<Data>
        var httpBody: Data?
        var contentType: String?

        func setValue(_ value: String, forHTTPHeaderField field: String) {}
    }

    struct Response {
        var status: Int
        var text: String?
    }

    struct Connection {
        func send(_ chunk: Data) async throws {}
    }

    struct Session {
        func upload(for request: Request, from data: Data) async throws -> (Data, Response) {
            (data, Response(status: 200))
        }

        func upload(for request: Request, fromFile file: URL) async throws -> (Data, Response) {
            (Data(), Response(status: 200))
        }
    }

    struct Client {
        func post(_ body: some AsyncSequence, contentType: String) async throws {}
    }

    struct User {
        var name: String
    }

    struct Item: Codable {
        var id: Int
        var quantity: Int
    }

    struct Metadata: Codable {
        var title: String
    }
}

extension DocumentedComments {
    func build(_ fileURL: URL, _ request: inout Request) throws {
        var form = MultipartFormData()
        form.append("Ada", withName: "author")
        form.append(fileURL, withName: "photo")
        request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
        request.httpBody = try form.encode()

        form.boundary = .random()
    }

    func append(_ caption: String?, to form: inout MultipartFormData) {
        form.append("Ada", withName: "author")
        form.append(caption, withName: "caption")  // a String?
        form.append(36, withName: "age")
    }

    func select(_ part: BodyPart, of form: inout MultipartFormData) -> MultipartFormData {
        let photos = MultipartFormData(form.parts(named: "photo"))

        var headers = part.headers
        headers["Content-Length"] = nil
        form.append(BodyPart(part, headers: headers))
        return photos
    }

    func parse(_ chunks: [Data], handle: (MultipartParser.Event<Data>) -> Void) throws {
        var parser = try MultipartParser(contentType: "multipart/form-data; boundary=x")
        for chunk in chunks {
            parser.append(chunk)
            while let event = try parser.next() { handle(event) }
        }
        parser.finish()
        while let event = try parser.next() { handle(event) }
    }

    func answer(_ body: Data, contentType: String?) throws -> Response {
        struct Profile: Decodable { var name: String }
        let profile: Profile
        do {
            profile = try FormDataDecoder().decode(Profile.self, from: body, contentType: contentType)
        } catch {
            let refusal = MultipartError(error)
            return Response(status: refusal?.httpStatus ?? 500, text: refusal?.clientMessage ?? "upload failed")
        }
        return Response(status: 200, text: profile.name)
    }

    func collect(_ chunks: [Data], contentType: String?) throws {
        var collector = try MultipartCollector(contentType: contentType) { headers in
            headers.name == "avatar" ? .disk(upTo: 5 << 20) : .accept
        }
        for chunk in chunks { try collector.append(chunk) }
        let form = try collector.finish()
        _ = form
    }

    func collect(_ request: Request, fileURL: URL) async throws {
        let form = try await MultipartFormData(collecting: request.body, contentType: request.contentType) { headers in
            headers.name == "photo" ? .disk(upTo: 5 << 20) : .accept
        }
        try await form["photo"]?.save(to: fileURL)
    }

    func receive(_ request: Request, fileURL: URL) async throws {
        var title: String?
        for try await part in try request.body.multipartParts(contentType: request.contentType) {
            switch part.name {
            case "title": title = try await part.text(upTo: 1024)
            case "video": try await part.save(to: fileURL, upTo: 2 << 30)
            default: break
            }
        }
        _ = title
    }

    func send(_ form: MultipartFormData, over connection: Connection) async throws {
        for try await chunk in form.chunks() { try await connection.send(chunk) }
    }

    func encode(_ form: MultipartFormData, to fileURL: URL) throws {
        let progress = EncodingProgress { report in
            print("\(report.completed) of \(report.total.map(String.init) ?? "unknown") bytes")
        }
        try form.writeEncodedData(to: fileURL, progress: progress)
    }

    func upload(_ form: MultipartFormData, _ request: Request, with session: Session) async throws -> Int {
        let (_, response) = try await form.withEncodedForm(inMemoryUpTo: 10_000_000) { encoded in
            switch encoded {
            case .data(let data): try await session.upload(for: request, from: data)
            case .file(let file): try await session.upload(for: request, fromFile: file)
            }
        }
        return response.status
    }

    func passOn(_ request: Request, of user: User, to client: Client) async throws {
        let parts = try request.body.multipartParts(contentType: request.contentType)
        let body = EncodedFormChunks(
            encoding: parts.filter { $0.name != "uploader" }.map { BodyPart($0) },
            before: [BodyPart(user.name, name: "uploader")]
        )
        try await client.post(body, contentType: body.contentType)
    }
}

extension DocumentedComments {
    private enum Files {
        struct Profile: Codable {
            var name: String
            var avatar: FormFile
            var resume: FormFile?
        }
    }

    private enum JSONParts {
        struct Upload: Codable {
            var metadata: FormJSON<Metadata>
            var file: FormFile
        }
    }

    func encode(_ items: [Item]) throws {
        let order = Order(customer: "Ada", items: items, receipt: nil)

        struct Order: Encodable {
            var customer: String
            var items: [Item]
            var receipt: FormFile?
        }

        let form = try FormDataEncoder().encode(order)  // customer, items[0][id], items[0][quantity], …, receipt
        _ = form
    }

    func decode(_ form: MultipartFormData) throws {
        struct Profile: Decodable {
            var name: String
            var age: Int?
            var tags: [String]
            var avatar: FormFile
        }

        let profile = try FormDataDecoder().decode(Profile.self, from: form)
        _ = profile
    }

}

private struct Scan {
    var pixels: () -> [UInt8]

    func jpeg() throws -> Data { Data(pixels()) }
}

extension Scan: FormPartEncodable, FormPartOnly {
    func formPart(named name: String) throws -> BodyPart {
        BodyPart(try jpeg(), name: name, filename: "scan.jpg", contentType: "image/jpeg")
    }
}

private struct Thumbnail {
    var png: Data
}

extension Thumbnail: FormPartEncodable {
    func formPart(named name: String) -> BodyPart {
        BodyPart(png, name: name, filename: "thumbnail.png", contentType: "image/png")
    }
}
