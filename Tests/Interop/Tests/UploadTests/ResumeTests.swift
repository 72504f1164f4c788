import AsyncHTTPClient
import Crypto
import Foundation
import Loopback
import MultipartFormCodec
import NIOCore
import NIOHTTP1
import Testing
import UploadExamples

extension UploadTests {
    /// Uploads that are interrupted, and continued where the server's bytes end.
    @Suite struct ResumeTests {
        @Test func `an upload survives that its server is killed ten times`() async throws {
            try await TemporaryDirectory.with { workspace in
                let seed = UInt64.random(in: 0 ... .max)
                var generator = SeededGenerator(seed: seed)
                let form = try Self.makeForm(in: workspace, using: &generator)
                let length = try #require(form.encodedLength)
                // A second from the end, so that no interruption comes too late.
                let targets = (0..<10).map { _ in UInt64.random(in: 0..<length - 8 << 20, using: &generator) }.sorted()

                let kept = try workspace.makeDirectory("kept")
                let program = try #require(ServerProcess.builtProgram("upload-server"), "upload-server is not built")
                var server = try await ServerProcess(program, ["resumable", kept.path])
                defer { server.kill() }
                let port = server.announcement
                let url = try #require(URL(string: "http://127.0.0.1:\(port)/uploads"))
                try await withHTTPClient { client in
                    let created = try await ResumableUpload.create(of: form, to: url, with: client)
                    let upload = created.limited(to: 8 << 20)
                    let message = kept.appendingPathComponent("\(upload.url.lastPathComponent)/message")
                    async let answer = upload.finish(attempts: 20, pause: .milliseconds(5))

                    for target in targets {
                        let isReached = await eventually { Self.length(of: message) >= target }
                        #expect(isReached, "seed \(seed): \(target) of \(length) bytes")
                        server.kill()
                        #expect(Self.length(of: message) < length, "seed \(seed): interrupted too late")
                        server = try await ServerProcess(program, ["resumable", kept.path, port])
                    }
                    let body = try #require(try await answer, "seed \(seed)")
                    let receipts = try JSONDecoder().decode([PartReceipt].self, from: body)
                    let made = try form.map { try PartReceipt($0) }
                    #expect(receipts == made, "seed \(seed)")
                    let stored = try Data(contentsOf: message)
                    #expect(SHA256.hash(data: stored) == SHA256.hash(data: try form.encode()), "seed \(seed)")
                    let parsed = try MultipartFormData(parsing: stored, contentType: form.contentType)
                    let read = try parsed.map { try PartReceipt($0) }
                    #expect(read == made, "seed \(seed)")
                }
            }
        }

        @Test func `a form that is made again after each of ten relaunches continues the same message`() async throws {
            try await TemporaryDirectory.with { workspace in
                let seed = UInt64.random(in: 0 ... .max)
                var generator = SeededGenerator(seed: seed)
                let file = try workspace.write(Self.bytes(6 << 20, using: &generator), as: "film.mp4")
                let kept = try workspace.makeDirectory("kept")
                let record = workspace.url.appendingPathComponent("pending.json")
                try await withServer(makeResumableRouter(directory: kept, upTo: 1 << 30)) { server in
                    try await withHTTPClient { client in
                        let target = server.appendingPathComponent("uploads")
                        let pending = try await PendingUpload.begin(file, titled: "Zoë", to: target, with: client)
                        try JSONEncoder().encode(pending).write(to: record)
                        let message = kept.appendingPathComponent("\(pending.url.lastPathComponent)/message")
                        let targets = (0..<10).map { _ in UInt64.random(in: 0..<2 << 20, using: &generator) }.sorted()
                        for target in targets {
                            let launch = Task {
                                try await Self.relaunch(record, with: client, bytesPerSecond: 4 << 20)
                            }
                            #expect(await eventually { Self.length(of: message) >= target }, "seed \(seed)")
                            launch.cancel()
                            await #expect(throws: (any Error).self, "seed \(seed)") { try await launch.value }
                        }
                        let body = try #require(try await Self.relaunch(record, with: client, bytesPerSecond: nil))
                        let receipts = try JSONDecoder().decode([PartReceipt].self, from: body)
                        #expect(receipts.map(\.name) == ["title", "video"], "seed \(seed)")
                        #expect(try receipts.last?.sha256 == SHA256.hash(data: Data(contentsOf: file)).hexadecimal)
                        let stored = try Data(contentsOf: message)
                        #expect(try stored == pending.makeForm().encode(), "seed \(seed)")
                    }
                }
            }
        }

        /// What the program does when it is launched again.
        private static func relaunch(
            _ record: URL,
            with client: HTTPClient,
            bytesPerSecond: Int?
        ) async throws -> Data? {
            let pending = try JSONDecoder().decode(PendingUpload.self, from: Data(contentsOf: record))
            let upload = ResumableUpload(of: try pending.makeForm(), at: pending.url, with: client)
                .limited(to: bytesPerSecond)
            return try await upload.finish(attempts: 1, pause: .zero)
        }

