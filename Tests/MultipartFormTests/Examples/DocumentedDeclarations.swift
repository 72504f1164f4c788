import Foundation
import MultipartForm

/// The code in the documentation comments of the library. Compiled, but not run: the other files here run such code.
private enum DocumentedDeclarations {
    struct Request {
        let body: AsyncStream<Data>
        let contentType: String?
        var httpBody: Data?

        func setValue(_ value: String, forHTTPHeaderField field: String) {}
    }

    struct Client {
        func send(_ chunk: Data) async throws {}

        func post(_ body: FormDataChunks, contentType: String) async throws {}
    }

    struct Response {
        let status: Int
        let text: String?
    }

    struct Metadata: Codable {}

    struct Item: Codable {
        var id: Int
        var quantity: Int
    }

    func build(_ fileURL: URL, _ request: inout Request) throws {
        var form = MultipartFormData()
        form.append("Ada", withName: "author")
        form.append(fileURL, withName: "photo")
        request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
        request.httpBody = try form.encode()

        form.boundary = .random()
    }

    func send(_ form: MultipartFormData, _ connection: Client) async throws {
        for try await chunk in form.chunks() { try await connection.send(chunk) }
    }

    func forward(_ request: Request, _ client: Client) async throws {
        let parts = try request.body.multipartParts(contentType: request.contentType)
        let body = MultipartFormData.chunks(of: parts.filter { $0.name != "password" }.map { BodyPart($0) })
        try await client.post(body, contentType: body.contentType)
    }

    func receive(_ request: Request, _ fileURL: URL) async throws -> String? {
        var title: String?
        for try await part in try request.body.multipartParts(contentType: request.contentType) {
            switch part.name {
            case "title": title = try await part.text(upTo: 1024)
            case "video": try await part.save(to: fileURL, upTo: 2 << 30)
            default: break
            }
        }
        return title
    }

    func collect(_ request: Request, _ fileURL: URL) async throws {
        let form = try await MultipartFormData(collecting: request.body, contentType: request.contentType) { headers in
            headers.name == "photo" ? .disk(upTo: 5 << 20) : .accept
        }
        try form["photo"]?.save(to: fileURL)
    }

    func collect(_ chunks: [Data], contentType: String?) throws -> MultipartFormData {
        var collector = try MultipartCollector(contentType: contentType) { headers in
            headers.name == "avatar" ? .disk(upTo: 5 << 20) : .accept
        }
        for chunk in chunks { try collector.append(chunk) }
        let form = try collector.finish()
        return form
    }

    func parse(_ chunks: [Data], _ handle: (MultipartParser.Event<Data>) -> Void) throws {
        var parser = try MultipartParser(contentType: "multipart/form-data; boundary=x")
        for chunk in chunks {
            parser.append(chunk)
            while let event = try parser.next() { handle(event) }
        }
        parser.finish()
        while let event = try parser.next() { handle(event) }
    }

    func answer(_ body: Data, contentType: String?) -> Response {
        let form: MultipartFormData
        do {
            form = try MultipartFormData(parsing: body, contentType: contentType)
        } catch {
            return Response(status: error.httpStatus, text: error.httpStatus < 500 ? error.description : nil)
        }
        return Response(status: 200, text: form.description)
    }

    func encode() throws {
        var order: Order { Order(customer: "Ada", items: []) }

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

    func explain(_ decode: () throws -> Void) throws {
        do {
            try decode()
        } catch DecodingError.dataCorrupted(let context) {
            let issue = context.underlyingError as? FormDataCodingIssue
            print(issue?.code == .invalidValue, issue?.name ?? "")
        }
    }

    struct Upload: Codable {
        var metadata: FormJSON<Metadata>
        var file: FormFile
    }

    enum Applicant {
        struct Profile: Codable {
            var name: String
            var avatar: FormFile
            var resume: FormFile?
        }
    }
}

/// What the example has of Vapor's type.
private struct File: Encodable {
    struct MediaType: Encodable {
        func serialize() -> String { "text/plain" }
    }

    let data: [UInt8]
    let filename: String
    let contentType: MediaType?
}

extension Data {
    fileprivate init(buffer: [UInt8]) {
        self.init(buffer)
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension File: FormPartEncodable {  // of Vapor
    public func formPart(named name: String) -> BodyPart {
        BodyPart(Data(buffer: data), name: name, filename: filename, contentType: contentType?.serialize())
    }
}
