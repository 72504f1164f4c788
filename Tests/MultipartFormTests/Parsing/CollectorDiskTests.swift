import Foundation
import MultipartForm
import Synchronization
import TestSupport
import Testing

/// What becomes of a collected form when the disk does not play along.
@Suite struct CollectorDiskTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Collects a field and two long files; the error that comes of it.
    private func error(
        in folder: URL?,
        _ change: (inout FileSystem) -> Void = { _ in }
    ) throws -> MultipartError? {
        var fileSystem = FileSystem.system
        change(&fileSystem)
        var form = MultipartFormData()
        form.append("Ada", withName: "a")
        for name in ["f", "g"] { form.append(Data(count: 300_000), withName: name, fileName: "x") }
        let options = MultipartCollector.Options(directory: folder)
        var collector = MultipartCollector(boundary: form.boundary, options: options, fileSystem: fileSystem)
        do {
            for chunk in ChunkSplitter.pieces(of: try form.encode(), size: 20_000) { try collector.append(chunk) }
            _ = try collector.finish()
            return nil
        } catch let error as MultipartError {
            return error
        }
    }

    @Test func `a directory that is missing, or none, is an error`() throws {
        let missing = directory.url.appendingPathComponent("missing")
        let file = try directory.write(Data(), as: "file")
        let web = try #require(URL(string: "https://example.com/"))
        for (folder, code) in [(missing, POSIXErrorCode.ENOENT), (file, .ENOTDIR), (web, .EINVAL)] {
            let error = try error(in: folder)
            #expect(error == MultipartError(.fileCreationFailed, partIndex: 1))
            #expect((error?.underlying as? POSIXError)?.code == code)
        }
        #expect(directory.contents == ["file"])
    }

    @Test(arguments: [POSIXErrorCode.EACCES, .ENOSPC, .EMFILE])
    func `a second file that cannot be created takes the first one with it`(code: POSIXErrorCode) throws {
        let count = Mutex(0)
        let error = try error(in: directory.url) {
            $0.create = { path throws(POSIXError) in
                let index = count.withLock { (value: inout Int) -> Int in
                    value += 1
                    return value
                }
                guard index == 1 else { throw POSIXError(code) }
                return try FileSystem.system.create(path)
            }
        }
        #expect(error == MultipartError(.fileCreationFailed, partIndex: 2))
        #expect((error?.underlying as? POSIXError)?.code == code)
        #expect(count.withLock { $0 } == 2)
        #expect(directory.contents.isEmpty)
        #expect(directory.openFileCount == 0)
    }

    @Test func `a file is created where nothing stands, and no link is followed`() throws {
        let target = try directory.write(Data("mine".utf8), as: "target")
        let error = try error(in: directory.url) {
            $0.create = { path throws(POSIXError) in
                guard symlink(target.path, path) == 0 else { throw .current }
                return try FileSystem.system.create(path)
            }
        }
        #expect(error == MultipartError(.fileCreationFailed, partIndex: 1))
        #expect((error?.underlying as? POSIXError)?.code == .EEXIST)
        #expect(try Data(contentsOf: target) == Data("mine".utf8))
    }

    @Test func `a full disk is an error and leaves no file`() async {
        await #expect(processExitsWith: .success) {
            try #require(limitFileSize(to: 100_000))
            let tests = try CollectorDiskTests()
            let error = try tests.error(in: tests.directory.url)
            try #require(error == MultipartError(.fileWriteFailed, partIndex: 1))
            try #require((error?.underlying as? POSIXError)?.code == .EFBIG)
            try #require(error?.description == "part 1 \"f\": temporary file cannot be written (File too large)")
            try #require(tests.directory.contents.isEmpty)
            try #require(tests.directory.openFileCount == 0)
        }
    }

    @Test func `without a directory the system's own is used`() throws {
        let paths = Mutex<[String]>([])
        let error = try error(in: nil) {
            $0.create = { path throws(POSIXError) in
                paths.withLock { $0.append(path) }
                return try FileSystem.system.create(path)
            }
        }
        #expect(error == nil)
        let created = paths.withLock { $0 }
        let system = FileManager.default.temporaryDirectory.path
        #expect(created.count == 2)
        #expect(created.allSatisfy { $0.hasPrefix(system) && !FileManager.default.fileExists(atPath: $0) })
    }
}
