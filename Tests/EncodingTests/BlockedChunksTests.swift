import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Iterations over chunks whose streams block, more of them than threads.
@Suite(.serialized, .timeLimit(.minutes(10))) struct BlockedChunksTests {
    /// The number of threads that streams may block, as documented.
    private static let threadCount = 32

    /// Blocks its callers and counts them.
    private final class Gate: @unchecked Sendable {
        // Accessed under the condition's lock only.
        private var isOpen = false
        private var waiting = 0
        private(set) var mostWaiting = 0
        private let condition = NSCondition()
        /// The callers that have arrived.
        private let arrived = Counter()

        /// Blocks until the gate is open.
        func pass() {
            condition.withLock {
                waiting += 1
                mostWaiting = max(mostWaiting, waiting)
                arrived.increment()
                // Longer than the time limit, after which the test opens the gate.
                while !isOpen, condition.wait(until: Date() + 900) {}
                waiting -= 1
            }
        }

        func open() {
            condition.withLock {
                isOpen = true
                condition.broadcast()
            }
        }

        /// Waits until `count` callers are blocked, of a gate that is closed.
        func waitUntilBlocked(_ count: Int) async {
            await arrived.wait(for: count)
        }
    }

    private func form(_ gate: Gate) -> MultipartFormData {
        var form = MultipartFormData()
        form.append("x", withName: "a")
        form.append(BodyPart(length: 1000, name: "s") { StubStream(count: 1000) { gate.pass() } })
        return form
    }

    @Test func `a cancelled task leaves no temporary file, and nothing is sent`() async throws {
        let directory = try TemporaryDirectory()
        let gate = Gate()
        defer { gate.open() }
        let task = Task { [form = form(gate)] in
            try await form.withEncodedForm(inMemoryUpTo: 0, temporaryDirectory: directory.url) { _ in
                Issue.record("called")
            }
        }
        await gate.waitUntilBlocked(1)
        #expect(directory.contents.count == 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(directory.contents.isEmpty)
    }

    @Test func `any number of blocked streams leaves threads for everything else`() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(Data(count: 100_000), as: "file")
        let gate = Gate()
        let blocked = form(gate)
        let count = 300
        try await withThrowingTaskGroup { group in
            // Also when something fails, since the group waits for its tasks.
            defer { gate.open() }
            let started = Counter()
            for _ in 0..<count {
                group.addTask {
                    started.increment()
                    let bytes = try await EncodingEntryPoints.chunks(blocked, size: 100)
                    #expect(bytes.count { $0 == 1 } == 1000)
                }
            }
            await gate.waitUntilBlocked(Self.threadCount)
            await started.wait(for: count)

            for queue in [DispatchQueue.global(), DispatchQueue(label: "of the program's own")] {
                await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
            }
            var others = MultipartFormData(boundary: Boundary("BND"))
            others.append(Data(count: 100_000), withName: "a")
            others.append(file, withName: "f")
            others.append(
                BodyPart(
                    AsyncStream<Data> { stream in
                        stream.yield(Data(count: 1000))
                        stream.finish()
                    },
                    length: nil,
                    name: "s"
                )
            )
            #expect(try await EncodingEntryPoints.chunks(others, size: 1000).count > 201_000)

            gate.open()
            try await group.waitForAll()
        }
        #expect(gate.mostWaiting <= Self.threadCount)
    }

    @Test func `chunks from an offset wait for blocked streams only if they read one`() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(Data(count: 1000), as: "file")
        let opened = Counter()
        var form = MultipartFormData(boundary: "BND")
        form.append("text", withName: "a")
        form.append(Data(count: 1000), withName: "b")
        form.append(
            BodyPart(length: 1000, name: "s") {
                opened.increment()
                return StubStream(count: 1000)
            }
        )
        form.append(file, withName: "f")
        form.append("end", withName: "e")
        let message = try form.encode()
        #expect(opened.value == 1)
        // Where the content of the stream, and that of the file, begins.
        let stream = try #require(message.range(of: Data([1, 1]))).lowerBound
        let afterStream = stream + 1000
        let gate = Gate()
        let blocked = self.form(gate)
        try await withThrowingTaskGroup { group in
            defer { gate.open() }
            for _ in 0..<Self.threadCount {
                group.addTask { _ = try await EncodingEntryPoints.chunks(blocked, size: 100) }
            }
            await gate.waitUntilBlocked(Self.threadCount)
            // The first chunk ends before the stream.
            for offset in [1, 60, 200, stream - 100] {
                var chunks = form.chunks(ofSize: 50, from: UInt64(offset)).makeAsyncIterator()
                #expect(try await chunks.next() == message[offset..<offset + 50], "\(offset)")
            }
            // The stream is skipped without being opened.
            for offset in [afterStream, afterStream + 1, afterStream + 500, message.count - 1, message.count] {
                var rest = Data()
                for try await chunk in form.chunks(ofSize: 50, from: UInt64(offset)) { rest.append(chunk) }
                #expect(rest == message[offset...], "\(offset)")
            }
            #expect(opened.value == 1)
            gate.open()
            try await group.waitForAll()
        }
        // Within the stream its bytes are read.
        for offset in [stream + 1, afterStream - 1] {
            var rest = Data()
            for try await chunk in form.chunks(ofSize: 50, from: UInt64(offset)) { rest.append(chunk) }
            #expect(rest == message[offset...], "\(offset)")
        }
        #expect(opened.value == 3)
    }

    @Test func `a task that is cancelled while all threads are blocked ends at once`() async throws {
        let gate = Gate()
        let blocked = form(gate)
        let opened = Counter()
        var queued = MultipartFormData()
        queued.append(
            BodyPart(length: nil, name: "s") {
                opened.increment()
                return StubStream(count: 1)
            }
        )
        let chunks = queued.chunks()
        try await withThrowingTaskGroup { group in
            defer { gate.open() }
            for _ in 0..<Self.threadCount {
                group.addTask { _ = try await EncodingEntryPoints.chunks(blocked, size: 100) }
            }
            await gate.waitUntilBlocked(Self.threadCount)
            let tasks = (0..<100).map { _ in Task { for try await _ in chunks {} } }
            for task in tasks {
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            }
            gate.open()
            try await group.waitForAll()
        }
        // The cancelled iterations read nothing; a new one does.
        #expect(opened.value == 0)
        for try await _ in chunks {}
        #expect(opened.value == 1)
    }
}
