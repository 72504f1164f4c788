import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ProgressTests {
    private let directory: TemporaryDirectory
    private let output: URL

    init() throws {
        directory = try TemporaryDirectory()
        output = directory.url.appendingPathComponent("output")
    }

    private typealias EntryPoint = (MultipartFormData, EncodingProgress) async throws -> Void

    /// Every entry point that reports progress.
    private var entryPoints: [(name: String, encode: EntryPoint)] {
        var entryPoints: [(name: String, encode: EntryPoint)] = [
            (
                "file",
                { form, progress in
                    defer { try? FileManager.default.removeItem(at: output) }
                    try form.writeEncodedData(to: output, progress: progress)
                }
            ),
            (
                "in memory",
                { form, progress in
                    let directory = directory.url
                    _ = try await EncodingEntryPoints.encoded(
                        form,
                        inMemoryUpTo: .max,
                        directory: directory,
                        progress: progress
                    )
                }
            ),
            (
                "temporary file",
                { form, progress in
                    let directory = directory.url
                    _ = try await EncodingEntryPoints.encoded(
                        form,
                        inMemoryUpTo: 0,
                        directory: directory,
                        progress: progress
                    )
                }
            ),
            ("chunks", { form, progress in for try await _ in form.chunks(ofSize: 1000, progress: progress) {} }),
        ]
        #if FullFoundation
            entryPoints.append(
                (
                    "stream",
                    { form, progress in
                        let stream = try form.makeInputStream(progress: progress)
                        stream.open()
                        _ = try EncodingEntryPoints.drain(stream, size: 1000)
                    }
                )
            )
        #endif
        return entryPoints
    }

    /// A form whose second part calls `whenRead` before each read.
    private func form(length: UInt64?, whenRead: @escaping @Sendable () -> Void = {}) -> MultipartFormData {
        var form = MultipartFormData()
        form.append(Data(count: 300_000), withName: "a")
        form.append(
            BodyPart(length: length, name: "s") {
                StubStream([UInt8](repeating: 1, count: 10_000), fails: false, whenRead: whenRead)
            }
        )
        form.append(Data(count: 300_000), withName: "b")
        return form
    }

    #if FullFoundation
        @Test(arguments: [10_000, nil] as [UInt64?])
        func `every entry point reports the total and counts up to it`(length: UInt64?) async throws {
            for (name, encode) in entryPoints {
                let progress = Progress(totalUnitCount: 0)
                // The first part is done when the second one is read.
                let seen = Counter()
                let form = form(length: length) {
                    if progress.completedUnitCount >= 290_000, progress.completedUnitCount < 320_000 {
                        seen.increment()
                    }
                }
                try await encode(form, EncodingProgress(progress))
                let count = Int64(try form.encode().count)
                #expect(progress.totalUnitCount == (length == nil ? -1 : count), "\(name)")
                #expect(progress.completedUnitCount == count, "\(name)")
                #expect(name == "file" || name == "temporary file" || seen.value > 0, "\(name)")
            }
        }
    #endif

    #if FullFoundation
        @Test(arguments: [10_000, nil] as [UInt64?])
        func `cancelling ends every entry point`(length: UInt64?) async throws {
            for (name, encode) in entryPoints {
                let progress = Progress(totalUnitCount: 0)
                let form = form(length: length) { progress.cancel() }
                await #expect(throws: MultipartError(.cancelled), "\(name)") {
                    try await encode(form, EncodingProgress(progress))
                }
                #expect(directory.contents.isEmpty, "\(name)")
            }
        }
    #endif

    #if FullFoundation
        @Test func `nothing is read if the progress is already cancelled`() async throws {
            for (name, encode) in entryPoints {
                let progress = Progress(totalUnitCount: 0)
                progress.cancel()
                let form = form(length: nil) { Issue.record("read") }
                await #expect(throws: MultipartError(.cancelled), "\(name)") {
                    try await encode(form, EncodingProgress(progress))
                }
            }
        }
    #endif

    @Test(arguments: [10_000, nil] as [UInt64?])
    func `a closure is called at the start, with rising counts, and at the end`(length: UInt64?) async throws {
        let form = form(length: length)
        let count = UInt64(try form.encode().count)
        for (name, encode) in entryPoints {
            let reports = Locked<[UInt64]>([])
            let progress = EncodingProgress { report in
                #expect(report.total == (length == nil ? nil : count), "\(name)")
                let fraction = Double(report.completed) / Double(count)
                #expect(report.fractionCompleted == (length == nil ? nil : fraction), "\(name)")
                reports.withLock { $0.append(report.completed) }
            }
            try await encode(form, progress)
            let completed = reports.withLock { $0 }
            #expect(completed.first == 0 && completed.last == count && completed.count > 2, "\(name)")
            #expect(zip(completed, completed.dropFirst()).allSatisfy { $0 < $1 }, "\(name)")
        }
    }

    @Test func `reports are 4096 bytes apart, if reads are`() async throws {
        let reports = Locked<[UInt64]>([])
        let progress = EncodingProgress { report in reports.withLock { $0.append(report.completed) } }
        let form = form(length: 10_000)
        let count = UInt64(try form.encode().count)
        for try await _ in form.chunks(ofSize: 4096, progress: progress) {}
        #expect(reports.withLock { $0 } == Array(stride(from: 0, to: count, by: 4096)) + [count])
    }

    @Test func `what a closure throws ends the encoding, and is the underlying error`() async throws {
        struct Enough: Error {}
        for (name, encode) in entryPoints {
            for end: UInt64 in [0, 1, 350_000] {
                let progress = EncodingProgress { report in if report.completed >= end { throw Enough() } }
                let error = await #expect(throws: MultipartError(.cancelled), "\(name), \(end)") {
                    try await encode(form(length: nil), progress)
                }
                #expect(error?.underlyingError is Enough, "\(name), \(end)")
                #expect(directory.contents.isEmpty, "\(name), \(end)")
            }
        }
    }

    @Test func `an encoding that begins at an offset reports it first`() async throws {
        let reports = Locked<[UInt64]>([])
        let progress = EncodingProgress { report in reports.withLock { $0.append(report.completed) } }
        for try await _ in form(length: nil).chunks(from: 200_000, progress: progress) {}
        let completed = reports.withLock { $0 }
        #expect(completed.first == 200_000 && zip(completed, completed.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test(arguments: [15_000, nil] as [UInt64?])
    func `the bytes of a sequence are reported as they arrive`(length: UInt64?) async throws {
        let reports = Locked<[UInt64]>([])
        let progress = EncodingProgress { report in reports.withLock { $0.append(report.completed) } }
        let pieces = [Data](repeating: Data(count: 5000), count: 3)
        let form = MultipartFormData([BodyPart(ChunkSource(pieces), length: length, name: "s")], boundary: "B")
        var count: UInt64 = 0
        for try await chunk in form.chunks(progress: progress) { count += UInt64(chunk.count) }
        let start = count - 15_000 - UInt64("\r\n--B--\r\n".utf8.count)
        #expect(reports.withLock { $0 } == [0, start + 5000, start + 10_000, start + 15_000, count])
    }

    @Test func `nothing is reported once a cancelled task has its error`() async throws {
        /// Tells when the stream that holds it is gone.
        final class Witness: Sendable {
            let isGone: Signal
            init(_ isGone: Signal) { self.isGone = isGone }
            deinit { isGone.give() }
        }
        let (isRead, isGone) = (Signal(), Signal())
        let gate = LimitedSemaphore()
        let part = BodyPart(length: nil, name: "s") {
            let witness = Witness(isGone)
            return StubStream(count: 100_000) {
                withExtendedLifetime(witness) { isRead.give() }
                gate.wait()
            }
        }
        var form = MultipartFormData()
        form.append(part)
        let reports = Counter()
        let progress = EncodingProgress { _ in reports.increment() }
        let task = Task { [form] in for try await _ in form.chunks(progress: progress) {} }
        await isRead.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let count = reports.value
        gate.signal()
        await isGone.wait()
        #expect(reports.value == count)
    }

    #if FullFoundation
        @Test func `nothing is read or reported after the progress was cancelled`() throws {
            let progress = Progress(totalUnitCount: 0)
            let stream = try form(length: nil).makeInputStream(progress: EncodingProgress(progress))
            stream.open()
            var buffer = [UInt8](repeating: 0, count: 5000)
            #expect(stream.read(&buffer, maxLength: 5000) == 5000)
            #expect(progress.completedUnitCount == 5000)
            progress.cancel()
            #expect(stream.read(&buffer, maxLength: 5000) == -1)
            #expect(stream.streamError as? MultipartError == MultipartError(.cancelled))
            #expect(progress.completedUnitCount == 5000)
        }

        @Test func `cancelling the progress ends the way to an offset in a stream`() async throws {
            let progress = Progress(totalUnitCount: 0)
            let reads = Counter()
            let form = MultipartFormData([
                BodyPart(length: nil, name: "s") {
                    StubStream(count: 100_000, perRead: 10) { if reads.increment() == 3 { progress.cancel() } }
                }
            ])
            let error = await #expect(throws: MultipartError.self) {
                for try await _ in form.chunks(from: 90_000, progress: EncodingProgress(progress)) {}
            }
            #expect(error?.code == .cancelled)
            #expect(reads.value == 3)
        }

        @Test func `cancelling the progress ends a sequence at its next piece`() async throws {
            let progress = Progress(totalUnitCount: 0)
            let source = ChunkSource(["a", "b", "c"].map { Data($0.utf8) }) { index in
                if index == 1 { progress.cancel() }
            }
            let form = MultipartFormData([BodyPart(source, length: nil, name: "s")])
            await #expect(throws: MultipartError(.cancelled)) {
                for try await _ in form.chunks(progress: EncodingProgress(progress)) {}
            }
            #expect(source.requests == 2)
        }

        @Test func `cancelling the progress closes the file`() async throws {
            let file = try directory.write(Data(count: 1_000_000), as: "file")
            var form = MultipartFormData()
            form.append(file, withName: "f")
            let progress = Progress(totalUnitCount: 0)
            var chunks = form.chunks(ofSize: 5000, progress: EncodingProgress(progress)).makeAsyncIterator()
            _ = try await chunks.next()
            #expect(OpenDescriptors.count(on: file) == 1)
            progress.cancel()
            await #expect(throws: MultipartError(.cancelled)) { try await chunks.next() }
            #expect(OpenDescriptors.count(on: file) == 0)
        }
    #endif
}
