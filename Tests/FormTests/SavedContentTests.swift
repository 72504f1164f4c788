import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Content that is saved: whole, with the rights that were asked for, or not at all.
@Suite struct SavedContentTests {
    private struct Reason: Error {}

    private static let content = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    // Not stored: a leak checker does not find what a global's `Data` holds.
    private static var bytes: Data { Data(content) }
    private let directory: TemporaryDirectory
    private let target: URL

    init() throws {
        directory = try TemporaryDirectory()
        target = directory.url.appendingPathComponent("saved")
    }

    enum Content: CaseIterable {
        case inline, memory, file, range, collected, stream, openedStream, reading, sequence

        /// Content of 100,000 bytes; if it is inline, of the first 100.
        func part(in directory: TemporaryDirectory) throws -> BodyPart {
            let bytes = SavedContentTests.bytes
            switch self {
            case .inline: return MultipartFormData([BodyPart(bytes.prefix(100), name: "a")])[0]
            case .memory: return BodyPart(bytes, name: "a")
            case .file: return try BodyPart(contentsOf: directory.write(bytes, as: "source"), name: "a")
            case .range:
                let file = try directory.write(Data([0]) + bytes + Data([0]), as: "source")
                return try BodyPart(contentsOf: file, range: 1..<100_001, name: "a")
            case .collected:
                let form = MultipartFormData([BodyPart(bytes, name: "a")], boundary: "B")
                let options = MultipartCollector.Options(temporaryDirectory: directory.url)
                return try MultipartFormData(
                    pushing: [form.encode()],
                    contentType: form.contentType,
                    options: options,
                    route: { _ in .disk(upTo: 200_000) }
                )[0]
            case .stream: return BodyPart(StubStream(Array(bytes), fails: false), length: 100_000, name: "a")
            case .openedStream: return BodyPart(length: nil, name: "a") { StubStream(Array(bytes), fails: false) }
            case .reading:
                return BodyPart(
                    reading: {
                        var pieces = ChunkSplitter.pieces(of: bytes, size: 30_000)[...]
                        return { pieces.popFirst() }
                    },
                    length: 100_000,
                    name: "a"
                )
            case .sequence:
                return BodyPart(ChunkSource(ChunkSplitter.pieces(of: bytes, size: 30_000)), length: nil, name: "a")
            }
        }

        var bytes: Data { self == .inline ? SavedContentTests.bytes.prefix(100) : SavedContentTests.bytes }
    }

    private func permissions(of url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }

    /// Saves and does not await.
    private func save(_ part: BodyPart, permissions: Int?, _ cancellation: Cancellation? = nil) throws {
        try part.save(to: target, permissions: permissions, cancellation: cancellation)
    }

