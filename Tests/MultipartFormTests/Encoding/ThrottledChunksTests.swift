import Foundation
import MultipartForm
import TestSupport
import Testing

@Suite struct ThrottledChunksTests {
    private let clock = ManualClock()

    private func form(_ count: Int) -> MultipartFormData {
        var form = MultipartFormData()
        form.append(Data(count: count), withName: "f")
        return form
    }

    @Test func `the bytes are the same`() async throws {
        let form = form(1000)
        var bytes = Data()
        for try await chunk in form.chunks(ofSize: 100).throttle(bytesPerSecond: 10, clock: clock) { bytes += chunk }
        #expect(try bytes == form.encode())
    }

    @Test func `chunks come at the rate, the first at once`() async throws {
        let form = form(1000)
        var times: [Duration] = []
        let start = clock.now
        for try await _ in form.chunks(ofSize: 100).throttle(bytesPerSecond: 50, clock: clock) {
            times.append(start.duration(to: clock.now))
        }
        #expect(times.count > 10)
        #expect(times == times.indices.map { .seconds(2 * $0) })
    }

    @Test func `a late consumer is let catch up`() async throws {
        var iterator = form(1000).chunks(ofSize: 100).throttle(bytesPerSecond: 100, clock: clock).makeAsyncIterator()
        _ = try await iterator.next()
        clock.advance(by: .milliseconds(2500))
        for _ in 0..<3 { _ = try await iterator.next() }
        #expect(clock.slept == [.milliseconds(500)])
    }

    @Test func `each iteration has its own time`() async throws {
        let throttled = form(100).chunks(ofSize: 1000).throttle(bytesPerSecond: 1, clock: clock)
        for _ in 0..<2 { for try await _ in throttled {} }
        #expect(clock.slept.isEmpty)
    }

    @Test func `waiting ends when the task is cancelled, and what was open is closed`() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(Data(count: 1000), as: "file")
        var form = MultipartFormData()
        form.append(file, withName: "f")
        let throttled = form.chunks(ofSize: 300).throttle(bytesPerSecond: 1)
        let task = Task {
            var iterator = throttled.makeAsyncIterator()
            _ = try await iterator.next()
            #expect(OpenDescriptors.count(on: file) == 1)
            withUnsafeCurrentTask { $0?.cancel() }
            await #expect(throws: CancellationError.self) { try await iterator.next() }
            #expect(OpenDescriptors.count(on: file) == 0)
            let behind = try await iterator.next()
            #expect(behind == nil)
        }
        try await task.value
    }

    @Test func `errors pass`() async throws {
        var form = MultipartFormData()
        form.append(length: 10, withName: "s") { InputStream(data: Data()) }
        let throttled = form.chunks(ofSize: 10).throttle(bytesPerSecond: 1_000_000, clock: clock)
        let reason = MultipartEncodingError.Reason.bodyPartLengthMismatch(expected: 10, actual: 0)
        await #expect(throws: MultipartEncodingError(reason, partIndex: 0)) { for try await _ in throttled {} }
    }
}
