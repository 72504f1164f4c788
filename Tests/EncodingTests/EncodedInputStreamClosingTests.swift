#if FullFoundation
    import Foundation
    import MultipartFormCodec
    import TestSupport
    import Testing

    /// Streams that other threads close or use while one reads them.
    @Suite(.timeLimit(.minutes(10))) struct EncodedInputStreamClosingTests {
        /// Lets a test share a stream between threads, as HTTP clients do.
        private struct Shared: @unchecked Sendable {
            let stream: InputStream

            func read(_ count: Int = 4096) -> Int {
                var buffer = [UInt8](repeating: 0, count: count)
                return stream.read(&buffer, maxLength: count)
            }
        }

        /// A form with a stream that calls `whenRead` before each read.
        private func form(length: Int = 100_000, whenRead: @escaping @Sendable () -> Void) -> MultipartFormData {
            var form = MultipartFormData()
            form.append("abc", withName: "a")
            form.append(
                BodyPart(length: nil, name: "s") {
                    StubStream(count: length, whenRead: whenRead)
                }
            )
            return form
        }

        @Test func `closing ends a read that blocks, and does not wait for it`() async throws {
            let gate = LimitedSemaphore()
            let blocked = Signal()
            let reads = Counter()
            let form = form {
                reads.increment()
                blocked.give()
                gate.wait()
            }
            let shared = Shared(stream: try form.makeInputStream())
            shared.stream.open()
            async let result = BackgroundThread.run { shared.read() }
            await blocked.wait()
            shared.stream.close()
            #expect(shared.stream.streamStatus == .closed)
            gate.signal()
            // An end of the message would be 0.
            #expect(try await result == -1)
            #expect(reads.value == 1)
            #expect(shared.stream.streamStatus == .closed)
            #expect(shared.stream.streamError == nil)
            #expect(shared.read() == -1)
        }

        @Test func `closing ends a read that blocks on the last bytes of the content`() async throws {
            let gate = LimitedSemaphore()
            let blocked = Signal()
            let reads = Counter()
            var form = MultipartFormData()
            let content = StubStream(count: 1) {
                reads.increment()
                blocked.give()
                gate.wait()
            }
            form.append(content, withLength: 1, name: "s", fileName: "s", mimeType: "a/b")
            let shared = Shared(stream: try form.makeInputStream())
            shared.stream.open()
            async let result = BackgroundThread.run { shared.read() }
            await blocked.wait()
            shared.stream.close()
            for _ in 0..<2 { gate.signal() }
            #expect(try await result == -1)
            #expect(reads.value == 1)
        }

        @Test func `closing ends a read that blocks while it skips to an offset`() async throws {
            let gate = LimitedSemaphore()
            let blocked = Signal()
            let reads = Counter()
            var form = MultipartFormData()
            form.append(
                BodyPart(length: nil, name: "s") {
                    StubStream(count: 200, perRead: 1) {
                        reads.increment()
                        blocked.give()
                        gate.wait()
                    }
                }
            )
            let shared = Shared(stream: try form.makeInputStream(from: 150))
            shared.stream.open()
            async let result = BackgroundThread.run { shared.read() }
            await blocked.wait()
            shared.stream.close()
            for _ in 0..<200 { gate.signal() }
            #expect(try await result == -1)
            #expect(reads.value == 1)
            #expect(shared.stream.streamStatus == .closed)
        }

        @Test(arguments: ["read", "open"])
        func `content may close the stream that reads it`(place: String) async throws {
            let box = Box()
            var form = MultipartFormData()
            form.append(
                BodyPart(length: nil, name: "s") {
                    if place == "open" { box.stream?.close() }
                    return StubStream(count: 100) { box.stream?.close() }
                }
            )
            let shared = Shared(stream: try form.makeInputStream())
            box.stream = shared.stream
            shared.stream.open()
            #expect(shared.read() == -1)
            #expect(shared.stream.streamStatus == .closed)
            box.stream = nil
        }

        @Test func `a second read at the same time fails, and the first one continues`() async throws {
            let box = Box()
            let results = Results()
            let form = form(length: 1000) {
                guard let stream = box.stream else { return }
                var byte: UInt8 = 0
                results.add(stream.read(&byte, maxLength: 1))
                results.add(stream.hasBytesAvailable ? 1 : 0)
                results.add(stream.streamStatus == .open ? 1 : 0)
            }
            let stream = try form.makeInputStream()
            stream.open()
            box.stream = stream
            let bytes = try EncodingEntryPoints.drain(stream, size: 4096)
            box.stream = nil
            #expect(bytes.count { $0 == 1 } == 1000)
            #expect(Array(results.all.prefix(3)) == [-1, 1, 1])
            #expect(stream.streamError == nil)
        }

        @Test func `an abandoned read closes its file when it ends`() async throws {
            let directory = try TemporaryDirectory()
            let file = try directory.write(Data(count: 10), as: "file")
            let gate = LimitedSemaphore()
            let blocked = Signal()
            var form = MultipartFormData()
            form.append(
                BodyPart(length: nil, name: "s") {
                    let handle = try FileHandle(forReadingFrom: file)
                    return StubStream([1, 2, 3], fails: false) {
                        _ = handle.fileDescriptor
                        blocked.give()
                        gate.wait()
                    }
                }
            )
            let shared = Shared(stream: try form.makeInputStream())
            shared.stream.open()
            async let result = BackgroundThread.run { shared.read() }
            await blocked.wait()
            shared.stream.close()
            #expect(OpenDescriptors.count(on: file) == 1)
            gate.signal()
            #expect(try await result == -1)
            #expect(OpenDescriptors.count(on: file) == 0)
        }

        @Test func `any use from any thread is safe`() async throws {
            let directory = try TemporaryDirectory()
            let file = try directory.write(Data(count: 20_000), as: "file")
            for round in 0..<60 {
                var form = MultipartFormData(boundary: Boundary("BND"))
                form.append(Data(count: 5000), withName: "a")
                form.append(BodyPart(length: nil, name: "s") { StubStream(count: 500, perRead: 1) })
                form.append(file, withName: "f")
                let rate = round.isMultiple(of: 3) ? 2_000_000 : nil
                let shared = Shared(stream: try form.makeInputStream(from: UInt64(round * 40), bytesPerSecond: rate))
                let uses: [@Sendable (InputStream) -> Void] = [
                    { $0.open() }, { $0.close() },
                    { _ = $0.streamStatus.rawValue + UInt($0.hasBytesAvailable ? 1 : 0) }, { _ = $0.streamError },
                    { _ = $0.property(forKey: .fileCurrentOffsetKey) },
                    {
                        $0.schedule(in: .current, forMode: .default)
                        RunLoop.current.run(until: Date())
                        $0.remove(from: .current, forMode: .default)
                    },
                    { $0.delegate = nil },
                ]
                shared.stream.open()
                try await withThrowingTaskGroup { group in
                    for _ in 0..<2 {
                        group.addTask { try await BackgroundThread.run { while shared.read(700) > 0 {} } }
                    }
                    for (index, use) in uses.enumerated() {
                        group.addTask {
                            try await BackgroundThread.run {
                                for turn in 0..<20 where index != 1 || turn == 19 { use(shared.stream) }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                #expect([.closed, .error].contains(shared.stream.streamStatus))
                shared.stream.close()
                #expect(OpenDescriptors.count(on: file) == 0)
            }
        }

        /// Holds a stream for its own content to use.
        private final class Box: @unchecked Sendable {
            // Set only before and after the stream is read.
            var stream: InputStream?
        }

        /// The results of calls.
        private final class Results: @unchecked Sendable {
            // Accessed under the lock only.
            private var values: [Int] = []
            private let lock = NSLock()

            var all: [Int] { lock.withLock { values } }
            func add(_ value: Int) { lock.withLock { values.append(value) } }
        }
    }
#endif
