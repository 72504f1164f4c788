import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// A file is read as it was when its part was made, or not at all.
@Suite struct ChangedFileTests {
    private let directory: TemporaryDirectory
    private let file: URL
    private static var content: Data { Data(repeating: 65, count: 300_000) }
    private static var changed: Data { Data(repeating: 66, count: 300_000) }
    private static let code = "body-part-file-changed"

    init() throws {
        directory = try TemporaryDirectory()
        file = try directory.write(Self.content, as: "file")
    }

    /// A change that keeps the file's size.
    enum Change: CaseIterable, Sendable {
        /// Its bytes are overwritten.
        case rewritten
        /// Another file with the same time takes its name.
        case replaced
        /// A link to another file with the same time takes its name.
        case linkedElsewhere

        func apply(to url: URL) throws {
            let manager = FileManager.default
            let date = try #require(try manager.attributesOfItem(atPath: url.path)[.modificationDate] as? Date)
            switch self {
            case .rewritten:
                try ChangedFileTests.changed.write(to: url)
                // The clock of a file system may stand still for milliseconds.
                try manager.setAttributes([.modificationDate: date + 1], ofItemAtPath: url.path)
            case .replaced:
                let other = url.appendingPathExtension("new")
                try ChangedFileTests.changed.write(to: other)
                try manager.setAttributes([.modificationDate: date], ofItemAtPath: other.path)
                try #require(rename(other.path, url.path) == 0)
            case .linkedElsewhere:
                let other = url.appendingPathExtension("new")
                try ChangedFileTests.changed.write(to: other)
                try manager.setAttributes([.modificationDate: date], ofItemAtPath: other.path)
                try manager.removeItem(at: url)
                try manager.createSymbolicLink(at: url, withDestinationURL: other)
            }
        }
    }

    /// Everything that reads a part's content; each must notice the change.
    private var ways: [(name: String, run: @Sendable (MultipartFormData, URL) async throws -> Void)] {
        [
            ("encode", { form, _ in _ = try form.encode() }),
            (
                "into a buffer",
                { form, _ in
                    var buffer = Data("before".utf8)
                    defer { #expect(buffer.count == 6) }
                    try form.encode(into: &buffer)
                }
            ), ("file", { form, folder in try form.writeEncodedData(to: folder.appendingPathComponent("output")) }),
            (
                "memory or file",
                { form, folder in _ = try await EncodingEntryPoints.encoded(form, inMemoryUpTo: 0, directory: folder) }
            ),
            (
                "memory",
                { form, folder in _ = try await EncodingEntryPoints.encoded(form, inMemoryUpTo: .max, directory: folder)
                }
            ),
            ("stream", { form, _ in _ = try EncodingEntryPoints.stream(form, size: 1000) }),
            ("chunks", { form, _ in for try await _ in form.chunks(ofSize: 1000) {} }),
            (
                "reader after a seek",
                { form, _ in
                    var reader = try form.makeReader(from: 250_000)
                    while try reader.next(maxLength: 1000) != nil {}
                }
            ), ("data", { form, _ in _ = try form[0].data() }), ("text", { form, _ in _ = try form[0].text() }),
            ("move", { form, folder in try form[0].save(to: folder.appendingPathComponent("output")) }),
        ]
    }

    private func expectEachWayNotices(_ form: MultipartFormData) async {
        let before = directory.contents
        for way in ways {
            let error = await #expect(throws: MultipartError.self, "\(way.name)") {
                try await way.run(form, directory.url)
            }
            #expect(error?.code.description == Self.code, "\(way.name)")
            #expect(directory.contents == before, "\(way.name)")
        }
    }

