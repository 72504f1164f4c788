import Foundation
import MultipartForm
import TestSupport
import Testing

@Suite struct FileOutputTests {
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

    @Test func `an existing file is not touched`() throws {
        try Data("mine".utf8).write(to: output)
        #expect(throws: MultipartEncodingError(.outputStreamFileAlreadyExists(at: output))) {
            try form.writeEncodedData(to: output)
        }
        #expect(try Data(contentsOf: output) == Data("mine".utf8))
    }

    @Test func `an output without a directory, or that is no file, is refused`() throws {
        let below = output.appendingPathComponent("below")
        #expect(throws: MultipartEncodingError(.outputStreamCreationFailed(for: below))) {
            try form.writeEncodedData(to: below)
        }
        let web = try #require(URL(string: "https://example.com/x"))
        #expect(throws: MultipartEncodingError(.outputStreamURLInvalid(url: web))) {
            try form.writeEncodedData(to: web)
        }
        #expect(throws: (any Error).self) { try form.encode(inMemoryUpTo: 0, directory: below) }
        #expect(throws: MultipartEncodingError(.outputStreamURLInvalid(url: web))) {
            try form.encode(inMemoryUpTo: 0, directory: web)
        }
    }

    @Test func `an output that is removed while it is written is an error`() throws {
        let folder = directory.url.appendingPathComponent("folder")
        var form = MultipartFormData()
        form.append(length: nil, withName: "s") {
            FaultyStream([1, 2, 3], fails: false) { try? FileManager.default.removeItem(at: folder) }
        }
        for encode in [
            { _ = try form.writeEncodedData(to: folder.appendingPathComponent("output")) },
            { _ = try form.encode(inMemoryUpTo: 0, directory: folder) },
        ] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            #expect {
                try encode()
            } throws: { error in
                let error = error as? MultipartEncodingError
                return error?.reason == .outputStreamWriteFailed
                    && (error?.underlying as? POSIXError)?.code == .ENOENT
            }
        }
    }

    @Test func `progress counts the bytes written`() throws {
        let progress = Progress(totalUnitCount: 0)
        try form.writeEncodedData(to: output, progress: progress)
        let size = try Data(contentsOf: output).count
        #expect(progress.totalUnitCount == Int64(size))
        #expect(progress.completedUnitCount == Int64(size))
        #expect(progress.isFinished)
    }

    @Test func `progress of an unknown length has no total until the end`() throws {
        let progress = Progress(totalUnitCount: 0)
        var form = MultipartFormData()
        form.append(length: nil, withName: "s") { InputStream(data: Data(count: 10)) }
        try form.writeEncodedData(to: output, progress: progress)
        #expect(progress.totalUnitCount == -1)
        #expect(progress.completedUnitCount == Int64(try Data(contentsOf: output).count))
    }

    @Test func `a cancelled progress ends the writing and leaves no file`() throws {
        let progress = Progress(totalUnitCount: 0)
        var form = MultipartFormData()
        form.append(length: nil, withName: "s") {
            FaultyStream([UInt8](repeating: 1, count: 5_000_000), fails: false) { progress.cancel() }
        }
        #expect(throws: MultipartEncodingError(.cancelled)) {
            try form.writeEncodedData(to: output, progress: progress)
        }
        #expect(directory.contents.isEmpty)
    }

    @Test func `a short message stays in memory, a long one goes to a private file that its owner removes`() throws {
        let length = try #require(form.encodedLength)
        guard case .data(let data) = try form.encode(inMemoryUpTo: length, directory: directory.url) else {
            Issue.record("not in memory")
            return
        }
        #expect(UInt64(data.count) == length)
        #expect(directory.contents.isEmpty)
        do {
            let encoded = try form.encode(inMemoryUpTo: length - 1, directory: directory.url)
            guard case .file(let file) = encoded else {
                Issue.record("not in a file")
                return
            }
            #expect(encoded.length == length)
            let attributes = try FileManager.default.attributesOfItem(atPath: file.url.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(attributes[.size] as? Int == Int(length))
        }
        #expect(directory.contents.isEmpty)
    }

    @Test func `a full disk is an error and leaves no file`() async {
        await #expect(processExitsWith: .success) {
            try #require(limitFileSize(to: 100_000))
            let directory = try TemporaryDirectory()
            var form = MultipartFormData()
            form.append(Data(count: 3_000_000), withName: "f")
            #expect(throws: MultipartEncodingError(.outputStreamWriteFailed)) {
                try form.writeEncodedData(to: directory.url.appendingPathComponent("output"))
            }
            #expect(throws: MultipartEncodingError(.outputStreamWriteFailed)) {
                try form.encode(inMemoryUpTo: 0, directory: directory.url)
            }
            try #require(directory.contents.isEmpty)
        }
    }
}
