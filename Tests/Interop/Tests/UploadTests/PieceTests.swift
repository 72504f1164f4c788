import Foundation
import HTTPTypes
import Hummingbird
import Loopback
import MultipartFormCodec
import NIOCore
import Synchronization
import Testing
import UploadExamples

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension UploadTests {
    /// What the article on URLSession says of uploads in pieces when something goes wrong.
    @Suite struct PieceTests {
        /// An upload at a server that fails as a test decides.
        final class Upload: Sendable {
            struct State {
                var bytes = Data()
                var patches = 0
                var isDeleted = false
            }

            private let current = Mutex(State())

            var state: State { current.withLock(\.self) }

            /// A server of this one upload, which stores a piece if `patch` returns for its number, and
            /// may stall when it is asked to delete.
            func makeRouter(
                stallsAtEnd: Bool = false,
                _ patch: @escaping @Sendable (Int) async throws -> Void
            ) throws -> Router<
                BasicRequestContext
            > {
                let offset = try #require(HTTPField.Name("Upload-Offset"))
                let router = Router()
                router.post("uploads") { _, _ in
                    Response(status: .created, headers: [.location: "/uploads/1"])
                }
                router.head("uploads/1") { _, _ in
                    let count = self.state.bytes.count
                    return Response(status: .noContent, headers: [offset: "\(count)"])
                }
                router.patch("uploads/1") { request, _ in
                    let piece = try await Data(request.body.collect(upTo: 1 << 20).readableBytesView)
                    let number = self.current.withLock { state in
                        state.patches += 1
                        return state.patches
                    }
                    try await patch(number)
                    self.current.withLock { $0.bytes += piece }
                    return "stored"
                }
                router.delete("uploads/1") { _, _ in
                    if stallsAtEnd { try await Task.sleep(for: .seconds(60)) }
                    self.current.withLock { $0.isDeleted = true }
                    return HTTPResponse.Status.noContent
                }
                return router
            }
        }

        private static func makeForm() -> MultipartFormData {
            var form = MultipartFormData()
            form.append(Data(count: 1000), withName: "file", fileName: "f", mimeType: "a/b")
            return form
        }

        private static func send(
            _ form: MultipartFormData,
            to server: URL,
            attempts: Int = 2,
            confirmed: @Sendable (UInt64) -> Void = { _ in }
        ) async throws -> Data? {
            let session = URLSession(configuration: .ephemeral)
            defer { session.finishTasksAndInvalidate() }
            let url = server.appendingPathComponent("uploads")
            return try await upload(
                form,
                to: url,
                with: session,
                inPiecesOf: 400,
                attempts: attempts,
                confirmed: confirmed
            )
        }

        @Test func `an upload continues after an interruption, as long as pieces are confirmed`() async throws {
            let form = Self.makeForm()
            let received = Upload()
            let router = try received.makeRouter { number in
                if number % 2 == 1 { throw HTTPError([.serviceUnavailable, .conflict][number / 2 % 2]) }
            }
            try await withServer(router) { server in
                let counts = Mutex<[UInt64]>([])
                let answer = try await Self.send(form, to: server) { count in counts.withLock { $0.append(count) } }
                let confirmed = counts.withLock(\.self)
                #expect(answer == Data("stored".utf8))
                #expect(try received.state.bytes == form.encode())
                #expect(confirmed == confirmed.sorted())
                #expect(confirmed.last == form.encodedLength)
            }
        }

        @Test(arguments: [(HTTPResponse.Status.serviceUnavailable, 2), (.contentTooLarge, 1)])
        func `an upload ends with a refusal, or after attempts in vain, and is not deleted`(
            _ status: HTTPResponse.Status,
            _ attempts: Int
        ) async throws {
            let received = Upload()
            try await withServer(received.makeRouter { _ in throw HTTPError(status) }) { server in
                let refusal = await #expect(throws: RefusedUpload.self) {
                    try await Self.send(Self.makeForm(), to: server)
                }
                #expect(refusal?.status == status.code)
                #expect(received.state.patches == attempts)
                #expect(!received.state.isDeleted)
            }
        }

        @Test(arguments: [false, true])
        func `an upload is deleted if it is cancelled while the server stalls`(_ alsoStallsAtEnd: Bool) async throws {
            let received = Upload()
            let router = try received.makeRouter(stallsAtEnd: alsoStallsAtEnd) { _ in
                try await Task.sleep(for: .seconds(60))
            }
            try await withServer(router) { server in
                let sending = Task { try await Self.send(Self.makeForm(), to: server) }
                #expect(await eventually(within: .seconds(10)) { received.state.patches == 1 })
                let start = ContinuousClock.now
                sending.cancel()
                await #expect(throws: CancellationError.self) { try await sending.value }
                #expect(start.duration(to: .now) < .seconds(15))
                #expect(received.state.isDeleted != alsoStallsAtEnd)
            }
        }

        @Test(arguments: [HTTPResponse.Status.internalServerError, .conflict])
        func `an upload whose form the server refuses is not tried again`(_ status: HTTPResponse.Status) async throws {
            let isComplete = try #require(HTTPField.Name("Upload-Complete"))
            let form = Self.makeForm()
            let received = Upload()
            let router = try received.makeRouter { number in
                if number == 3 { throw HTTPError(status, headers: [isComplete: "?1"], message: "disk full") }
            }
            try await withServer(router) { server in
                let refusal = await #expect(throws: RefusedUpload.self) { try await Self.send(form, to: server) }
                #expect(refusal?.status == status.code)
                #expect(refusal?.text.contains("disk full") == true)
                #expect(received.state.patches == 3)
            }
        }

        @Test func `a form that cannot be read is an error before anything is sent`() async throws {
            var form = Self.makeForm()
            form.append(URL(fileURLWithPath: "/missing.jpg"), withName: "photo")
            let nowhere = try #require(URL(string: "http://127.0.0.1:1"))
            let sending = Task { [form] in try await Self.send(form, to: nowhere) }
            let error = await #expect(throws: MultipartError.self) { try await sending.value }
            #expect(error?.code == .bodyPartFileNotReachable)
        }

        @Test func `an upload is deleted if its form cannot be read`() async throws {
            var form = Self.makeForm()
            form.append(BodyPart(length: 2000, name: "short") { InputStream(data: Data(count: 500)) })
            let received = Upload()
            try await withServer(received.makeRouter { _ in }) { [form] server in
                let error = await #expect(throws: MultipartError.self) { try await Self.send(form, to: server) }
                #expect(error?.code == .bodyPartLengthMismatch)
                #expect(received.state.isDeleted)
            }
        }
    }
}