        @Test func `a form whose file has changed meanwhile is not continued`() async throws {
            try await TemporaryDirectory.with { workspace in
                let file = try workspace.write(Data(count: 1000), as: "film.mp4")
                let kept = try workspace.makeDirectory("kept")
                try await withServer(makeResumableRouter(directory: kept, upTo: 1 << 30)) { server in
                    try await withHTTPClient { client in
                        let target = server.appendingPathComponent("uploads")
                        let pending = try await PendingUpload.begin(file, titled: "Zoë", to: target, with: client)
                        try Data(count: 1001).write(to: file)
                        #expect(throws: UploadError.self) { try pending.makeForm() }
                    }
                }
            }
        }

        @Test(arguments: [1 << 10, 100_000, 10 << 20])
        func `a form can be sent in pieces`(_ limit: Int) async throws {
            try await TemporaryDirectory.with { workspace in
                var generator = SeededGenerator(seed: UInt64(limit))
                var form = MultipartFormData()
                form.append("Zoë", withName: "title")
                form.append(Self.bytes(300_000, using: &generator), withName: "f", fileName: "f", mimeType: "a/b")
                let kept = try workspace.makeDirectory("kept")
                try await withServer(makeResumableRouter(directory: kept, upTo: 1 << 30)) { server in
                    try await withHTTPClient { client in
                        let url = server.appendingPathComponent("uploads")
                        let upload = try await ResumableUpload.create(of: form, to: url, with: client)
                        let first = try await upload.receivedLength()
                        #expect(first == 0)
                        let body = try #require(try await upload.resume(inPiecesUpTo: limit))
                        let receipts = try JSONDecoder().decode([PartReceipt].self, from: body)
                        let made = try form.map { try PartReceipt($0) }
                        #expect(receipts == made)
                        let last = try await upload.receivedLength()
                        #expect(last == nil)
                        let nothing = try await upload.resume()
                        #expect(nothing == nil)
                    }
                }
            }
        }

        @Test func `an upload continues after 409, which says that another request has taken its turn`() async throws {
            try await TemporaryDirectory.with { workspace in
                var generator = SeededGenerator(seed: 1)
                var form = MultipartFormData()
                form.append(Self.bytes(4 << 20, using: &generator), withName: "f", fileName: "f", mimeType: "a/b")
                let kept = try workspace.makeDirectory("kept")
                try await withServer(makeResumableRouter(directory: kept, upTo: 1 << 30)) { server in
                    try await withHTTPClient { client in
                        let url = server.appendingPathComponent("uploads")
                        let upload = try await ResumableUpload.create(of: form, to: url, with: client)
                            .limited(to: 4 << 20)
                        let message = kept.appendingPathComponent("\(upload.url.lastPathComponent)/message")
                        async let answer = upload.finish(attempts: 2, pause: .zero)
                        for target in [1 << 20, 2 << 20] as [UInt64] {
                            #expect(await eventually { Self.length(of: message) >= target })
                            let received = try await upload.receivedLength()
                            #expect(received.map { $0 >= target } == true)
                        }
                        let body = try #require(try await answer)
                        let receipts = try JSONDecoder().decode([PartReceipt].self, from: body)
                        let made = try form.map { try PartReceipt($0) }
                        #expect(receipts == made)
                    }
                }
            }
        }

        private static func length(of file: URL) -> UInt64 {
            let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
            return (attributes?[.size] as? NSNumber)?.uint64Value ?? 0
        }

        /// A form with a text, bytes and a file, 24 MiB together.
        private static func makeForm(
            in workspace: TemporaryDirectory,
            using generator: inout SeededGenerator
        ) throws -> MultipartFormData {
            var form = MultipartFormData()
            form.append("Zoë", withName: "title")
            form.append(bytes(4 << 20, using: &generator), withName: "b", fileName: "b.bin", mimeType: "a/b")
            form.append(try workspace.write(bytes(20 << 20, using: &generator), as: "film.mp4"), withName: "video")
            return form
        }

        static func bytes(_ count: Int, using generator: inout SeededGenerator) -> Data {
            var data = Data(capacity: count)
            while data.count < count { withUnsafeBytes(of: generator.next() as UInt64) { data.append(contentsOf: $0) } }
            return data.prefix(count)
        }
    }
}

extension ResumableUpload {
    fileprivate func limited(to bytesPerSecond: Int?) -> ResumableUpload {
        var upload = self
        upload.bytesPerSecond = bytesPerSecond
        return upload
    }
}

/// Runs an operation with a client of its own, and closes the client's connections.
func withHTTPClient<Value>(_ operation: (HTTPClient) async throws -> Value) async throws -> Value {
    let client = HTTPClient(eventLoopGroupProvider: .singleton)
    let result: Result<Value, any Error>
    do {
        result = .success(try await operation(client))
    } catch {
        result = .failure(error)
    }
    try await client.shutdown()
    return try result.get()
}
