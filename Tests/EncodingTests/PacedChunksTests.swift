import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct PacedChunksTests {
    private func form(_ count: Int) -> MultipartFormData {
        var form = MultipartFormData()
        form.append(Data(count: count), withName: "f")
        return form
    }

    @Test func `the bytes are the same, and come no faster than the rate`() async throws {
        let form = form(2000)
        let clock = ContinuousClock()
        for _ in 0..<2 {
            var bytes = Data()
            let start = clock.now
            for try await chunk in form.chunks(ofSize: 100, bytesPerSecond: 20_000) {
                // The bytes before this chunk take at least this long.
                #expect(start.duration(to: clock.now) >= .seconds(Double(bytes.count) / 20_000) - .milliseconds(1))
                bytes += chunk
            }
            #expect(try bytes == form.encode())
        }
    }

    @Test func `cancelling the task ends the wait and closes the file`() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(Data(count: 1_000_000), as: "file")
        var form = MultipartFormData()
        form.append(file, withName: "f")
        let chunks = form.chunks(ofSize: 300, bytesPerSecond: 1)
        let task = Task {
            var iterator = chunks.makeAsyncIterator()
            _ = try await iterator.next()
            #expect(OpenDescriptors.count(on: file) == 1)
            withUnsafeCurrentTask { $0?.cancel() }
            await #expect(throws: CancellationError.self) { try await iterator.next() }
            #expect(OpenDescriptors.count(on: file) == 0)
            let after = try await iterator.next()
            #expect(after == nil)
        }
        try await task.value
    }

    @Test func `a task that is cancelled before the wait gets no chunk`() async throws {
        // The second chunk would wait for more than an hour.
        let progress = EncodingProgress { report in
            if report.completed > 5000 { withUnsafeCurrentTask { $0?.cancel() } }
        }
        let chunks = form(20_000).chunks(ofSize: 5000, bytesPerSecond: 1, progress: progress)
        let task = Task {
            var iterator = chunks.makeAsyncIterator()
            let first = try await iterator.next()?.count
            #expect(first == 5000)
            await #expect(throws: CancellationError.self) { try await iterator.next() }
        }
        try await task.value
    }

    @Test func `errors are rethrown`() async throws {
        var form = MultipartFormData()
        form.append(BodyPart(length: 10, name: "s") { InputStream(data: Data()) })
        let chunks = form.chunks(ofSize: 10, bytesPerSecond: 1_000_000)
        await #expect(throws: MultipartError(.bodyPartLengthMismatch, partIndex: 0)) { for try await _ in chunks {} }
    }
}
