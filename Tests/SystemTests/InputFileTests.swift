import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct InputFileTests {
    private let directory: TemporaryDirectory
    private let file: URL

    init() throws {
        directory = try TemporaryDirectory()
        file = try directory.write(Data("content".utf8), as: "file")
    }

    @Test func `only a regular file is opened, and nothing that is refused stays open`() throws {
        let fifo = directory.url.appendingPathComponent("fifo")
        try #require(mkfifo(fifo.path, 0o600) == 0)
        for _ in 0..<3 {
            // It does not wait for a writer.
            #expect(throws: POSIXError(.EINVAL)) { try InputFile(path: fifo.path) }
            #expect(throws: POSIXError(.EISDIR)) { try InputFile(path: directory.path) }
        }
        #expect(throws: POSIXError(.ENOENT)) { try InputFile(path: directory.path(of: "missing")) }
        #expect(OpenDescriptors.count(on: fifo) == 0)
        #expect(OpenDescriptors.count(on: directory.url) == 0)
        do {
            let input = try InputFile(path: file.path)
            #expect(OpenDescriptors.count(on: file) == 1)
            withExtendedLifetime(input) {}
        }
        #expect(OpenDescriptors.count(on: file) == 0)
    }

    @Test(.enabled(if: geteuid() == 0, "needs root"))
    func `the effective user decides whether a file can be read`() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let file = try directory.write(Data("content".utf8), as: "file")
            try #require(chmod(file.path, 0o600) == 0 && chmod(directory.path, 0o755) == 0)
            let nobody: uid_t = 65534
            // As a service with capabilities: its real user may not read the file.
            try #require(setreuid(nobody, 0) == 0)
            try #require(try BodyPart(fieldContentsOf: file, name: "f").text() == "content")
            try #require(setreuid(0, nobody) == 0)
            let error = #expect(throws: MultipartError(.bodyPartInputStreamCreationFailed, path: file.path)) {
                try BodyPart(fieldContentsOf: file, name: "f")
            }
            try #require((error?.underlyingError as? POSIXError)?.code == .EACCES)
            try #require(setreuid(0, 0) == 0)
        }
    }

    #if os(Linux)
        @Test func `a file that another program has a lease of is opened when the program gives it up`() async {
            await #expect(processExitsWith: .success) {
                // As a file server does. The kernel's numbers, which Swift's module lacks.
                let (setLease, write, none): (Int32, Int32, Int32) = (1024, 1, 2)
                let directory = try TemporaryDirectory()
                let file = try directory.write(Data("content".utf8), as: "file")
                let holder = open(file.path, O_RDONLY | O_CLOEXEC)
                // Not every file system has leases.
                guard fcntl(holder, setLease, write) == 0 else { return }
                signal(SIGIO, SIG_IGN)
                try await BackgroundThread.run {
                    Thread {
                        usleep(100_000)
                        _ = fcntl(holder, setLease, none)
                    }.start()
                    try #require(try BodyPart(fieldContentsOf: file, name: "f").text() == "content")
                }
            }
        }
    #endif

    /// Sets the time of the file's last change, in nanoseconds of one second.
    private func setTime(nanoseconds: Int) throws {
        let time = timespec(tv_sec: 1_700_000_000, tv_nsec: nanoseconds)
        try #require(utimensat(AT_FDCWD, file.path, [time, time], 0) == 0)
    }

    @Test func `a file that changed within a second is another one`() throws {
        try setTime(nanoseconds: 250_000_000)
        let part = try BodyPart(fieldContentsOf: file, name: "f")
        #expect(try part.text() == "content")
        try setTime(nanoseconds: 750_000_000)
        #expect(throws: MultipartError(.bodyPartFileChanged, path: file.path)) { try part.text() }
        try setTime(nanoseconds: 250_000_000)
        #expect(try part.text() == "content")
    }

    @Test func `a file that becomes longer is another one`() throws {
        try setTime(nanoseconds: 0)
        let part = try BodyPart(fieldContentsOf: file, name: "f")
        try directory.write("contents", as: "file")
        try setTime(nanoseconds: 0)
        #expect(throws: MultipartError(.bodyPartFileChanged, path: file.path)) { try part.text() }
    }
}
