#if os(Linux) && (arch(x86_64) || arch(arm64))
    import Foundation
    import MultipartForm
    import TestSupport
    import Testing

    @Suite struct SystemCallsTests {
        // Not a constant, whose data would count as a leak of the process.
        private static var content: Data { Data(repeating: 120, count: 100_000) }

        /// Writes a file and moves it to its place while every `close` fails, on a thread of its own: the process may start
        /// others at its end, such as that of a sanitizer, and waits for pipes to be closed.
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
