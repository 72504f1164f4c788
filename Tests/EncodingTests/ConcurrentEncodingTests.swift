#if FullFoundation
    import Foundation
    import MultipartFormCodec
    import TestSupport
    import Testing

    /// Forms that several tasks encode at once.
    @Suite(.timeLimit(.minutes(10))) struct ConcurrentEncodingTests {
        /// Encodes one form with every entryPoint, each in two tasks of its own.
        private func encodeInTasks(
            _ form: MultipartFormData,
            _ progress: EncodingProgress,
            directory: TemporaryDirectory
        ) async -> [Result<Data, any Error>] {
            let entryPoints: [@Sendable () async throws -> Data] = [
                { try form.encode() },
                {
                    var buffer = Data()
                    try form.encode(into: &buffer)
                    return buffer
                },
                {
                    let file = directory.url.appendingPathComponent(UUID().uuidString)
                    try form.writeEncodedData(to: file, progress: progress)
                    return try Data(contentsOf: file)
                },
                {
                    var bytes = Data()
                    for try await chunk in form.chunks(ofSize: 5000, progress: progress) { bytes += chunk }
                    return bytes
                },
                {
                    var bytes = Data()
                    for try await chunk in form.chunks(ofSize: 777, bytesPerSecond: 1 << 30) { bytes += chunk }
                    return bytes
                },
                {
                    let stream = try form.makeInputStream(progress: progress)
                    stream.open()
                    return try EncodingEntryPoints.drain(stream, size: 1000)
                },
            ]
            return await withTaskGroup(of: Result<Data, any Error>.self) { group in
                for entryPoint in entryPoints + entryPoints {
                    group.addTask {
                        do { return .success(try await entryPoint()) } catch { return .failure(error) }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }

        private func form(_ directory: TemporaryDirectory) throws -> MultipartFormData {
            var form = MultipartFormData(boundary: Boundary("BND"))
            form.append("x", withName: "a")
            form.append(try directory.write(Data(count: 30_000), as: "file"), withName: "f")
            form.append(BodyPart(length: nil, name: "s") { StubStream(count: 20_000, perRead: 999) })
            form.append(Data(count: 30_000), withName: "b")
            return form
        }

        @Test func `tasks that share a form and its progress get the same bytes`() async throws {
            let directory = try TemporaryDirectory()
            let form = try form(directory)
            let expected = try form.encode()
            for result in await encodeInTasks(form, EncodingProgress(Progress(totalUnitCount: 0)), directory: directory)
            {
                #expect(try result.get() == expected)
            }
        }

        @Test func `cancelling a shared progress from another thread ends each task or comes too late`() async throws {
            let directory = try TemporaryDirectory()
            let form = try form(directory)
            let expected = try form.encode()
            for _ in 0..<20 {
                let progress = Progress(totalUnitCount: 0)
                async let cancelled: Void = BackgroundThread.run { progress.cancel() }
                for result in await encodeInTasks(form, EncodingProgress(progress), directory: directory) {
                    switch result {
                    case .success(let bytes): #expect(bytes == expected)
                    case .failure(let error): #expect(error as? MultipartError == .init(.cancelled))
                    }
                }
                try await cancelled
            }
        }

        @Test func `only one of the tasks gets a stream that can be read once`() async throws {
            let directory = try TemporaryDirectory()
            var form = try form(directory)
            form.append(StubStream(count: 10_000), withLength: 10_000, name: "once")
            let progress = Progress(totalUnitCount: 0)
            let results = await encodeInTasks(form, EncodingProgress(progress), directory: directory)
            #expect(results.count { (try? $0.get()) != nil } == 1)
            for case .failure(let error) in results {
                #expect(error as? MultipartError == MultipartError(.bodyPartStreamConsumed, partIndex: 4))
            }
        }
    }
#endif
