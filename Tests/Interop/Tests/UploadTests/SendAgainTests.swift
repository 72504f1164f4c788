import AsyncHTTPClient
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
    /// The uploads of the article on sending again: how often they send, and what.
    @Suite struct SendAgainTests {
        enum Client: CaseIterable {
            case asyncHTTPClient, urlSession

            /// Uploads a form, and returns the status of the last answer.
            func upload(_ form: MultipartFormData, to url: URL) async throws -> Int {
                switch self {
                case .asyncHTTPClient:
                    try await uploadAgain(form, to: url, with: HTTPClient.shared, delay: 0.01)
                case .urlSession:
                    try await uploadAgain(form, to: url, with: URLSession.shared, delay: 0.01)
                }
            }
        }

        private static func makeForm() -> MultipartFormData {
            var form = MultipartFormData()
            form.append(Data(count: 16 << 20), withName: "file", fileName: "f", mimeType: "a/b")
            return form
        }

        /// Runs an operation with a server that answers with a list of statuses, and with 200 after them.
        ///
        /// - Returns: The `upload-id` of each whole form that the server has received.
        private static func identifiers(
            answering statuses: [Int],
            _ operation: (URL) async throws -> Void
        ) async throws -> [String] {
            let identifiers = Mutex<[String]>([])
            let next = Mutex(statuses.makeIterator())
            let router = Router()
            router.post("upload") { request, _ in
                let form = try await MultipartFormData(
                    collecting: request.body.map(\.readableBytesView),
                    contentType: request.headers[.contentType]
                )
                let identifier = try #require(form["upload-id"]).text()
                #expect(form["file"]?.length == 16 << 20)
                identifiers.withLock { $0.append(identifier) }
                return HTTPResponse.Status(code: next.withLock { $0.next() } ?? 200)
            }
            try await withServer(router) { try await operation($0.appendingPathComponent("upload")) }
            return identifiers.withLock(\.self)
        }

        @Test(arguments: Client.allCases)
        func `a form is sent again until the server takes it, with one identifier`(_ client: Client) async throws {
            let identifiers = try await Self.identifiers(answering: [503, 429]) { url in
                let answer = try await client.upload(Self.makeForm(), to: url)
                #expect(answer == 200)
            }
            #expect(identifiers.count == 3)
            #expect(Set(identifiers).count == 1)
        }

        @Test(arguments: Client.allCases, [400, 401, 413, 500])
        func `an answer that will not change is final`(_ client: Client, _ status: Int) async throws {
            let identifiers = try await Self.identifiers(answering: [status]) { url in
                let answer = try await client.upload(Self.makeForm(), to: url)
                #expect(answer == status)
            }
            #expect(identifiers.count == 1)
        }

        @Test(arguments: [307, 308])
        func `AsyncHTTPClient returns a redirect, since it cannot send a stream again`(_ status: Int) async throws {
            let router = Router()
            router.post("upload") { request, _ in
                for try await _ in request.body {}
                return Response(status: .init(code: status), headers: [.location: "/elsewhere"])
            }
            router.post("elsewhere") { _, _ in HTTPResponse.Status.ok }
            try await withServer(router) { url in
                let url = url.appendingPathComponent("upload")
                let answer = try await Client.asyncHTTPClient.upload(Self.makeForm(), to: url)
                #expect(answer == status)
            }
        }

        @Test(arguments: Client.allCases)
        func `the fourth answer is the last one`(_ client: Client) async throws {
            let identifiers = try await Self.identifiers(answering: [503, 502, 504, 503, 503]) { url in
                let answer = try await client.upload(Self.makeForm(), to: url)
                #expect(answer == 503)
            }
            #expect(identifiers.count == 4)
        }

        @Test(arguments: Client.allCases)
        func `a connection that breaks does not end the upload`(_ client: Client) async throws {
            let form = Self.makeForm()
            try await withBreakingServer(after: 4 << 20) { url, counts in
                let answer = try await client.upload(form, to: url)
                #expect(answer == 200)
                #expect(counts.all.count == 2)
                #expect(counts.all.last.map { $0 > 16 << 20 } == true)
            }
        }

        @Test(arguments: Client.allCases)
        func `an error of the form, and a cancellation, are final`(_ client: Client) async throws {
            var form = Self.makeForm()
            form.append(URL(fileURLWithPath: "/nowhere/at/all"), withName: "missing")
            let identifiers = try await Self.identifiers(answering: []) { [form] url in
                let error = await #expect(throws: MultipartError.self) { try await client.upload(form, to: url) }
                #expect(error?.partName == "missing")
                let cancelled = Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    return try await client.upload(Self.makeForm(), to: url)
                }
                await #expect(throws: (any Error).self) { try await cancelled.value }
            }
            #expect(identifiers.isEmpty)
        }
    }
}
