#if !canImport(Darwin)
    import Foundation
    import FoundationNetworking
    import Hummingbird
    import Loopback
    import MultipartFormCodec
    import NIOCore
    import Synchronization
    import Testing

    extension UploadTests {
        /// What Foundation's URLSession does on Linux with each kind of body: the rows of the article's table that need
        /// no connection to break. `RedirectTests` and `ResentBodyTests` have the others.
        @Suite struct SessionOnLinuxTests {
            enum Body: CaseIterable {
                case data, file, stream, streamedTask
            }

            /// Gives the credential, gives a new body when the session asks for one, and waits for the answer.
            private final class Delegate: NSObject, URLSessionDataDelegate, Sendable {
                private struct State {
                    var requestedBodies = 0
                    var received = Data()
                    var waiting: CheckedContinuation<Data, any Error>?
                }

                private let form: MultipartFormData
                private let state = Mutex(State())

                init(_ form: MultipartFormData) {
                    self.form = form
                }

                var requestedBodies: Int { state.withLock(\.requestedBodies) }

                func answer(of task: URLSessionTask) async throws -> Data {
                    try await withCheckedThrowingContinuation { waiting in
                        state.withLock { $0.waiting = waiting }
                        task.resume()
                    }
                }

                func urlSession(
                    _ session: URLSession,
                    task: URLSessionTask,
                    didReceive challenge: URLAuthenticationChallenge,
                    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
                ) {
                    completionHandler(.useCredential, URLCredential(user: "u", password: "p", persistence: .none))
                }

                func urlSession(
                    _ session: URLSession,
                    task: URLSessionTask,
                    needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
                ) {
                    state.withLock { $0.requestedBodies += 1 }
                    completionHandler(try? form.makeInputStream())
                }

                func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
                    state.withLock { $0.received += data }
                }

                func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
                    state.withLock {
                        let result: Result<Data, any Error> = error.map { .failure($0) } ?? .success($0.received)
                        $0.waiting?.resume(with: result)
                        $0.waiting = nil
                    }
                }
            }

            private static func makeForm() -> MultipartFormData {
                var form = MultipartFormData()
                form.append(Data(count: 1 << 20), withName: "file", fileName: "f", mimeType: "a/b")
                return form
            }

            /// A server that answers with the length of the body that it received with a credential, and with the length
            /// that was declared for it, if one was.
            private static func makeRouter() -> Router<BasicRequestContext> {
                let router = Router()
                router.post("private") { request, _ in
                    let length = try await request.body.reduce(0) { $0 + $1.readableBytes }
                    guard request.headers[.authorization] == "Basic dTpw" else {
                        return Response(status: .unauthorized, headers: [.wwwAuthenticate: "Basic realm=\"r\""])
                    }
                    let text = "\(length) \(request.headers[.contentLength] ?? "")"
                    return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
                }
                return router
            }

            /// What a server has received of a form, and how often the session asked for a body.
            private struct Outcome {
                var received: Int?
                var declared: Int?
                var requestedBodies: Int
                var length: Int
            }

            /// Sends a form.
            private static func send(
                _ body: Body,
                authorization: String? = nil,
                in workspace: TemporaryDirectory
            ) async throws -> Outcome {
                let form = makeForm()
                let delegate = Delegate(form)
                let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
                defer { session.finishTasksAndInvalidate() }
                return try await withServer(makeRouter()) { server in
                    var request = URLRequest(url: server.appendingPathComponent("private"))
                    request.httpMethod = "POST"
                    request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
                    if let authorization { request.setValue(authorization, forHTTPHeaderField: "Authorization") }
                    let answer: Data
                    switch body {
                    case .data:
                        answer = try await session.upload(for: request, from: form.encode()).0
                    case .file:
                        let file = try workspace.write(form.encode(), as: "form")
                        answer = try await session.upload(for: request, fromFile: file).0
                    case .stream:
                        request.httpBodyStream = try form.makeInputStream()
                        answer = try await session.data(for: request).0
                    case .streamedTask:
                        answer = try await delegate.answer(of: session.uploadTask(withStreamedRequest: request))
                    }
                    let numbers = String(decoding: answer, as: UTF8.self).split(separator: " ").map { Int($0) }
                    return Outcome(
                        received: numbers.first ?? nil,
                        declared: numbers.count == 2 ? numbers[1] : nil,
                        requestedBodies: delegate.requestedBodies,
                        length: Int(form.encodedLength ?? 0)
                    )
                }
            }

            @Test(arguments: Body.allCases)
            func `with a credential that is set beforehand the whole form is sent, a stream without its length`(
                _ body: Body
            ) async throws {
                try await TemporaryDirectory.with { workspace in
                    let outcome = try await Self.send(body, authorization: "Basic dTpw", in: workspace)
                    #expect(outcome.received == outcome.length)
                    #expect(outcome.declared == ([.data, .file].contains(body) ? outcome.length : nil))
                }
            }

            @Test(arguments: [(Body.data, 0), (.file, 0), (.streamedTask, 2)])
            func `data, a file and a streamed task are sent again after status 401`(
                _ body: Body,
                _ requestedBodies: Int
            ) async throws {
                try await TemporaryDirectory.with { workspace in
                    let outcome = try await Self.send(body, in: workspace)
                    #expect(outcome.received == outcome.length)
                    #expect(outcome.requestedBodies == requestedBodies)
                }
            }

            @Test func `a stream of a request is sent empty after status 401`() async throws {
                try await TemporaryDirectory.with { workspace in
                    let outcome = try await Self.send(.stream, in: workspace)
                    #expect(outcome.received == 0)
                    #expect(outcome.requestedBodies == 0)
                }
            }
        }
    }
#endif
