#if os(Linux) && (arch(x86_64) || arch(arm64))
    import Foundation
    import MultipartForm
    import TestSupport
    import Testing

    @Suite struct SystemCallsTests {
        private static let content = Data(repeating: 120, count: 100_000)

        /// Removes the directory of a test: its owner cannot, as that closes files.
        private static func remove(_ directory: TemporaryDirectory) {
            unlink(directory.path(of: "file"))
            rmdir(directory.path)
        }

        /// Writes a file and moves it to its place while every `close` fails.
        private static func writeFile(in directory: TemporaryDirectory, _ code: POSIXErrorCode) throws {
            let part = BodyPart(content, name: "f", filename: "x")
            try #require(failClose(with: code))
            try part.save(to: directory.url.appendingPathComponent("file"))
        }

        @Test func `a close that a signal interrupts has closed the file`() async {
            await #expect(processExitsWith: .success) {
                let directory = try TemporaryDirectory()
                defer { Self.remove(directory) }
                try Self.writeFile(in: directory, .EINTR)
                try #require(directory.contents == ["file"])
                try #require(try directory.read("file") == Self.content)
            }
        }

        @Test func `a close that fails is an error and leaves no file`() async {
            await #expect(processExitsWith: .success) {
                let directory = try TemporaryDirectory()
                defer { Self.remove(directory) }
                let error = #expect(throws: MultipartError(.outputStreamWriteFailed)) {
                    try Self.writeFile(in: directory, .EIO)
                }
                try #require((error?.underlyingError as? POSIXError)?.code == .EIO)
                try #require(directory.contents.isEmpty)
            }
        }
    }
#endif
