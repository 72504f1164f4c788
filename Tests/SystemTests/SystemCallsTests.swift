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

        /// Makes a call on a thread of its own, which gets signals until `end` lets the call end.
        private static func interrupt(
            _ call: @escaping @Sendable () throws -> Int,
            end: () throws -> Void
        ) async throws -> Int {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { _ in }
            try #require(sigaction(SIGUSR2, &action, nil) == 0)
            let caller = Locked<pthread_t?>(nil)
            async let count = BackgroundThread.run {
                // A thread begins with the mask of the one that made it, which may be Dispatch's.
                var signals = sigset_t()
                sigemptyset(&signals)
                pthread_sigmask(SIG_SETMASK, &signals, nil)
                caller.withLock { $0 = pthread_self() }
                return try call()
            }
            for _ in 0..<25 {
                try await Task.sleep(nanoseconds: 2_000_000)
                if let thread = caller.withLock({ $0 }) { pthread_kill(thread, SIGUSR2) }
            }
            try end()
            return try await count
        }

        private static func read(_ source: Int32) throws -> Int {
            try withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
                try SystemCalls.readBytes(source, into: buffer)
            }
        }

        @Test func `a read or a write that a signal interrupts is repeated`() async {
            await #expect(processExitsWith: .success) {
                var descriptors: [Int32] = [0, 0]
                try #require(pipe(&descriptors) == 0)
                let (source, sink) = (descriptors[0], descriptors[1])
                let count = try await Self.interrupt({ try Self.read(source) }) {
                    try #require(write(sink, "abc", 3) == 3)
                }
                try #require(count == 3)
                // More than a pipe holds.
                let content = Self.content
                var received = 0
                let sent = try await Self.interrupt {
                    defer { close(sink) }
                    try SystemCalls.writeBytes(sink, ContiguousArray(content).span)
                    return content.count
                } end: {
                    while case let count = try Self.read(source), count > 0 { received += count }
                }
                try #require(sent == 100_000 && received == sent)
            }
        }

        @Test func `a call that a signal interrupts is repeated until it ends, or the caller ends it`() throws {
            var calls = 0
            let answer: Int32 = try SystemCalls.retryingOnEINTR {
                calls += 1
                errno = EINTR
                return calls < 3 ? -1 : 7
            }
            #expect(answer == 7 && calls == 3)
            for (code, count) in [(.EINTR, 5), (.EIO, 4)] as [(POSIXErrorCode, Int)] {
                #expect(throws: POSIXError(code)) {
                    _ = try SystemCalls.retryingOnEINTR(unless: { calls == 5 }) { () -> Int32 in
                        calls += 1
                        errno = code.rawValue
                        return -1
                    }
                }
                #expect(calls == count)
                calls = 3
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
