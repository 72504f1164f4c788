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
    /// The progress that the articles show, beside what a slow server has received.
    @Suite struct ProgressTests {
        /// What a client has reported, compared with what the server had received at that time.
        final class Reports: Sendable {
            private let state = Mutex<(all: [(sent: Int64, total: Int64)], lead: Int64)>(([], 0))

            /// The reports, in the order in which they came.
            var all: [(sent: Int64, total: Int64)] { state.withLock(\.all) }
            /// The most bytes that were reported before the server had received them.
            var lead: Int64 { state.withLock(\.lead) }

            func add(_ sent: Int64, of total: Int64, received: Counter) {
                let lead = sent - Int64(received.value)
                state.withLock {
                    $0.all.append((sent, total))
                    $0.lead = max($0.lead, lead)
                }
            }
        }

        /// The buffers between client and server hold less: 4 to 8 MiB on Linux, over 127.0.0.1, and 13 on a busy machine.
        static let buffers: Int64 = 16 << 20

        private static func makeForm() throws -> (form: MultipartFormData, length: Int64) {
            var form = MultipartFormData()
            form.append("Zoë", withName: "name")
            form.append(Data(count: 32 << 20), withName: "file", fileName: "f", mimeType: "a/b")
            return (form, Int64(try #require(form.encodedLength)))
        }

        /// Runs an operation with a server that takes 16 MB of a body in a second.
        private static func withSlowServer(_ operation: (URL, Counter) async throws -> Void) async throws {
            let received = Counter()
            let router = Router()
            router.post("slow") { request, _ in
                let start = ContinuousClock.now
                for try await bytes in request.body {
                    received.set(received.value + UInt64(bytes.readableBytes))
                    try await Task.sleep(until: start + .seconds(Double(received.value) / 16_000_000))
                }
                return "\(received.value)"
            }
            try await withServer(router) { server in
                try await operation(server.appendingPathComponent("slow"), received)
            }
        }

        /// Checks that reports rise to the length, and never run ahead of the server by more than the buffers hold.
        private static func check(_ reports: Reports, reach length: Int64) {
            let all = reports.all
            #expect(all.count > 10)
            #expect(zip(all, all.dropFirst()).allSatisfy { $0.sent <= $1.sent })
            #expect(all.last?.sent == length)
            #expect(all.allSatisfy { $0.total == length })
            #expect(reports.lead < buffers)
        }

        @Test(arguments: [0, 1 << 30])
        func `what a session has sent of a file or of data is what the server has received`(limit: Int) async throws {
            let (form, length) = try Self.makeForm()
            let session = URLSession(configuration: .ephemeral)
            defer { session.finishTasksAndInvalidate() }
            try await Self.withSlowServer { url, received in
                let reports = Reports()
                let body = try await upload(form, inMemoryUpTo: limit, to: url, with: session) { sent, total in
                    reports.add(sent, of: total, received: received)
                }
                #expect(String(decoding: body, as: UTF8.self) == "\(length)")
                Self.check(reports, reach: length)
            }
        }

        @Test func `what a session has sent of a stream is what the server has received`() async throws {
            let (form, length) = try Self.makeForm()
            let session = URLSession(configuration: .ephemeral)
            defer { session.finishTasksAndInvalidate() }
            try await Self.withSlowServer { url, received in
                let reports = Reports()
                _ = try await upload(form, to: url, with: session) { sent in
                    reports.add(sent, of: length, received: received)
                }
                Self.check(reports, reach: length)
            }
        }

        @Test func `what a session with a delegate has sent is what the server has received`() async throws {
            let (form, length) = try Self.makeForm()
            try await TemporaryDirectory.with { workspace in
                try await Self.withSlowServer { url, received in
                    let (reports, answered) = (Reports(), Counter())
                    let uploads = try BackgroundUploads(
                        .ephemeral,
                        directory: workspace.url,
                        url: url,
                        whenSent: { boundary, sent, total in
                            #expect(boundary == form.boundary.description)
                            reports.add(sent, of: total, received: received)
                        },
                        whenAnswered: { answered.set(UInt64($1)) }
                    )
                    try uploads.upload(form)
                    #expect(await eventually { answered.value == 200 })
                    Self.check(reports, reach: length)
                    uploads.finish()
                }
            }
        }

        @Test func `what AsyncHTTPClient has requested is what the server has received`() async throws {
            let (form, length) = try Self.makeForm()
            try await Self.withSlowServer { url, received in
                try await withHTTPClient { client in
                    let reports = Reports()
                    _ = try await upload(form, to: url, with: client) { completed, total in
                        reports.add(Int64(completed), of: Int64(total ?? 0), received: received)
                    }
                    Self.check(reports, reach: length)
                }
            }
        }

        @Test func `what has been encoded is not what has been sent`() async throws {
            let (form, length) = try Self.makeForm()
            for limit in [0, 1 << 30] {
                let last = Counter()
                let progress = EncodingProgress { last.set($0.completed) }
                try await form.withEncodedForm(inMemoryUpTo: limit, progress: progress) { _ in
                    // Nothing has been sent here.
                    #expect(last.value == UInt64(length))
                }
            }
        }
    }
}
