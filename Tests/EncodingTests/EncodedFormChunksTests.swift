import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct EncodedFormChunksTests {
    private let directory: TemporaryDirectory
    private let file: URL

    init() throws {
        directory = try TemporaryDirectory()
        file = try directory.write(Data(count: 100_000), as: "file")
    }

    private var fileForm: MultipartFormData { form(of: file) }

    private func form(of file: URL) -> MultipartFormData {
        var form = MultipartFormData()
        form.append(file, withName: "f")
        return form
    }

    /// A file of which not everything is read ahead.
    private func longFile() throws -> URL { try directory.write(Data(Self.longContent), as: "long") }

    private static let longContent = (0..<1_200_000).map { UInt8(truncatingIfNeeded: $0 % 251) }

    @Test(arguments: [1, 2, 3, 7, 65536])
    func `chunks of any size give the same bytes, and all but the last have that size`(size: Int) async throws {
        for seed in 0..<40 {
            var generator = SeededGenerator(seed: UInt64(seed) &* 37)
            let form = try RandomForm(using: &generator, directory: directory).form
            #expect(try await EncodingEntryPoints.chunks(form, size: size) == form.encode(), "seed \(seed)")
        }
    }

    @Test(arguments: [99_999, 1 << 20, 1 << 30, .max])
    func `a chunk may be larger than the message`(size: Int) async throws {
        var form = fileForm
        form.append(BodyPart(length: nil, name: "s") { InputStream(data: Data(count: 3000)) })
        #expect(try await EncodingEntryPoints.chunks(form, size: size) == form.encode())
    }

    // The memory of such a chunk grows in steps.
    @Test func `a chunk of some megabytes has its size`() async throws {
        let form = MultipartFormData([BodyPart(length: nil, name: "s") { InputStream(data: Data(count: 3 << 20)) }])
        #expect(try await EncodingEntryPoints.chunks(form, size: 5 << 19) == form.encode())
    }

    @Test func `a chunk has 64 KiB unless another size is chosen`() async throws {
        for chunks in [fileForm.chunks(), EncodedFormChunks(encoding: ChunkSource(Array(fileForm)))] {
            var iterator = chunks.makeAsyncIterator()
            let first = try await iterator.next()
            #expect(first?.count == 65_536)
        }
    }

    @Test func `at the end of the message there is no chunk`() async throws {
        let form = fileForm
        var iterator = form.chunks(from: try #require(form.encodedLength)).makeAsyncIterator()
        let first = try await iterator.next()
        #expect(first == nil)
    }

    @Test func `a chunk has at least one byte`() async {
        await #expect(processExitsWith: .failure) { _ = MultipartFormData().chunks(ofSize: 0) }
    }

    @Test func `each iteration encodes again, but a stream is read once`() async throws {
        var form = fileForm
        #expect(try await EncodingEntryPoints.chunks(form, size: 1000) == EncodingEntryPoints.chunks(form, size: 1000))
        #if FullFoundation
            form.append(InputStream(data: Data("x".utf8)), withLength: 1, name: "s")
            let chunks = form.chunks()
            for try await _ in chunks {}
            await #expect(throws: MultipartError(.bodyPartStreamConsumed, partIndex: 1)) {
                for try await _ in chunks {}
            }
        #endif
    }

    #if FullFoundation
        @Test func `nothing is read before it is requested`() async throws {
            let reads = Counter()
            var form = MultipartFormData()
            form.append(
                BodyPart(length: nil, name: "s") {
                    StubStream([UInt8](repeating: 1, count: 10_000), fails: false) { reads.increment() }
                }
            )
            var iterator = form.chunks(ofSize: 1000).makeAsyncIterator()
            #expect(reads.value == 0)
            for turn in 1...5 {
                _ = try await iterator.next()
                // One read per chunk.
                #expect(reads.value == turn)
            }
        }
    #endif

    @Test func `an error comes after the chunks before it, and ends the iteration`() async throws {
        var form = MultipartFormData()
        form.append(Data(count: 1000), withName: "a")
        form.append(BodyPart(length: 5, name: "s") { InputStream(data: Data(count: 3)) })
        var iterator = form.chunks(ofSize: 500).makeAsyncIterator()
        _ = try await iterator.next()
        _ = try await iterator.next()
        await #expect(throws: MultipartError(.bodyPartLengthMismatch, partIndex: 1)) { try await iterator.next() }
        let after = try await iterator.next()
        #expect(after == nil)
    }

    @Test func `leaving the iteration closes its file`() async throws {
        let file = try longFile()
        let form = form(of: file)
        for try await _ in form.chunks(ofSize: 1000) {
            guard OpenDescriptors.count(on: file) == 0 else { break }
        }
        #expect(OpenDescriptors.count(on: file) == 0)
        var iterator: EncodedFormChunks.AsyncIterator? = form.chunks(ofSize: 1000).makeAsyncIterator()
        _ = try await iterator?.next()
        #expect(OpenDescriptors.count(on: file) == 1)
        iterator = nil
        #expect(OpenDescriptors.count(on: file) == 0)
    }

    @Test(arguments: [1, 4096, 16 * 1024, 65536, 200_000, 256 * 1024, 256 * 1024 + 1, 512 * 1024])
    func `of a file, 512 KiB are read ahead, in short chunks`(size: Int) async throws {
        let file = try longFile()
        let reports = Locked<[UInt64]>([])
        let progress = EncodingProgress { report in reports.withLock { $0.append(report.completed) } }
        var bytes = 0
        var most = 0
        for try await chunk in form(of: file).chunks(ofSize: size, progress: progress) {
            bytes += chunk.count
            most = max(most, Int(reports.withLock { $0.last } ?? 0) - bytes)
            if size == 1, bytes == 2000 { break }
        }
        switch size {
        // Progress is reported once for 4096 bytes, and fewer are read ahead.
        case 1: #expect(most == 0)
        // With the chunk that was returned, as many as fit into 512 KiB.
        default: #expect(most == (512 * 1024 / size - 1) * size)
        }
    }

    @Test func `nothing is read ahead of memory and streams`() async throws {
        let progress = Locked<UInt64>(0)
        var form = fileForm
        let file = form.encodedLength ?? 0
        form.append(Data(count: 200_000), withName: "d")
        form.append(BodyPart(length: 200_000, name: "s") { InputStream(data: Data(count: 200_000)) })
        var bytes: UInt64 = 0
        let report = EncodingProgress { report in progress.withLock { $0 = report.completed } }
        for try await chunk in form.chunks(ofSize: 5000, progress: report) {
            bytes += UInt64(chunk.count)
            // The chunk in which the file ends has been filled.
            #expect(progress.withLock { $0 } <= max(bytes, file + 5000))
        }
    }

    @Test(arguments: [1000, 10_000, 65536, 200_000])
    func `a file that shrinks ends the iteration after the chunks before its end`(size: Int) async throws {
        for length in [0, 1, 600_000, 700_000, 1_199_999] {
            let file = try longFile()
            let form = form(of: file)
            let message = try form.encode()
            var iterator = form.chunks(ofSize: size).makeAsyncIterator()
            var bytes = try #require(try await iterator.next())
            let handle = try FileHandle(forWritingTo: file)
            try handle.truncate(atOffset: UInt64(length))
            try handle.close()
            let error = await #expect(throws: MultipartError.self) {
                while let chunk = try await iterator.next() {
                    #expect(chunk.count == size)
                    bytes += chunk
                }
            }
            #expect(error?.code == .bodyPartFileChanged || error?.code == .bodyPartLengthMismatch)
            #expect(error?.partIndex == 0)
            #expect(message.prefix(bytes.count) == bytes)
            // What has been read ahead arrives, and so does what is left of the file in full chunks.
            #expect(bytes.count >= 512 * 1024 / max(size, 4096) * size)
            #expect(OpenDescriptors.count(on: file) == 0)
        }
    }

    @Test func `files, memory and streams keep their order when files are read ahead`() async throws {
        let long = try longFile()
        var form = MultipartFormData()
        for index in 0..<3 {
            form.append(long, withName: "long")
            form.append(file, withName: "f")
            form.append(Data(repeating: UInt8(index), count: 70_001), withName: "d")
            form.append(BodyPart(length: nil, name: "s") { InputStream(data: Data(repeating: 7, count: 70_003)) })
            form.append(file, withName: "f")
            form.append(file, withName: "g")
        }
        for size in [4095, 30_000, 65536, 260_000, 300_000] {
            for start in [0, 1, 524_288, 1_270_000] as [UInt64] {
                let expected = try form.encode().dropFirst(Int(start))
                let bytes = try await EncodingEntryPoints.bytes(of: form.chunks(ofSize: size, from: start), size: size)
                #expect(bytes == expected, "\(size), \(start)")
            }
        }
    }

    @Test func `a chunk that was read ahead can be changed without a copy`() async throws {
        for try await var chunk in form(of: try longFile()).chunks(ofSize: 50_000) where chunk.count == 50_000 {
            let before = chunk.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
            chunk[0] = 1
            #expect(chunk.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } == before)
        }
    }

    @Test func `a task cancelled before it began opens nothing`() async throws {
        var form = MultipartFormData()
        form.append(
            BodyPart(length: nil, name: "s") {
                Issue.record("opened")
                return InputStream(data: Data())
            }
        )
        let chunks = form.chunks()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            for try await _ in chunks {}
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    /// The number of chunks that `a task cancelled …` takes: from the first 512 KiB, their last chunk, and from the
    /// next.
    private static let takenCounts = Array(1...10) + Array(50...55)

    @Test(arguments: takenCounts)
    func `a task cancelled between chunks gets no more, and its file is closed`(taken: Int) async throws {
        let file = try longFile()
        let chunks = form(of: file).chunks(ofSize: 10_000)
        let task = Task {
            var iterator = chunks.makeAsyncIterator()
            for _ in 0..<taken { #expect(try await iterator.next()?.count == 10_000) }
            #expect(OpenDescriptors.count(on: file) == 1)
            withUnsafeCurrentTask { $0?.cancel() }
            await #expect(throws: CancellationError.self) { try await iterator.next() }
            #expect(OpenDescriptors.count(on: file) == 0)
            let after = try await iterator.next()
            #expect(after == nil)
        }
        try await task.value
    }

    /// An open file that tells when it is closed, with its last owner.
    private final class Resource {
        private let handle: FileHandle
        private let released: Signal

        init(_ file: URL, _ released: Signal) throws {
            handle = try FileHandle(forReadingFrom: file)
            self.released = released
        }

        deinit {
            try? handle.close()
            released.give()
        }
    }

    @Test func `a task cancelled while a stream blocks does not wait for it`() async throws {
        let file = file
        let gate = LimitedSemaphore()
        let blocked = Signal()
        let released = Signal()
        var form = MultipartFormData()
        form.append(
            BodyPart(length: nil, name: "s") {
                let resource = try Resource(file, released)
                return StubStream([1, 2, 3], fails: false) {
                    withExtendedLifetime(resource) {}
                    blocked.give()
                    gate.wait()
                }
            }
        )
        let chunks = form.chunks()
        let task = Task { for try await _ in chunks {} }
        await blocked.wait()
        task.cancel()
        // The stream blocks until the gate is signalled.
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(OpenDescriptors.count(on: file) == 1)
        gate.signal()
        await released.wait()
        #expect(OpenDescriptors.count(on: file) == 0)
    }

    @Test func `cancelling a task after the end has no effect`() async throws {
        let chunks = fileForm.chunks()
        let task = Task {
            var iterator = chunks.makeAsyncIterator()
            while try await iterator.next() != nil {}
            withUnsafeCurrentTask { $0?.cancel() }
            return try await iterator.next()
        }
        #expect(try await task.value == nil)
    }

    @Test @MainActor func `streams are not read on the waiting thread`() async throws {
        let (names, name) = AsyncStream<Bool>.makeStream()
        var form = MultipartFormData()
        form.append(
            BodyPart(length: nil, name: "s") {
                StubStream([1], fails: false) { name.yield(Thread.isMainThread) }
            }
        )
        for try await _ in form.chunks() {}
        name.finish()
        var isMain: [Bool] = []
        for await value in names { isMain.append(value) }
        #expect(isMain.contains(false))
        #expect(!isMain.contains(true))
    }

    @Test func `many iterations at once do not starve each other`() async throws {
        let gate = LimitedSemaphore()
        let reads = Counter()
        let count = 40
        var form = MultipartFormData()
        form.append(
            BodyPart(length: nil, name: "s") {
                StubStream([1], fails: false) {
                    reads.increment()
                    gate.wait()
                }
            }
        )
        let chunks = form.chunks()
        let messages = try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<count { group.addTask { try await chunks.reduce(into: Data()) { $0.append($1) } } }
            // Streams that block at once: more than most machines have threads for tasks, fewer than for streams.
            await reads.wait(for: 20)
            // Two reads each, of the byte and of the end.
            for _ in 0..<2 * count { gate.signal() }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        var plain = MultipartFormData(boundary: form.boundary)
        plain.append(Data([1]), withName: "s")
        let message = try plain.encode()
        #expect(messages == Array(repeating: message, count: count))
    }

    @Test(arguments: [1, 3])
    func `using an iterator after its copy has advanced is an error`(taken: Int) async throws {
        let form = fileForm
        var iterator = form.chunks(ofSize: 30_000).makeAsyncIterator()
        var bytes = Data()
        for _ in 0..<taken { bytes += try await iterator.next() ?? Data() }
        var copy = iterator
        bytes += try await iterator.next() ?? Data()
        let error = MultipartError(.concurrentUse)
        await #expect(throws: error) { try await copy.next() }
        let after = try await copy.next()
        #expect(after == nil)
        // The other copy continues.
        copy = iterator
        while let chunk = try await iterator.next() { bytes += chunk }
        #expect(try bytes == form.encode())
        await #expect(throws: error) { try await copy.next() }
    }

    @Test func `a copy may replace an iterator, or begin again`() async throws {
        let form = fileForm
        let first = form.chunks(ofSize: 1000).makeAsyncIterator()
        for _ in 0..<2 {
            var iterator = first
            var bytes = Data()
            while true {
                var next = iterator
                guard let chunk = try await next.next() else { break }
                bytes += chunk
                iterator = next
            }
            #expect(try bytes == form.encode())
        }
    }
}
