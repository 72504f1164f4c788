import Dispatch
import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct FileOutputTests {
    private let directory: TemporaryDirectory
    private let output: URL

    init() throws {
        directory = try TemporaryDirectory()
        output = directory.url.appendingPathComponent("output")
    }

    private var form: MultipartFormData {
        var form = MultipartFormData()
        form.append(Data(count: 3_000_000), withName: "f", fileName: "zeros")
        return form
    }

    /// Work that goes on when the main actor has had some turns of its own meanwhile.
    private struct Turns: Sendable {
        private let enough = LimitedSemaphore()

        @MainActor func take() async {
            for _ in 0..<100 { await Task.yield() }
            enough.signal()
        }

        /// Blocks the thread, until then or for a minute.
        func wait() { enough.wait(seconds: 60) }
    }

    @MainActor @Test func `work on files leaves the main actor free, and comes back to it`() async throws {
        let turns = Turns()
        let block = Data(count: 1 << 20)
        var form = MultipartFormData((0..<256).map { _ in BodyPart(block, name: "f", filename: "zeros") })
        let waiting = BodyPart(length: nil, name: "s") {
            turns.wait()
            return InputStream(data: Data("s".utf8))
        }
        form.append(waiting)
        let lenient = "--b\r\nContent-Disposition: form-data; name=a;\r\n\r\n1\r\n--b--\r\n"
        let message = try directory.write(Data(lenient.utf8), as: "message")
        let options = MultipartParser.Options(strictErrorHandler: { _ in turns.wait() })
        let contentType = "multipart/form-data; boundary=b"
        let saved = directory.url.appendingPathComponent("saved")
        let work: [@MainActor () async throws -> Void] = [
            { [form, output] in try await form.writeEncodedData(to: output) },
            { try await waiting.save(to: saved) },
            { _ = try await MultipartFormData(parsingFileAt: message, contentType: contentType, options: options) },
        ]
        for perform in work {
            let others = Task { await turns.take() }
            await #expect(throws: Never.self) { try await perform() }
            MainActor.preconditionIsolated()
            await others.value
        }
        for perform in work[..<2] {
            await #expect(throws: MultipartError.self) {
                do {
                    try await perform()
                } catch {
                    MainActor.preconditionIsolated()
                    throw error
                }
            }
        }
        #expect(directory.contents == ["message", "output", "saved"])
    }

    @Test(arguments: [-1, 0, 1]) func `a file has every byte of a message about as long as a buffer`(rest: Int) throws {
        let form = { (length: Int) in
            MultipartFormData([BodyPart(Data(count: length), name: "a", filename: "f")], boundary: "b")
        }
        let frame = try form(0).encode().count
        let message = form(1 << 20 + rest - frame)
        try message.writeEncodedData(to: output)
        #expect(try Data(contentsOf: output) == message.encode())
        #expect(try Data(contentsOf: output).count == 1 << 20 + rest)
    }

    @Test func `a cancelled task leaves no file`() async throws {
        let form = form
        let existing = try directory.write(Data(count: 1 << 20), as: "existing")
        let sequence = BodyPart(ChunkSource([Data(count: 3)]), length: 3, name: "a", filename: "f")
        let work: [@Sendable () async throws -> Void] = [
            { [output] in try await form.writeEncodedData(to: output) },
            { [output] in try await form[0].save(to: output) },
            { [output] in try await BodyPart(contentsOf: existing, name: "a", filename: "g").save(to: output) },
            { [output] in try await sequence.save(to: output) },
        ]
        for perform in work {
            let task = Task {
                try? await waitForCancellation()
                try await perform()
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(directory.contents == ["existing"])
        }
    }

    @Test func `a stream whose end comes after the cancellation leaves no file`() async throws {
        let reads = Counter()
        let isCancelled = LimitedSemaphore()
        let part = BodyPart(length: nil, name: "s") {
            StubStream([1, 2, 3], fails: false) {
                reads.increment()
                if reads.value == 2 { isCancelled.wait() }
            }
        }
        let task = Task { [output] in try await part.save(to: output) }
        await reads.wait(for: 2)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        isCancelled.signal()
        // The unfinished file is removed when the stream has returned.
        while !directory.contents.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test func `a form that nobody waits for is read no further`() async throws {
        let file = try directory.write(Data(count: 8192), as: "content")
        let parts = try (0..<100).map { _ in try BodyPart(contentsOf: file, name: "a", filename: "f") }
        let form = MultipartFormData(parts)
        let reports = Counter()
        let isCancelled = LimitedSemaphore()
        let progress = EncodingProgress { _ in
            if reports.increment() == 2 { isCancelled.wait() }
        }
        let task = Task { [output] in try await form.writeEncodedData(to: output, progress: progress) }
        await reports.wait(for: 2)
        task.cancel()
        isCancelled.signal()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(directory.contents == ["content"])
        // The content that was being read is reported.
        #expect(reports.value <= 3)
    }

    @Test func `an asynchronous sequence is saved piece by piece`() async throws {
        let pieces = ["ab", "", "c"].map { Data($0.utf8) }
        let part = BodyPart(ChunkSource(pieces), length: nil, name: "a", filename: "f")
        try await part.save(to: output, permissions: 0o640)
        #expect(try Data(contentsOf: output) == Data("abc".utf8))
        #expect(try FileManager.default.attributesOfItem(atPath: output.path)[.posixPermissions] as? Int == 0o640)
        for length: UInt64 in [2, 4] {
            let copy = directory.url.appendingPathComponent("copy")
            let part = BodyPart(ChunkSource(pieces), length: length, name: "a", filename: "f")
            let error = await #expect(throws: MultipartError.self) { try await part.save(to: copy) }
            #expect(error?.code == .bodyPartLengthMismatch)
            #expect(error?.expectedLength == length)
            #expect(directory.contents == ["output"])
        }
        #expect(throws: MultipartError(.bodyPartIsAsynchronous)) {
            try part.save(to: directory.url.appendingPathComponent("other"))
        }
    }

    @Test func `an existing file is not touched`() throws {
        try Data("mine".utf8).write(to: output)
        #expect(throws: MultipartError(.outputStreamFileAlreadyExists, path: output.path)) {
            try form.writeEncodedData(to: output)
        }
        #expect(try Data(contentsOf: output) == Data("mine".utf8))
    }

    @Test func `an output that has no directory, or is not a file URL, is refused`() async throws {
        let below = output.appendingPathComponent("below")
        #expect(throws: MultipartError(.outputStreamCreationFailed, path: below.path)) {
            try form.writeEncodedData(to: below)
        }
        let web = try #require(URL(string: "https://example.com/x"))
        #expect(throws: MultipartError(.outputStreamURLInvalid, path: web.path)) {
            try form.writeEncodedData(to: web)
        }
        await #expect(throws: (any Error).self) {
            try await EncodingEntryPoints.encoded(form, inMemoryUpTo: 0, directory: below)
        }
        await #expect(throws: MultipartError(.outputStreamURLInvalid, path: web.path)) {
            try await EncodingEntryPoints.encoded(form, inMemoryUpTo: 0, directory: web)
        }
    }

    @Test func `an error of the form comes before one of the file`() async throws {
        let below = output.appendingPathComponent("below")
        let form = MultipartFormData([BodyPart("x", name: "nul\u{0}")])
        let error = MultipartError(.invalidCharacter, partIndex: 0)
        #expect(throws: error) { try form.writeEncodedData(to: below) }
        await #expect(throws: error) { try await form.writeEncodedData(to: below) }
        await #expect(throws: error) {
            try await EncodingEntryPoints.encoded(form, inMemoryUpTo: 0, directory: below)
        }
    }

    @Test func `an output that is removed while it is written is an error`() async throws {
        let folder = directory.url.appendingPathComponent("folder")
        var form = MultipartFormData()
        form.append(
            BodyPart(length: nil, name: "s") {
                StubStream([1, 2, 3], fails: false) { try? FileManager.default.removeItem(at: folder) }
            }
        )
        let entryPoints: [() async throws -> Void] = [
            { try form.writeEncodedData(to: folder.appendingPathComponent("output")) },
            { _ = try await EncodingEntryPoints.encoded(form, inMemoryUpTo: 0, directory: folder) },
        ]
        for encode in entryPoints {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            await #expect {
                try await encode()
            } throws: { error in
                let error = error as? MultipartError
                return error?.code == .outputStreamWriteFailed
                    && (error?.underlyingError as? POSIXError)?.code == .ENOENT
            }
        }
    }

    /// A form that calls a function while its stream is read.
    private func form(fails: Bool = false, whenRead: @escaping @Sendable () -> Void) -> MultipartFormData {
        var form = MultipartFormData()
        form.append(BodyPart(length: nil, name: "s") { StubStream([1, 2, 3], fails: fails, whenRead: whenRead) })
        return form
    }

    @Test func `the output's name is not used before the file is complete`() throws {
        let directory = directory
        let form = form { #expect(directory.contents.allSatisfy { $0.hasPrefix(".multipart-form-") }) }
        for write in [{ try form.writeEncodedData(to: output) }, { try form[0].save(to: output) }] {
            try write()
            #expect(directory.contents == ["output"])
            try FileManager.default.removeItem(at: output)
        }
    }

    @Test(arguments: [false, true])
    func `a file that takes the output's name during the write is an error and stays`(fails: Bool) throws {
        let output = output
        let form = form(fails: fails) {
            try? FileManager.default.removeItem(at: output)
            try? Data("theirs".utf8).write(to: output)
        }
        let code = fails ? "input-stream-read-failed" : "output-stream-file-already-exists"
        for write in [{ try form.writeEncodedData(to: output) }, { try form[0].save(to: output) }] {
            let error = #expect(throws: MultipartError.self) { try write() }
            #expect(error?.code.description == code)
            #expect(directory.contents == ["output"])
            #expect(try Data(contentsOf: output) == Data("theirs".utf8))
            try FileManager.default.removeItem(at: output)
        }
    }

    @Test(arguments: [false, true])
    func `a file that replaces the temporary file stays, and does not become the output`(
        fails: Bool
    ) async throws {
        let directory = directory
        let form = form(fails: fails) {
            for name in directory.contents {
                let file = directory.url.appendingPathComponent(name)
                try? FileManager.default.removeItem(at: file)
                try? Data("theirs".utf8).write(to: file)
            }
        }
        #expect(throws: MultipartError.self) { try form.writeEncodedData(to: output) }
        await #expect(throws: MultipartError.self) {
            try await EncodingEntryPoints.encoded(form, inMemoryUpTo: 0, directory: directory.url)
        }
        #expect(directory.contents.count == 2)
        for name in directory.contents {
            #expect(try Data(contentsOf: directory.url.appendingPathComponent(name)) == Data("theirs".utf8))
        }
    }

    @Test func `the output's permissions are those of any new file`() throws {
        let other = directory.url.appendingPathComponent("other")
        let descriptor = open(other.path, O_WRONLY | O_CREAT, 0o666)
        try #require(descriptor >= 0)
        close(descriptor)
        try form.writeEncodedData(to: output)
        let modes = try [output, other].map {
            try FileManager.default.attributesOfItem(atPath: $0.path)[.posixPermissions] as? Int
        }
        #expect(modes[0] == modes[1])
    }

    @Test(arguments: ["", "/", "/.", "/..", "output/.", "\(String(repeating: "x", count: 300))"])
    func `a path that names no new file is refused before anything is read`(path: String) throws {
        var form = MultipartFormData()
        form.append(InputStream(data: Data("once".utf8)), withLength: 4, name: "s")
        let place = URL(fileURLWithPath: directory.url.path + "/" + path, isDirectory: false)
        #expect(throws: MultipartError.self) { try form.writeEncodedData(to: place) }
        #expect(throws: MultipartError.self) { try form[0].save(to: place) }
        #expect(try form[0].text() == "once")
        #expect(directory.contents.isEmpty)
    }

    @Test func `a path that is empty or ends in a slash is refused`() {
        #expect(throws: POSIXError(.EISDIR)) { try NewFile.checkVacancy(of: output.path + "/") }
        #expect(throws: POSIXError(.ENOENT)) { try NewFile.checkVacancy(of: "") }
        #expect(directory.contents.isEmpty)
    }

    @Test func `a file URL of another machine is refused`() async throws {
        let form = form
        var path = URLComponents(url: output, resolvingAgainstBaseURL: false)
        for host in ["server", "127.0.0.1"] {
            path?.host = host
            let remote = try #require(path?.url)
            #expect(throws: MultipartError(.outputStreamURLInvalid, path: remote.path)) {
                try form.writeEncodedData(to: remote)
            }
            #expect(throws: MultipartError(.outputStreamURLInvalid, path: remote.path)) {
                try form[0].save(to: remote)
            }
            await #expect(throws: MultipartError(.outputStreamURLInvalid, path: remote.path)) {
                try await EncodingEntryPoints.encoded(form, inMemoryUpTo: 0, directory: remote)
            }
            let options = MultipartCollector.Options(diskThreshold: 0, temporaryDirectory: remote)
            #expect(throws: MultipartError(.outputStreamCreationFailed, partIndex: 0)) {
                try MultipartFormData(pushing: [try form.encode()], contentType: form.contentType, options: options)
            }
        }
        for host in ["", "localhost", "LocalHost"] {
            path?.host = host
            try await form.writeEncodedData(to: try #require(path?.url))
            try FileManager.default.removeItem(at: output)
        }
    }

    @Test func `with an empty TMPDIR the temporary directory is not the root`() async {
        await #expect(processExitsWith: .success) {
            limitTime()
            try #require(setenv("TMPDIR", "", 1) == 0)
            var form = MultipartFormData()
            form.append(Data(count: 100), withName: "f", fileName: "x")
            let encoded: URL? = try await form.withEncodedForm(inMemoryUpTo: 0) { encoded in
                guard case .file(let file) = encoded else { return nil }
                return file
            }
            let collected = try MultipartFormData(
                pushing: [try form.encode()],
                contentType: form.contentType,
                options: MultipartCollector.Options(diskThreshold: 0)
            )
            for url in [encoded, collected[0].fileURL] {
                let folder = try #require(url).deletingLastPathComponent().path
                try #require(!["", "/", "//"].contains(folder))
            }
        }
    }

    #if FullFoundation
        @Test func `progress counts the bytes written`() throws {
            let progress = Progress(totalUnitCount: 0)
            try form.writeEncodedData(to: output, progress: EncodingProgress(progress))
            let size = try Data(contentsOf: output).count
            #expect(progress.totalUnitCount == Int64(size))
            #expect(progress.completedUnitCount == Int64(size))
            #expect(progress.isFinished)
        }
    #endif

    #if FullFoundation
        @Test func `progress of an unknown length has no total`() throws {
            let progress = Progress(totalUnitCount: 0)
            var form = MultipartFormData()
            form.append(BodyPart(length: nil, name: "s") { InputStream(data: Data(count: 10)) })
            try form.writeEncodedData(to: output, progress: EncodingProgress(progress))
            #expect(progress.totalUnitCount == -1)
            #expect(progress.completedUnitCount == Int64(try Data(contentsOf: output).count))
        }
    #endif

    #if FullFoundation
        @Test func `a cancelled progress ends the writing and leaves no file`() throws {
            let progress = Progress(totalUnitCount: 0)
            var form = MultipartFormData()
            form.append(
                BodyPart(length: nil, name: "s") {
                    StubStream([UInt8](repeating: 1, count: 5_000_000), fails: false) { progress.cancel() }
                }
            )
            #expect(throws: MultipartError(.cancelled)) {
                try form.writeEncodedData(to: output, progress: EncodingProgress(progress))
            }
            #expect(directory.contents.isEmpty)
        }
    #endif

    @Test func `a short message stays in memory, a long one is in a private file during the call`() async throws {
        let form = form
        let length = Int(try #require(form.encodedLength))
        let directory = directory
        let data: Data? = try await form.withEncodedForm(
            inMemoryUpTo: length,
            temporaryDirectory: directory.url
        ) { encoded in
            #expect(directory.contents.isEmpty)
            guard case .data(let data) = encoded else { return nil }
            return data
        }
        #expect(try data == form.encode())
        struct Failure: Error {}
        for fails in [false, true] {
            do {
                try await form.withEncodedForm(inMemoryUpTo: length - 1, temporaryDirectory: directory.url) { encoded in
                    guard case .file(let file) = encoded else { throw MultipartError(.abandoned) }
                    #expect(directory.contents == [file.lastPathComponent])
                    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
                    #expect(attributes[.posixPermissions] as? Int == 0o600)
                    #expect(try Data(contentsOf: file) == form.encode())
                    // A reference of the caller's own keeps nothing alive, and a suspension ends nothing.
                    await Task.yield()
                    #expect(directory.contents == [file.lastPathComponent])
                    if fails { throw Failure() }
                }
                #expect(!fails)
            } catch {
                #expect(fails && error is Failure)
            }
            #expect(directory.contents.isEmpty)
        }
    }

    @Test func `a message of unknown length is in memory until it is too long`() async throws {
        let directory = directory
        for count in [0, 1, 5, 3_000_000] {
            let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            for size in [1, 1000, 1 << 20] where count / size < 10_000 {
                var form = MultipartFormData(boundary: "B")
                let pieces = stride(from: 0, to: count, by: size).map { Data(content[$0..<min($0 + size, count)]) }
                form.append(BodyPart(ChunkSource(pieces), length: nil, name: "s"))
                let whole = try await EncodingEntryPoints.chunks(form, size: 1 << 20)
                for limit in [0, 1, whole.count - 1, whole.count, whole.count + 1, .max] {
                    let bytes = try await form.withEncodedForm(
                        inMemoryUpTo: limit,
                        temporaryDirectory: directory.url
                    ) { encoded throws -> Data in
                        #expect(directory.contents.isEmpty == (limit >= whole.count))
                        switch encoded {
                        case .data(let data): return data
                        case .file(let file): return try Data(contentsOf: file)
                        }
                    }
                    #expect(bytes == whole)
                    #expect(directory.contents.isEmpty)
                }
            }
        }
    }

    private actor Sender {
        private var sent = 0

        /// Sends a form with code that runs on the actor.
        func send(_ form: MultipartFormData, inMemoryUpTo limit: Int) async throws -> Int {
            var calls = 0
            try await form.withEncodedForm(inMemoryUpTo: limit) { _ in
                sent += 1
                calls += 1
            }
            return sent * 10 + calls
        }
    }

    @Test func `the call's closure runs on the caller's actor`() async throws {
        let (sender, form) = (Sender(), form)
        #expect(try await sender.send(form, inMemoryUpTo: 0) == 11)
        #expect(try await sender.send(form, inMemoryUpTo: .max) == 21)
    }

    @MainActor
    @Test func `the call's closure may use what is not Sendable`() async throws {
        final class Receiver {
            var bytes = Data()
        }
        let form = form
        for limit in [0, .max] {
            let receiver = Receiver()
            try await form.withEncodedForm(inMemoryUpTo: limit) { encoded in
                switch encoded {
                case .data(let data): receiver.bytes = data
                case .file(let file): receiver.bytes = try Data(contentsOf: file)
                }
            }
            #expect(try receiver.bytes == form.encode())
        }
    }

    @Test func `a task that is cancelled during the call leaves no file`() async throws {
        let (form, directory) = (form, directory)
        let begun = Counter()
        let task = Task {
            try await form.withEncodedForm(inMemoryUpTo: 0, temporaryDirectory: directory.url) { _ in
                begun.increment()
                try await Task.sleep(nanoseconds: 600_000_000_000)
            }
        }
        await begun.wait(for: 1)
        #expect(directory.contents.count == 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(directory.contents.isEmpty)
    }

    @Test func `a temporary file is encoded from asynchronous content, too`() async throws {
        var form = MultipartFormData(boundary: "B")
        form.append(BodyPart(ChunkSource([Data("con".utf8), Data("tent".utf8)]), length: nil, name: "s"))
        let bytes = try await EncodingEntryPoints.encoded(form, inMemoryUpTo: .max, directory: directory.url)
        #expect(try await bytes == EncodingEntryPoints.chunks(form, size: 100))
        #expect(directory.contents.isEmpty)
    }

    @Test func `a full disk is an error and leaves no file`() async {
        await #expect(processExitsWith: .success) {
            limitTime()
            try #require(limitFileSize(to: 100_000))
            let directory = try TemporaryDirectory()
            var form = MultipartFormData()
            form.append(Data(count: 3_000_000), withName: "f")
            #expect(throws: MultipartError(.outputStreamWriteFailed)) {
                try form.writeEncodedData(to: directory.url.appendingPathComponent("output"))
            }
            await #expect(throws: MultipartError(.outputStreamWriteFailed)) {
                try await EncodingEntryPoints.encoded(form, inMemoryUpTo: 0, directory: directory.url)
            }
            try #require(directory.contents.isEmpty)
        }
    }
}
