import Foundation
import Loopback
import MultipartFormCodec
import NIOCore
import Testing
import UploadExamples

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension UploadTests {
    /// 2 seconds after an upload ends early, no task waits, no descriptor is open, and no file is left.
    @Suite struct AbortTests {
        static let grace = Duration.seconds(2)
        static let streaming: [ClientKind] = [.asyncHTTPClient, .urlSession, .nio]

        @Test(arguments: streaming)
        func `a cancelled upload leaves nothing`(_ kind: ClientKind) async throws {
            try await TemporaryDirectory.with { workspace in
                let received = try workspace.makeDirectory("received")
                let form = try longForm(in: workspace)
                try await withServer(.hummingbird, directory: received) { server in
                    let url = server.appendingPathComponent("collect")
                    try await warmUp(kind, url, workspace)
                    let left = Leftovers(directory: received)
                    let limit = try await kind.withClient(directory: workspace.url) { client in
                        let upload = Task { try await client.upload(form, to: url) }
                        #expect(await eventually(within: .seconds(30)) { !left.files.isEmpty })
                        return await expectEnd(of: upload)
                    }
                    #expect(await left.areGone(by: limit))
                }
            }
        }

        @Test(arguments: streaming)
        func `a server that stops reading holds back the client, which can still be cancelled`(
            _ kind: ClientKind
        ) async throws {
            try await TemporaryDirectory.with { workspace in
                let scratch = try workspace.makeDirectory("scratch")
                try await withServer(.nio, directory: scratch) { server in
                    try await warmUp(kind, server.appendingPathComponent("upload"), workspace)
                }
                try await withDeafServer { url in
                    await Leftovers.settle()
                    let left = Leftovers(directory: scratch)
                    let read = Counter()
                    let content = GeneratedContent(seed: 1, length: 1 << 30) { read.set($0) }
                    var form = MultipartFormData()
                    form.append(try longFile(in: workspace, length: 1 << 20), withName: "before")
                    form.append(BodyPart(length: content.length, name: "file", filename: "f") { content.makeStream() })
                    let limit = try await kind.withClient(directory: scratch) { [form] client in
                        let upload = Task { try await client.upload(form, to: url) }
                        #expect(await comesToRest(within: .seconds(30)) { read.value })
                        #expect(read.value < 256 << 20)
                        return await expectEnd(of: upload)
                    }
                    #expect(await left.areGone(by: limit))
                }
            }
        }

        @Test(arguments: [ClientKind.urlSession, .urlSessionMemory], [0, 1, 3, 10, 30, 100])
        func `an upload of a session ends whenever it is cancelled`(
            _ kind: ClientKind,
            milliseconds: Int
        ) async throws {
            try await TemporaryDirectory.with { workspace in
                try await withServer(.hummingbird, directory: workspace.url) { server in
                    try await kind.withClient(directory: workspace.url) { client in
                        for length in [0, 100_000, 4 << 20] {
                            var form = MultipartFormData()
                            form.append(Data(count: length), withName: "file", fileName: "f", mimeType: "a/b")
                            let upload = Task { [form] in
                                try await client.upload(form, to: server.appendingPathComponent("upload"))
                            }
                            try await Task.sleep(for: .milliseconds(milliseconds))
                            let start = ContinuousClock.now
                            upload.cancel()
                            let receipts = try? await upload.value
                            #expect(receipts.map { $0.map(\.size) == [length] } != false)
                            #expect(start.duration(to: .now) < Self.grace)
                        }
                    }
                }
            }
        }

        @Test(arguments: [0, 1, 3, 10, 30, 100])
        func `a form that is sent in pieces is deleted at the server if it is cancelled`(
            milliseconds: Int
        ) async throws {
            try await TemporaryDirectory.with { workspace in
                let received = try workspace.makeDirectory("received")
                let session = URLSession(configuration: .ephemeral)
                defer { session.finishTasksAndInvalidate() }
                try await withServer(makeResumableRouter(directory: received, upTo: 64 << 20)) { server in
                    var form = MultipartFormData()
                    form.append(Data(count: 16 << 20), withName: "file", fileName: "f", mimeType: "a/b")
                    let url = server.appendingPathComponent("uploads")
                    let uploading = Task { [form] in
                        try await upload(form, to: url, with: session, inPiecesOf: 32_768) { _ in }
                    }
                    try await Task.sleep(for: .milliseconds(milliseconds))
                    uploading.cancel()
                    await #expect(throws: CancellationError.self) { try await uploading.value }
                    #expect(try FileManager.default.contentsOfDirectory(atPath: received.path).isEmpty)
                }
            }
        }

        @Test func `a file that was written for a session is removed when the upload is cancelled`() async throws {
            try await TemporaryDirectory.with { workspace in
                let scratch = try workspace.makeDirectory("scratch")
                var form = MultipartFormData()
                form.append(try longFile(in: workspace, length: 64 << 20), withName: "file")
                let length = try #require(form.encodedLength)
                try await withDeafServer { url in
                    await Leftovers.settle()
                    let left = Leftovers(directory: scratch)
                    let limit = try await ClientKind.urlSessionFile.withClient(directory: scratch) { [form] client in
                        let upload = Task { try await client.upload(form, to: url) }
                        let isWritten = try await eventually(within: .seconds(30)) {
                            let sizes = try FileManager.default
                                .contentsOfDirectory(at: scratch, includingPropertiesForKeys: nil)
                                .map { try FileManager.default.attributesOfItem(atPath: $0.path)[.size] as? UInt64 }
                            return sizes == [length]
                        }
                        #expect(isWritten)
                        // On Linux, cancelling a session while it reads the file ends the process: wait until it has
                        // filled the connection.
                        #expect(await comesToRest(within: .seconds(30)) { OpenDescriptors.offset(in: scratch) })
                        return await expectEnd(of: upload)
                    }
                    #expect(await left.areGone(by: limit))
                }
            }
        }

        @Test func `a client that goes away halfway leaves nothing at the server`() async throws {
            try await TemporaryDirectory.with { workspace in
                let received = try workspace.makeDirectory("received")
                try await withServer(.hummingbird, directory: received) { server in
                    try await warmUp(.asyncHTTPClient, server.appendingPathComponent("collect"), workspace)
                    let left = Leftovers(directory: received)
                    let client = try await sendHalf(to: server, while: left)
                    try await client.close()
                    #expect(await left.areGone(within: Self.grace))
                }
            }
        }

        @Test(arguments: ["keep-alive", "close"])
        func `a connection on which nothing arrives is closed, also if the server does not read it`(
            _ connection: String
        ) async throws {
            try await TemporaryDirectory.with { workspace in
                let received = try workspace.makeDirectory("received")
                let router = makeVideoRouter(directory: received, upTo: 1 << 30)
                try await withServer(router, idleTimeout: .seconds(1)) { server in
                    let left = Leftovers(directory: received)
                    for name in ["video", "refused"] {
                        let url = server.appendingPathComponent("videos")
                        let client = try await sendHalfAForm(to: url, named: name, "Connection: \(connection)")
                        if name == "video" {
                            #expect(await eventually(within: .seconds(10)) { !left.files.isEmpty })
                        }
                        #expect(await eventually(within: .seconds(10)) { !client.isActive })
                        #expect(await left.areGone(within: Self.grace))
                    }
                }
            }
        }

        @Test func `a server that is stopped halfway leaves nothing`() async throws {
            try await TemporaryDirectory.with { workspace in
                let received = try workspace.makeDirectory("received")
                try await withServer(.hummingbird, directory: received) { server in
                    try await warmUp(.asyncHTTPClient, server.appendingPathComponent("collect"), workspace)
                }
                await Leftovers.settle()
                let left = Leftovers(directory: received)
                let client = try await withServer(.hummingbird, directory: received) { server in
                    try await sendHalf(to: server, while: left)
                }
                try? await client.close()
                #expect(await left.areGone(within: Self.grace))
            }
        }

        @Test func `a cancelled parse ends and leaves nothing`() async throws {
            try await TemporaryDirectory.with { workspace in
                let received = try workspace.makeDirectory("received")
                let left = Leftovers(directory: received)
                let (chunks, source) = AsyncStream.makeStream(of: Data.self)
                source.yield(Data("--b\r\nContent-Disposition: form-data; name=a; filename=f\r\n\r\nhalf".utf8))
                let collecting = Task {
                    let options = MultipartCollector.Options(temporaryDirectory: received)
                    return try await MultipartFormData(
                        collecting: chunks,
                        contentType: "multipart/form-data; boundary=b",
                        options: options
                    ) { _ in .disk(upTo: 1 << 20) }
                }
                #expect(await eventually(within: .seconds(10)) { !left.files.isEmpty })
                let limit = await expectEnd(of: collecting)
                #expect(await left.areGone(by: limit))
                source.finish()
            }
        }

        @Test func `a cancelled task stops waiting for a part's body`() async throws {
            let (chunks, source) = AsyncStream.makeStream(of: Data.self)
            let read = Counter()
            source.yield(Data("--b\r\nContent-Disposition: form-data; name=a\r\n\r\nhalf of a body".utf8))
            let reading = Task {
                for try await part in try chunks.multipartParts(contentType: "multipart/form-data; boundary=b") {
                    for try await bytes in part.body { read.set(read.value + UInt64(bytes.count)) }
                }
            }
            #expect(await eventually(within: .seconds(10)) { read.value > 0 })
            await expectEnd(of: reading)
            source.finish()
        }

        /// Cancels a task, which must then fail in time.
        ///
        /// - Returns: The time by which nothing may be left.
        @discardableResult
        private func expectEnd<Value: Sendable>(of task: Task<Value, any Error>) async -> ContinuousClock.Instant {
            let limit = ContinuousClock.now + Self.grace
            task.cancel()
            let result = await task.result
            #expect(throws: (any Error).self) { try result.get() }
            #expect(ContinuousClock.now < limit)
            return limit
        }

        /// Sends a small form, so that client and server have opened their lasting descriptors.
        private func warmUp(_ kind: ClientKind, _ url: URL, _ workspace: TemporaryDirectory) async throws {
            try await kind.withClient(directory: workspace.url) { client in
                let form = try ExampleForm.fields.make(in: workspace)
                #expect(try await client.upload(form, to: url).count == form.count)
            }
            await Leftovers.settle()
        }

        /// A sparse file.
        private func longFile(in workspace: TemporaryDirectory, length: UInt64) throws -> URL {
            let url = try workspace.write(Data(), as: "long.bin")
            let handle = try FileHandle(forWritingTo: url)
            try handle.truncate(atOffset: length)
            try handle.close()
            return url
        }

        private func longForm(in workspace: TemporaryDirectory) throws -> MultipartFormData {
            var form = MultipartFormData()
            form.append("before", withName: "field")
            form.append(try longFile(in: workspace, length: 1000 << 20), withName: "file")
            return form
        }

        /// Sends the first half of a form with a file, and waits until the server has begun to write it.
        private func sendHalf(to server: URL, while left: Leftovers) async throws -> any Channel {
            let channel = try await sendHalfAForm(to: server.appendingPathComponent("collect"))
            #expect(await eventually(within: .seconds(10)) { !left.files.isEmpty })
            return channel
        }
    }
}
