import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Collecting forms while the file system fails.
@Suite struct CollectorDiskTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// The error of collecting a field and two long files.
    private func error(in folder: URL?) throws -> MultipartError? {
        var form = MultipartFormData()
        form.append("Ada", withName: "a")
        for name in ["f", "g"] { form.append(Data(count: 300_000), withName: name, fileName: "x") }
        let options = MultipartCollector.Options(temporaryDirectory: folder)
        var collector = MultipartCollector(boundary: form.boundary, options: options)
        do {
            for chunk in ChunkSplitter.pieces(of: try form.encode(), size: 20_000) { try collector.append(chunk) }
            _ = try collector.finish()
            return nil
        } catch let error as MultipartError {
            return error
        }
    }

    @Test func `a directory that is missing, or is not a directory, is an error`() throws {
        let missing = directory.url.appendingPathComponent("missing")
        let file = try directory.write(Data(), as: "file")
        let web = try #require(URL(string: "https://example.com/"))
        for (folder, path, code) in [
            (missing, missing.path, POSIXErrorCode.ENOENT), (file, file.path, .ENOTDIR), (web, "\(web)", .EINVAL),
        ] {
            let error = try error(in: folder)
            #expect(error == MultipartError(.outputStreamCreationFailed, partIndex: 1))
            #expect((error?.underlyingError as? POSIXError)?.code == code)
            #expect(error?.path == path)
            #expect(error?.description.hasPrefix("part 1 \"f\": temporary file cannot be created: \(path) (") == true)
        }
        #expect(directory.contents == ["file"])
    }

    @Test(arguments: [POSIXErrorCode.EACCES, .ENOSPC, .EMFILE])
    func `if the second file cannot be created, the first is removed`(code: POSIXErrorCode) throws {
        let count = Counter()
        let error = try SystemCalls.intercepting { call, _ in
            call == .create && count.increment() == 2 ? POSIXError(code) : nil
        } during: {
            try self.error(in: directory.url)
        }
        #expect(error == MultipartError(.outputStreamCreationFailed, partIndex: 2))
        #expect((error?.underlyingError as? POSIXError)?.code == code)
        #expect(count.value == 2)
        #expect(directory.contents.isEmpty)
        #expect(directory.openFileCount == 0)
    }

    @Test func `a file is created only under a new name, and no link is followed`() throws {
        let target = try directory.write(Data("mine".utf8), as: "target")
        let error = try SystemCalls.intercepting { call, path in
            call == .create && symlink(target.path, path) != 0 ? POSIXError(.EIO) : nil
        } during: {
            try self.error(in: directory.url)
        }
        #expect(error == MultipartError(.outputStreamCreationFailed, partIndex: 1))
        #expect((error?.underlyingError as? POSIXError)?.code == .EEXIST)
        #expect(try Data(contentsOf: target) == Data("mine".utf8))
    }

    @Test func `a full disk is an error and leaves no file`() async {
        await #expect(processExitsWith: .success) {
            try #require(limitFileSize(to: 100_000))
            let tests = try CollectorDiskTests()
            let error = try tests.error(in: tests.directory.url)
            try #require(error == MultipartError(.outputStreamWriteFailed, partIndex: 1))
            try #require((error?.underlyingError as? POSIXError)?.code == .EFBIG)
            let path = tests.directory.url.path
            let text = "part 1 \"f\": temporary file cannot be written: \(path) (File too large)"
            try #require(error?.description == text)
            try #require(tests.directory.contents.isEmpty)
            try #require(tests.directory.openFileCount == 0)
        }
    }

    @Test(arguments: 0...4)
    func `of an error of the disk and one of the source, the first is thrown`(chunkCount: Int) async throws {
        struct SourceError: Error {}
        let form = MultipartFormData([BodyPart(Data(count: 300_000), name: "f", filename: "x")])
        let missing = directory.url.appendingPathComponent("missing")
        let source = ChunkSource(ChunkSplitter.pieces(of: try form.encode(), size: 100_000)) { index in
            if index == chunkCount { throw SourceError() }
        }
        let error = await #expect(throws: (any Error).self) {
            try await MultipartFormData(
                collecting: source,
                contentType: form.boundary.contentType,
                options: MultipartCollector.Options(temporaryDirectory: missing)
            )
        }
        if chunkCount == 0 {
            #expect(error is SourceError)
        } else {
            #expect(error as? MultipartError == MultipartError(.outputStreamCreationFailed, partIndex: 0))
        }
    }

    @Test func `without a directory the system's temporary directory is used`() throws {
        let paths = Locked<[String]>([])
        let error = try SystemCalls.intercepting { call, path in
            if call == .create { paths.withLock { $0.append(path) } }
            return nil
        } during: {
            try self.error(in: nil)
        }
        #expect(error == nil)
        let created = paths.withLock { $0 }
        let system = FileManager.default.temporaryDirectory.path
        #expect(created.count == 2)
        #expect(created.allSatisfy { $0.hasPrefix(system) && !FileManager.default.fileExists(atPath: $0) })
    }
}