    @Test(arguments: Content.allCases, [nil, 0o640, 0o604])
    func `each content is saved whole, with its permissions, by both methods`(
        content: Content,
        mode: Int?
    ) async throws {
        let usual = try permissions(of: directory.write(Data(), as: "usual"))
        for isAwaited in [false, true] where isAwaited || content != .sequence {
            let part = try content.part(in: directory)
            let before = directory.contents
            if isAwaited {
                try await part.save(to: target, permissions: mode)
            } else {
                try save(part, permissions: mode)
            }
            #expect(try Data(contentsOf: target) == content.bytes)
            #expect(try permissions(of: target) == mode ?? usual)
            // A collected file is moved, and read from its new place.
            let moved = content == .collected ? before.filter { !$0.hasPrefix("usual") } : []
            #expect(directory.contents == (before.filter { !moved.contains($0) } + ["saved"]).sorted())
            #expect((part.fileURL == target) == (content == .collected))
            if content != .stream, content != .sequence { #expect(try part.data() == content.bytes) }
            try FileManager.default.removeItem(at: target)
        }
    }

    #if TestHooks
        @Test(arguments: Content.allCases.filter { $0 != .sequence }, [false, true])
        func `a save that is cancelled at any system call leaves no file, and the part as it was`(
            content: Content,
            isOtherDevice: Bool
        ) throws {
            var isCancelledAtEnd = false
            for step in 0..<40 where !isCancelledAtEnd {
                let part = try content.part(in: directory)
                let (before, url) = (directory.contents, part.fileURL)
                let (cancellation, calls, renames) = (Cancellation(), Counter(), Counter())
                let isCancelled = Locked<Bool?>(step == 0 ? cancellation.cancel() : nil)
                let error = MultipartError.catching {
                    try SystemCalls.intercepting { call, _ in
                        if calls.increment() == step { isCancelled.withLock { $0 = cancellation.cancel() } }
                        // Only the first rename is from the directory of temporary files.
                        return isOtherDevice && call == .rename && renames.increment() == 1 ? POSIXError(.EXDEV) : nil
                    } during: {
                        try save(part, permissions: 0o640, cancellation)
                    }
                }
                isCancelledAtEnd = isCancelled.withLock { $0 } == nil
                // A file that is moved is not copied, so nothing can be cancelled once the move has begun.
                if case .success = error, content != .collected || isOtherDevice || isCancelledAtEnd {
                    #expect(isCancelled.withLock { $0 } != true, "\(step)")
                }
                if case .failure(let error) = error {
                    #expect(error.code == .cancelled && isCancelled.withLock { $0 } == true, "\(step)")
                    #expect(directory.contents == before && part.fileURL == url, "\(step)")
                    if content != .stream { #expect(try part.data() == content.bytes, "\(step)") }
                } else {
                    #expect(step > 0)
                    #expect(try Data(contentsOf: target) == content.bytes, "\(step)")
                    if content == .collected { #expect(try part.fileURL == target && part.data() == content.bytes) }
                }
                try directory.clear()
            }
            #expect(isCancelledAtEnd)
        }

        @Test func `a file is not read to its end once its copy is cancelled`() throws {
            let part = try BodyPart(contentsOf: directory.write(Data(count: 600_000), as: "source"), name: "a")
            let (cancellation, checks) = (Cancellation(), Counter())
            #expect(throws: MultipartError(.cancelled)) {
                try SystemCalls.intercepting { call, _ in
                    if call == .open { cancellation.cancel() }
                    if call == .fstat { checks.increment() }
                    return nil
                } during: {
                    try save(part, permissions: nil, cancellation)
                }
            }
            // One when the file is opened, one when the copy is removed, and none after the file's last byte.
            #expect(checks.value == 2)
            #expect(directory.contents == ["source"])
        }
    #endif

    @Test func `a stream that is cancelled while it is read, or after its last byte, leaves no file`() throws {
        for (read, length) in [(1, nil), (2, nil), (1, 3), (2, 3)] as [(Int, UInt64?)] {
            let (cancellation, reads) = (Cancellation(), Counter())
            let part = BodyPart(length: length, name: "a") {
                StubStream([1, 2, 3], fails: false) { if reads.increment() == read { cancellation.cancel() } }
            }
            #expect(throws: MultipartError(.cancelled)) { try save(part, permissions: nil, cancellation) }
            #expect(reads.value == read && directory.contents.isEmpty)
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: [0, 1, 2], [false, true])
    func `a sequence whose task is cancelled leaves no file, even if it ends early`(place: Int, ends: Bool) async {
        let waiting = Signal()
        let source = ChunkSource([Data([1]), Data([2])], waitingAt: place, waiting: waiting, endsWhenCancelled: ends)
        let (part, target) = (BodyPart(source, length: nil, name: "a"), target)
        let task = Task { try await part.save(to: target) }
        await waiting.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(directory.contents.isEmpty)
    }

    @Test func `a sequence's error is the underlying one, but a cancellation is itself`() async throws {
        for (error, isWrapped) in [(Reason(), true), (CancellationError(), false)] as [(any Error, Bool)] {
            let part = BodyPart(ChunkSource([Data([1])]) { if $0 == 1 { throw error } }, length: nil, name: "a")
            do {
                try await part.save(to: target)
                Issue.record("nothing was thrown")
            } catch let error as MultipartError {
                #expect(isWrapped && error.code == .inputStreamReadFailed && error.underlyingError is Reason)
            } catch {
                #expect(!isWrapped && error is CancellationError)
            }
            #expect(directory.contents.isEmpty)
        }
    }

    @Test func `a file that cannot be written names its path and the reason`() async {
        await #expect(processExitsWith: .success) {
            limitTime()
            let directory = try TemporaryDirectory()
            let (reading, target) = (Content.reading, directory.url.appendingPathComponent("saved"))
            let parts = try [Content.memory, reading, .sequence].map { try $0.part(in: directory) }
            try #require(limitFileSize(to: 40_000))
            for part in parts {
                do {
                    try await part.save(to: target)
                    Issue.record("it was saved")
                } catch let error as MultipartError {
                    #expect(error.code == .outputStreamWriteFailed && error.path == target.path)
                    #expect((error.underlyingError as? POSIXError)?.code == .EFBIG)
                }
                #expect(directory.contents.isEmpty)
            }
        }
    }

    #if os(Linux)
        @Test func `a disk that cannot be read names the file's path and the reason`() throws {
            // A regular file whose first byte cannot be read.
            let file = URL(fileURLWithPath: "/proc/self/mem")
            let part = try BodyPart(contentsOf: file, name: "a")
            let error = #expect(throws: MultipartError(.inputStreamReadFailed)) { try save(part, permissions: nil) }
            #expect(error?.path == file.path && (error?.underlyingError as? POSIXError)?.code == .EIO)
            #expect(directory.contents.isEmpty)
        }
    #endif
}
