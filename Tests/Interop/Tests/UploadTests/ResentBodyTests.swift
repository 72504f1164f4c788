import Foundation
import Loopback
import MultipartFormCodec
import Testing
import UploadExamples

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension UploadTests {
    /// What the article on URLSession says about a connection that breaks while a session sends a form.
    @Suite struct ResentBodyTests {
        /// How to send a form. Not from a file: a connection that breaks then may crash the process (Swift 6.3.1).
        enum Way: CaseIterable {
            case data, token, stream, rest

            /// Sends a form with a session, or with those that the article's functions make of it.
            func send(_ form: MultipartFormData, to url: URL, with session: URLSession) async throws {
                switch self {
                case .data:
                    _ = try await upload(encoding: form, to: url, with: session)
                case .token:
                    _ = try await upload(form, inMemoryUpTo: .max, to: url, with: session) { _ in "token" }
                case .stream:
                    _ = try await upload(form, to: url, with: session)
                case .rest:
                    _ = try await resume(form, at: url, with: session)
                }
            }
        }

        /// Runs an operation with a server that breaks a connection, a session that is connected with it, and a form.
        private static func withUsedConnection(
            _ operation: (URL, URLSession, MultipartFormData, BodyCounts) async throws -> Void
        ) async throws {
            var form = MultipartFormData()
            form.append(Data(count: 16 << 20), withName: "file", fileName: "f", mimeType: "a/b")
            let configuration = URLSessionConfiguration.ephemeral
            configuration.timeoutIntervalForRequest = 2
            let session = URLSession(configuration: configuration)
            defer { session.finishTasksAndInvalidate() }
            try await withBreakingServer(after: 4 << 20) { [form] url, counts in
                _ = try await session.data(from: url)
                try await operation(url, session, form, counts)
            }
        }

        @Test(arguments: Way.allCases)
        func `a session of its own sends a form once`(_ way: Way) async throws {
            try await Self.withUsedConnection { url, session, form, counts in
                let error = await #expect(throws: URLError.self) {
                    try await way.send(form, to: url, with: session)
                }
                #expect(error?.code != .timedOut)
                #expect(counts.all.count == 1)
            }
        }

        #if !canImport(Darwin)
            @Test func `on Linux a session sends the rest of a stream again over a used connection`() async throws {
                try await Self.withUsedConnection { url, session, form, counts in
                    let length = try #require(form.encodedLength)
                    var request = URLRequest(url: url)
                    request.httpMethod = "POST"
                    request.httpBodyStream = try form.makeInputStream()
                    _ = try await session.data(for: request)
                    #expect(counts.all.count == 2)
                    #expect(counts.all.last.map { $0 < length } == true)
                }
            }

            @Test func `on Linux a session that sends the rest of data again waits in vain`() async throws {
                try await Self.withUsedConnection { url, session, form, counts in
                    let length = try #require(form.encodedLength)
                    let error = await #expect(throws: URLError.self) {
                        try await upload(form, inMemoryUpTo: .max, to: url, with: session)
                    }
                    #expect(error?.code == .timedOut)
                    #expect(counts.all.count == 2)
                    #expect(counts.all.last.map { $0 < length } == true)
                }
            }
        #endif
    }
}
