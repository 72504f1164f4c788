import Foundation
import HTTPTypes
import MultipartFormCodec
import OpenAPIRuntime
import Testing

/// The code that `BesideSwiftOpenAPI.md` shows.
@Suite struct OpenAPIFormTests {
    private static let metadata = ServerRequestMetadata()

    private func form() -> MultipartFormData {
        var form = MultipartFormData()
        form.append("Ada", withName: "name")
        form.append(Data(count: 200_000), withName: "photo", fileName: "a.png", mimeType: "image/png")
        return form
    }

    private func request(_ form: MultipartFormData) -> HTTPRequest {
        var request = HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/photos")
        request.headerFields[.contentType] = form.contentType
        return request
    }

    @Test func `a form is a body, with its length`() async throws {
        let form = form()
        let body = HTTPBody(form)
        #expect(body.length == .known(Int64(try form.encode().count)))
        for _ in 0..<2 {
            #expect(try await Data(collecting: body, upTo: 1 << 20) == form.encode())
        }
    }

    @Test func `a body is read part by part`() async throws {
        let form = form()
        let body = HTTPBody(form)
        let contentType: String? = form.contentType
        var lengths: [String: Int] = [:]

        for try await part in try body.multipartParts(contentType: contentType) {
            guard let name = part.name else { continue }
            lengths[name] = try await part.collect(upTo: 1 << 20).count
        }

        #expect(lengths == ["name": 3, "photo": 200_000])
    }

    @Test func `a body is collected`() async throws {
        let sent = form()
        let body = HTTPBody(sent)
        let contentType: String? = sent.contentType

        let form = try await MultipartFormData(collecting: body, contentType: contentType)

        #expect(form.map(\.name) == ["name", "photo"])
    }

    @Test func `received parts are parts of the runtime`() async throws {
        let form = form()
        let chunks = form.chunks(ofSize: 1000)
        let contentType = form.contentType

        let rawParts = try chunks.multipartParts(contentType: contentType).map { MultipartRawPart($0) }
        let body = MultipartBody(rawParts, iterationBehavior: .single)

        var lengths: [String: Int] = [:]
        var filenames: [String?] = []
        for try await part in body {
            filenames.append(part.filename)
            lengths[try #require(part.name)] = try await Data(collecting: part.body, upTo: 1 << 20).count
        }
        #expect(lengths == ["name": 3, "photo": 200_000] && filenames == [nil, "a.png"])
    }

    @Test func `parts of the runtime are sent on`() async throws {
        let body: MultipartBody<MultipartRawPart> = [
            MultipartRawPart(name: "name", headerFields: [.contentLanguage: "en"], body: "Ada"),
            MultipartRawPart(
                name: "photo",
                filename: "a.png",
                headerFields: [.contentType: "image/png"],
                body: HTTPBody(Array(repeating: 0, count: 1000))
            ),
        ]

        let form = EncodedFormChunks(encoding: body.map { BodyPart($0) })
        let upstream = HTTPBody(form, length: .unknown, iterationBehavior: body.iterationBehavior)

        let received = try await MultipartFormData(collecting: upstream, contentType: form.contentType)
        #expect(try received["name"]?.text() == "Ada")
        #expect(received["name"]?.headers["Content-Language"] == "en")
        #expect(received["photo"]?.contentType == "image/png" && received["photo"]?.length == 1000)
    }

    @Test func `a middleware passes a form on that it has checked`() async throws {
        let form = form()
        let (response, _) = try await FormChecks().intercept(
            request(form),
            body: HTTPBody(form),
            metadata: Self.metadata,
            operationID: "upload"
        ) { request, body, _ in
            let body = try #require(body)
            let contentType = request.headerFields[.contentType]
            let received = try await MultipartFormData(collecting: body, contentType: contentType)
            #expect(received.map(\.length) == [3, 200_000])
            return (HTTPResponse(status: .ok), nil)
        }
        #expect(response.status == .ok)
    }

    @Test func `a middleware answers for a form that is too long or cut off`() async throws {
        let form = form()
        let body = try form.encode()
        let cases: [(Data, Int, Int)] = [(body, 1000, 413), (body.dropLast(10), 1_000_000, 400)]
        for (body, limit, status) in cases {
            let checks = FormChecks(options: MultipartParser.Options(mode: .strict, maxPartBytes: limit))
            let (response, _) = try await checks.intercept(
                request(form),
                body: HTTPBody(body),
                metadata: Self.metadata,
                operationID: "upload"
            ) { _, body, _ in
                _ = try await Data(collecting: #require(body), upTo: 1 << 20)
                return (HTTPResponse(status: .ok), nil)
            }
            #expect(response.status.code == status)
        }
    }

    @Test func `the runtime does not escape a quote in a file name`() {
        let part = MultipartRawPart(name: "f", filename: "a\"; x=\".png", headerFields: [:], body: "")
        #expect(part.headerFields[.contentDisposition] == "form-data; filename=\"a\"; x=\".png\"; name=\"f\"")
    }

    @Test func `the runtime splits a disposition at each semicolon`() {
        let part = MultipartRawPart(
            headerFields: [.contentDisposition: "form-data; name=\"f\"; filename=\"a;b.png\""],
            body: ""
        )
        #expect(part.filename == "a")
    }
}
