import Foundation
import Hummingbird
import Loopback
import MultipartFormCodec
import Synchronization
import Testing
import UploadExamples

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension UploadTests {
    /// The upload with a token to which the article on URLSession links.
    @Suite struct AuthorizedTests {
        private static func makeForm() -> MultipartFormData {
            var form = MultipartFormData()
            form.append(Data(count: 100_000), withName: "file", fileName: "f", mimeType: "a/b")
            return form
        }

        /// A server that knows one token, and answers with the length of a form below a limit.
        private static func makeRouter(_ known: String, upTo limit: Int) -> Router<BasicRequestContext> {
            let router = Router()
            router.post("private") { request, _ in
                let length = try await request.body.reduce(0) { $0 + $1.readableBytes }
                guard request.headers[.authorization] == "Bearer \(known)" else { throw HTTPError(.unauthorized) }
                guard length <= limit else {
                    throw HTTPError(.contentTooLarge, message: "a form may have \(limit) bytes")
                }
                return "\(length)"
            }
            return router
        }

        @Test(arguments: [0, Int.max])
        func `a form is sent again with a new token`(limit: Int) async throws {
            let form = Self.makeForm()
            let session = URLSession(configuration: .ephemeral)
            defer { session.finishTasksAndInvalidate() }
            try await withServer(Self.makeRouter("new", upTo: .max)) { server in
                let questions = Mutex<[Bool]>([])
                let url = server.appendingPathComponent("private")
                let body = try await upload(form, inMemoryUpTo: limit, to: url, with: session) { isExpired in
                    questions.withLock { $0.append(isExpired) }
                    return isExpired ? "new" : "old"
                }
                #expect(String(decoding: body, as: UTF8.self) == form.encodedLength.map { "\($0)" })
                #expect(questions.withLock(\.self) == [false, true])
            }
        }

        @Test func `a second 401 is an error`() async throws {
            let session = URLSession(configuration: .ephemeral)
            defer { session.finishTasksAndInvalidate() }
            try await withServer(Self.makeRouter("other", upTo: .max)) { server in
                let url = server.appendingPathComponent("private")
                let refusal = await #expect(throws: RefusedUpload.self) {
                    try await upload(Self.makeForm(), inMemoryUpTo: .max, to: url, with: session) { _ in "old" }
                }
                #expect(refusal?.status == 401)
            }
        }

        @Test func `an error of the connection has a text for the user, a cancellation has none`() {
            #expect(message(for: URLError(.cancelled)) == nil)
            for code in [URLError.Code.networkConnectionLost, .unknown, .badServerResponse] {
                #expect(message(for: URLError(code))?.contains("lost") == true)
            }
            #expect(message(for: URLError(.cannotConnectToHost)) == "No connection to the server.")
            #expect(message(for: URLError(.timedOut))?.contains("may have received") == true)
        }

        @Test func `a form that is too long has the text of the server`() async throws {
            let session = URLSession(configuration: .ephemeral)
            defer { session.finishTasksAndInvalidate() }
            try await withServer(Self.makeRouter("known", upTo: 1000)) { server in
                let url = server.appendingPathComponent("private")
                let refusal = await #expect(throws: RefusedUpload.self) {
                    try await upload(Self.makeForm(), inMemoryUpTo: .max, to: url, with: session) { _ in "known" }
                }
                #expect(refusal?.text == #"{"error":{"message":"a form may have 1000 bytes"}}"#)
                #expect(refusal?.message == "The file is too long for this server.")
                #expect(refusal.map { "\($0)" } == #"status 413: {"error":{"message":"a form may have 1000 bytes"}}"#)
            }
        }
    }
}
