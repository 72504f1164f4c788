import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Collecting that ends early leaves nothing.
extension MultipartCollectorTests {
    @Test func `a collector that is dropped leaves no file and no descriptor`() throws {
        let (form, chunks) = try form([10, 300_000])
        do {
            var collector = try MultipartCollector(contentType: form.contentType, options: options())
            for chunk in chunks.dropLast() { try collector.append(chunk) }
            #expect(directory.contents.count == 1)
            #expect(directory.openFileCount == 1)
        }
        #expect(directory.contents.isEmpty)
        #expect(directory.openFileCount == 0)
    }

    @Test func `a truncated message leaves no file`() throws {
        let (form, chunks) = try form([10, 300_000])
        var collector = MultipartCollector(boundary: form.boundary, options: options())
        for chunk in chunks.dropLast() { try collector.append(chunk) }
        let result = Result { () throws -> MultipartFormData in
            var second = MultipartCollector(boundary: form.boundary, options: options())
            for chunk in chunks.dropLast() { try second.append(chunk) }
            return try second.finish()
        }
        #expect { try result.get() } throws: { ($0 as? MultipartError)?.code == .unexpectedEnd }
        #expect(directory.contents.count == 1)
        try collector.append(try #require(chunks.last))
        #expect(try collector.finish()["p1"]?.data() == form["p1"]?.data())
        #expect(directory.contents.isEmpty)
    }

    @Test(.timeLimit(.minutes(10)), arguments: [false, true])
    func `collecting that is cancelled at any chunk leaves no file and no descriptor`(
        endsWhenCancelled: Bool
    ) async throws {
        let (form, chunks) = try form([10, 300_000, 100_000], chunk: 7000)
        var sawFiles: Set<Int> = []
        for index in 0...chunks.count {
            let waiting = Signal()
            let source = ChunkSource(
                chunks,
                waitingAt: index,
                waiting: waiting,
                endsWhenCancelled: endsWhenCancelled
            )
            // A source that ends in its place ends the message, even if the task is cancelled.
            let isComplete = endsWhenCancelled && index == chunks.count
            sawFiles.insert(try await cancelCollecting(form, source, waiting, isComplete: isComplete))
        }
        #expect(sawFiles == [0, 1, 2])
    }

    /// Collects a form and cancels while a chunk, or the end, is awaited.
    ///
    /// - Returns: The number of files at that time.
    private func cancelCollecting(
        _ form: MultipartFormData,
        _ source: ChunkSource<Data>,
        _ waiting: Signal,
        isComplete: Bool
    ) async throws -> Int {
        let options = options()
        let task = Task {
            try await MultipartFormData(collecting: source, contentType: form.boundary.contentType, options: options)
                .count
        }
        await waiting.wait()
        let files = directory.contents.count
        // Only the last one may still be open.
        #expect(directory.openFileCount <= 1)
        task.cancel()
        if isComplete {
            #expect(try await task.value == form.count)
        } else {
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        #expect(directory.contents.isEmpty)
        #expect(directory.openFileCount == 0)
        return files
    }

    @Test func `an error of the source is rethrown`() async throws {
        let (form, chunks) = try form([10, 300_000])
        let source = ChunkSource(chunks) { [count = chunks.count] index in
            if index == count - 1 { throw POSIXError(.ECONNRESET) }
        }
        let error = await #expect(throws: POSIXError.self) {
            try await MultipartFormData(collecting: source, contentType: form.boundary.contentType, options: options())
        }
        #expect(error?.code == .ECONNRESET)
        #expect(directory.contents.isEmpty)
    }
}