    @Test(arguments: Change.allCases)
    func `every entryPoint notices a changed file of the same size`(change: Change) async throws {
        var form = MultipartFormData()
        form.append(file, withName: "f")
        try change.apply(to: file)
        await expectEachWayNotices(form)
        #expect { try form.encode() } throws: {
            let error = $0 as? MultipartError
            return error?.partIndex == 0 && error?.partName == "f" && error?.path == file.path
        }
    }

    @Test(arguments: Change.allCases)
    func `a part in a message's file is an error once the file has changed`(change: Change) async throws {
        var form = MultipartFormData()
        form.append(file, withName: "f", fileName: "x", mimeType: nil)
        form.append("short", withName: "a")
        let message = directory.url.appendingPathComponent("message")
        try await form.writeEncodedData(to: message)
        let parsed = try await MultipartFormData(parsingFileAt: message, contentType: form.boundary.contentType)
        #expect(try parsed[0].data() == Self.content)
        try change.apply(to: message)
        await expectEachWayNotices(parsed)
        #expect(try parsed["a"]?.text() == "short")
    }

    @Test(arguments: Change.allCases)
    func `a collected file that changed is neither read nor moved, and a replacement is not removed`(change: Change)
        async throws
    {
        var form = MultipartFormData()
        form.append(Self.content, withName: "f", fileName: "x")
        let options = MultipartCollector.Options(temporaryDirectory: directory.url)
        let stored: URL
        do {
            let collected = try MultipartFormData(
                pushing: [try form.encode()],
                contentType: form.contentType,
                options: options
            )
            stored = try #require(collected[0].fileURL)
            try change.apply(to: stored)
            await expectEachWayNotices(collected)
        }
        // A rewritten file is still the library's own.
        #expect(FileManager.default.fileExists(atPath: stored.path) == (change != .rewritten))
    }

    @Test func `an encoded form's file that was replaced is not removed`() async throws {
        var form = MultipartFormData()
        form.append(file, withName: "f")
        let stored = try await form.withEncodedForm(inMemoryUpTo: 0, temporaryDirectory: directory.url) { encoded in
            guard case .file(let file) = encoded else { return nil as URL? }
            try Change.replaced.apply(to: file)
            return file
        }
        #expect(try Data(contentsOf: #require(stored)) == Self.changed)
    }

    @Test func `a new link, other permissions or a read do not count as a change`() throws {
        var form = MultipartFormData()
        form.append(file, withName: "f")
        _ = try form.encode()
        try FileManager.default.linkItem(at: file, to: file.appendingPathExtension("link"))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        #expect(try form[0].data() == Self.content)
    }

    @Test func `a file that changes while it is read is an error at its end`() throws {
        var form = MultipartFormData()
        form.append(file, withName: "f")
        var reader = try form.makeReader()
        _ = try reader.next(maxLength: 100_000)
        try Change.rewritten.apply(to: file)
        let error = #expect(throws: MultipartError.self) { while try reader.next(maxLength: 1000) != nil {} }
        #expect(error?.code.description == Self.code)
        #expect(reader.offset < form.encodedLength ?? 0)
    }

    @Test func `a file that changed is an error when a reader begins in it`() throws {
        var form = MultipartFormData()
        form.append(file, withName: "f")
        try Change.rewritten.apply(to: file)
        let error = #expect(throws: MultipartError.self) {
            var reader = try form.makeReader(from: 220_000)
            _ = try reader.next(maxLength: 10)
        }
        #expect(error?.code.description == Self.code)
    }

    @Test func `a file that changes once a reader has opened it is an error when the reader begins in it`() throws {
        let (file, checks) = (file, Counter())
        let form = MultipartFormData([try BodyPart(fieldContentsOf: file, name: "f")])
        let error = #expect(throws: MultipartError.self) {
            try SystemCalls.intercepting { call, _ in
                // The first is when the file is opened, the second right before the seek.
                if call == .fstat, checks.increment() == 2 { try? Change.rewritten.apply(to: file) }
                return nil
            } during: {
                var reader = try form.makeReader(from: 220_000)
                _ = try reader.next(maxLength: 10)
            }
        }
        #expect(error?.code.description == Self.code)
    }

    @Test func `a file that was renamed while it is read is read to its end`() throws {
        var form = MultipartFormData()
        form.append(file, withName: "f")
        let expected = try form.encode()
        var reader = try form.makeReader()
        var result = try reader.next(maxLength: 100_000) ?? Data()
        try FileManager.default.moveItem(at: file, to: file.appendingPathExtension("moved"))
        while let piece = try reader.next(maxLength: 100_000) { result.append(piece) }
        #expect(result == expected)
    }
}
