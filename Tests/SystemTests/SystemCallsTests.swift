#if os(Linux) && (arch(x86_64) || arch(arm64))
    import Foundation
    import MultipartFormCodec
    import TestSupport
    import Testing

    @Suite struct SystemCallsTests {
        // Not a constant, whose data would count as a leak of the process.
        private static var content: Data { Data(repeating: 120, count: 100_000) }

        /// Writes a file and moves it to its place while every `close` fails, on a thread of its own: the process may
        /// start others at its end, such as that of a sanitizer, and waits for pipes to be closed.
        private static func writeFile(in directory: URL, _ code: POSIXErrorCode) async throws {
            try await BackgroundThread.run {
                let part = BodyPart(content, name: "f", filename: "x")
                try #require(failClose(with: code))
                try part.save(to: directory.appendingPathComponent("file"))
            }
        }

        @Test func `a close that a signal interrupts has closed the file`() async {
            await #expect(processExitsWith: .success) {
                let directory = try TemporaryDirectory()
                try await Self.writeFile(in: directory.url, .EINTR)
                try #require(directory.contents == ["file"])
                try #require(try directory.read("file") == Self.content)
            }
        }

        @Test func `a read that a signal interrupts is repeated`() async {
            await #expect(processExitsWith: .success) {
                var action = sigaction()
                action.__sigaction_handler.sa_handler = { _ in }
                try #require(sigaction(SIGUSR2, &action, nil) == 0)
                var descriptors: [Int32] = [0, 0]
                try #require(pipe(&descriptors) == 0)
                let (source, sink) = (descriptors[0], descriptors[1])
                let reader = Locked<pthread_t?>(nil)
                async let count = BackgroundThread.run {
                    // A thread begins with the mask of the one that made it, which may be Dispatch's.
                    var signals = sigset_t()
                    sigemptyset(&signals)
                    pthread_sigmask(SIG_SETMASK, &signals, nil)
                    reader.withLock { $0 = pthread_self() }
                    return try withUnsafeTemporaryAllocation(byteCount: 16, alignment: 1) { buffer in
                        try SystemCalls.readBytes(source, into: buffer)
                    }
                }
                for _ in 0..<50 {
                    try await Task.sleep(nanoseconds: 2_000_000)
                    if let thread = reader.withLock({ $0 }) { pthread_kill(thread, SIGUSR2) }
                }
                try #require(write(sink, "abc", 3) == 3)
                try #require(try await count == 3)
            }
        }

        @Test func `a write that the system takes in part goes on with the rest`() async {
            await #expect(processExitsWith: .success) {
                let directory = try TemporaryDirectory()
                try #require(limitFileSize(to: 60_000))
                let file = try NewFile(beside: directory.path(of: "file"), replacesFile: false)
                let bytes = ContiguousArray(Self.content)
                #expect(throws: POSIXError(.EFBIG)) { try SystemCalls.writeBytes(file.descriptor, bytes.span) }
                let name = try #require(directory.contents.first)
                try #require(try directory.read(name) == Self.content.prefix(60_000))
            }
        }

        @Test func `a close that fails is an error and leaves no file`() async {
            await #expect(processExitsWith: .success) {
                let directory = try TemporaryDirectory()
                let error = await #expect(throws: MultipartError(.outputStreamWriteFailed)) {
                    try await Self.writeFile(in: directory.url, .EIO)
                }
                try #require((error?.underlyingError as? POSIXError)?.code == .EIO)
                try #require(directory.contents.isEmpty)
            }
        }
    }
#endif
