#if FullFoundation
    import Foundation
    import MultipartFormCodec
    import TestSupport
    import Testing

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    #if canImport(ObjectiveC)
        @objcMembers
    #endif
    final class FormRequests: NSObject {
        /// A request whose body is a form with a file, read as it is sent.
        static func upload(of photo: URL, named name: String, to url: URL) throws -> URLRequest {
            var form = MultipartFormData()
            form.append(photo, withName: name)

            var request = URLRequest(url: url)
            request.httpMethod = "POST"
            request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
            request.httpBodyStream = try form.makeInputStream()
            return request
        }
    }

    /// What `MigratingOtherCode.md` names in place of AFNetworking's calls. Requests are not sent: their bodies are read.
    @Suite struct AFNetworkingGuideTests {
        private let directory: TemporaryDirectory
        private let url: URL

        init() throws {
            directory = try TemporaryDirectory()
            url = try #require(URL(string: "http://127.0.0.1/upload"))
        }

        /// The form in a request's stream.
        private func form(in request: URLRequest) throws -> MultipartFormData {
            let stream = try #require(request.httpBodyStream)
            let contentType = request.value(forHTTPHeaderField: "Content-Type")
            return try MultipartFormData(collecting: stream, contentType: contentType)
        }

        private func request(_ photoURL: URL) throws -> URLRequest {
            var form = MultipartFormData()
            form.append("Ada", withName: "name")
            form.append(photoURL, withName: "file", fileName: "filename.jpg", mimeType: "image/jpeg")
            if let error = form.firstError { throw error }

            var request = URLRequest(url: url)
            request.httpMethod = "POST"
            request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
            #if canImport(Darwin)  // elsewhere a stream is always sent in chunks
                if let length = form.encodedLength {
                    request.setValue("\(length)", forHTTPHeaderField: "Content-Length")
                }
            #endif
            request.httpBodyStream = try form.makeInputStream()
            return request
        }

        @Test func `a request streams a form`() throws {
            let photoURL = try directory.write(Data(count: 100_000), as: "photo")
            let received = try form(in: request(photoURL))
            #expect(received.map(\.name) == ["name", "file"])
            #expect(received["file"]?.filename == "filename.jpg" && received["file"]?.length == 100_000)
        }

        @Test func `a file that is missing is an error before the request`() {
            let photoURL = directory.url.appendingPathComponent("none.jpg")
            let error = #expect(throws: MultipartError.self) { try request(photoURL) }
            #expect(error?.code == .bodyPartFileNotReachable && error?.path == photoURL.path)
        }

        @Test func `parameters become fields`() throws {
            struct User: Encodable {
                var name: String
                var tags: [String]
            }

            struct Parameters: Encodable {
                var user: User
            }

            let photoURL = try directory.write(Data(count: 10), as: "photo.png")
            func make() throws -> MultipartFormData {
                let parameters = Parameters(user: User(name: "Ada", tags: ["a", "b"]))
                var form = try FormDataEncoder().encode(parameters)
                form.append(photoURL, withName: "file")
                return form
            }
            #expect(try make().map(\.name) == ["user[name]", "user[tags][]", "user[tags][]", "file"])
            #expect(try FormDataEncoder().encode(["b": "1", "a": "2"]).map(\.name) == ["a", "b"])
        }

        @Test func `headers are appended`() throws {
            let body = Data("{}".utf8)
            func make() -> MultipartFormData {
                var form = MultipartFormData()
                form.append(
                    BodyPart(
                        body,
                        name: "metadata",
                        contentType: "application/json",
                        additionalHeaders: ["Content-Language": "en"]
                    )
                )
                return form
            }
            let form = make()
            let received = try MultipartFormData(parsing: form.encode(), contentType: form.contentType)
            #expect(received["metadata"]?.headers["Content-Language"] == "en")
        }

        @Test func `a stream keeps to a rate`() throws {
            var form = MultipartFormData()
            form.append(Data(count: 1000), withName: "f")
            func throttle() throws -> InputStream {
                let stream = try form.makeInputStream(bytesPerSecond: 81_920)
                return stream
            }
            let received = try MultipartFormData(collecting: throttle(), contentType: form.contentType)
            #expect(received["f"]?.length == 1000)
        }

        @Test func `a form is written to a file`() throws {
            let fileURL = directory.url.appendingPathComponent("form")
            var form = MultipartFormData()
            form.append("Ada", withName: "name")
            func write(_ request: inout URLRequest) throws {
                try form.writeEncodedData(to: fileURL)
                request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
            }
            var request = URLRequest(url: url)
            try write(&request)
            let contentType = request.value(forHTTPHeaderField: "Content-Type")
            #expect(try MultipartFormData(parsing: Data(contentsOf: fileURL), contentType: contentType).count == 1)
            let again = #expect(throws: MultipartError.self) { try write(&request) }
            #expect(again?.code == .outputStreamFileAlreadyExists)
        }

        @Test func `a class makes requests for callers in Objective-C`() throws {
            let photoURL = try directory.write(Data(count: 10), as: "photo.png")
            let received = try form(in: FormRequests.upload(of: photoURL, named: "file", to: url))
            #expect(received["file"]?.filename == "photo.png")
        }
    }
#endif
