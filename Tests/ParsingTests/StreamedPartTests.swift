import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Parts whose body is still arriving.
@Suite(.timeLimit(.minutes(10))) struct StreamedPartTests {
    private let directory: TemporaryDirectory
    private let content = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func parts(chunksOf size: Int = 1000, cutAt end: Int = .max) throws -> MultipartParts {
        var form = MultipartFormData()
        form.append(content, withName: "f", fileName: "x")
        form.append("Ada", withName: "a")
        let chunks = ChunkSplitter.pieces(of: try form.encode().prefix(end), size: size)
        return try ChunkSource(chunks).multipartParts(contentType: form.contentType)
    }

    @Test(arguments: [7, 1000, 65_536, 1 << 20])
    func `a body is saved to a file, which is complete or not there`(size: Int) async throws {
        let url = directory.url.appendingPathComponent("saved")
        var parts = try parts(chunksOf: size).makeAsyncIterator()
        let part = try #require(try await parts.next())
        #expect(try await part.save(to: url, upTo: content.count, permissions: 0o640) == UInt64(content.count))
        #expect(try Data(contentsOf: url) == content)
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        #expect(attributes[.posixPermissions] as? Int == 0o640)
        #expect(directory.contents == ["saved"])
        #expect(try await parts.next()?.text(upTo: 3) == "Ada")
    }

    @Test func `a body that is too long leaves no file, and the next part can be read`() async throws {
        let url = directory.url.appendingPathComponent("saved")
        var parts = try parts().makeAsyncIterator()
        let part = try #require(try await parts.next())
        let limit = content.count - 1
        let error = await #expect(throws: MultipartError.self) { try await part.save(to: url, upTo: limit) }
        #expect(
            error?.code == .limitPartBytes && error?.limit == limit && error?.limitName == "save(to:upTo:permissions:)"
                && error?.partName == "f"
        )
        #expect(error?.httpStatus == 413)
        #expect(directory.contents.isEmpty && directory.openFileCount == 0)
        #expect(try await parts.next()?.text(upTo: 3) == "Ada")
    }

    @Test func `the body of each part is passed on whole or not at all`() async throws {
        var names: [String?] = []
        for try await part in try parts() {
            let form = MultipartFormData([BodyPart(part)])
            var sent = Data()
            for try await chunk in form.chunks() { sent += chunk }
            names.append(try MultipartFormData(parsing: sent, contentType: form.contentType).first?.name)
            await #expect(throws: MultipartError(.bodyPartStreamConsumed, partIndex: 0)) {
                for try await _ in form.chunks() {}
            }
        }
        #expect(names == ["f", "a"])
    }

    @Test func `a negative limit is that of an empty body`() async throws {
        let url = directory.url.appendingPathComponent("saved")
        let reads: [(MultipartParts.Part) async throws -> Void] = [
            { _ = try await $0.collect(upTo: -1) }, { _ = try await $0.text(upTo: -1) },
            { _ = try await $0.save(to: url, upTo: .min) },
        ]
        for read in reads {
            var parts = try parts().makeAsyncIterator()
            let part = try #require(try await parts.next())
            let error = await #expect(throws: MultipartError.self) { try await read(part) }
            #expect(error?.code == .limitPartBytes && error?.limit == 0)
            #expect(directory.contents.isEmpty)
        }
    }

    @Test func `nothing is overwritten, and an invalid destination is refused`() async throws {
        let mine = try directory.write(Data("mine".utf8), as: "mine")
        let web = try #require(URL(string: "https://example.com/x"))
        let places: [(url: URL, code: MultipartError.Code)] = [
            (mine, .outputStreamFileAlreadyExists), (web, .outputStreamURLInvalid),
            (mine.appendingPathComponent("below"), .outputStreamCreationFailed),
        ]
        for (url, code) in places {
            var parts = try parts().makeAsyncIterator()
            let part = try #require(try await parts.next())
            let error = await #expect(throws: MultipartError(code)) { try await part.save(to: url, upTo: .max) }
            #expect(error?.httpStatus == 500)
            // Nothing of the body was read.
            #expect(try await part.collect(upTo: content.count) == content)
        }
        #expect(try Data(contentsOf: mine) == Data("mine".utf8))
        #expect(directory.contents == ["mine"])
    }

    @Test func `a truncated message leaves no file`() async throws {
        let url = directory.url.appendingPathComponent("saved")
        var parts = try parts(cutAt: 50_000).makeAsyncIterator()
        let part = try #require(try await parts.next())
        await #expect(throws: MultipartError(.unexpectedEnd, offset: 50_000, partIndex: 0)) {
            try await part.save(to: url, upTo: .max)
        }
        #expect(directory.contents.isEmpty && directory.openFileCount == 0)
    }

    /// Every way to read the body of a part that is arriving.
    enum Reading: CaseIterable {
        case collected, text, iterated, saved, forwarded, forwardedToFile

        func read(_ part: MultipartParts.Part, to url: URL) async throws {
            switch self {
            case .collected: _ = try await part.collect(upTo: 1 << 20)
            case .text: _ = try await part.text(upTo: 1 << 20)
            case .iterated: for try await _ in part.body {}
            case .saved: _ = try await part.save(to: url, upTo: 1 << 20)
            case .forwarded: for try await _ in MultipartFormData([BodyPart(part)]).chunks() {}
            case .forwardedToFile: try await BodyPart(part).save(to: url)
            }
        }
    }

    @Test(arguments: Reading.allCases)
    func `a source that ends when it is cancelled does not end a body`(_ reading: Reading) async throws {
        let url = directory.url.appendingPathComponent("saved")
        let waiting = Signal()
        let head = "--B\r\nContent-Disposition: form-data; name=f; filename=x\r\n\r\n"
        let source = ChunkSource(
            [Data(head.utf8), content, Data("\r\n--B--".utf8)],
            waitingAt: 2,
            waiting: waiting,
            endsWhenCancelled: true
        )
        let parts = try source.multipartParts(contentType: "multipart/form-data; boundary=B")
        let task = Task {
            for try await part in parts { try await reading.read(part, to: url) }
        }
        await waiting.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(directory.contents.isEmpty && directory.openFileCount == 0)
    }

    @Test func `text is read in the part's character set`() async throws {
        let types: [(type: String?, charset: String, bytes: [UInt8], text: String?)] = [
            (nil, "utf-8", [0xC3, 0xA9], "\u{E9}"), (nil, "utf-8", [0xE9], nil), (nil, "latin1", [0xE9], "\u{E9}"),
            ("text/plain; charset=ISO-8859-1", "utf-8", [0xE9], "\u{E9}"),
            ("text/plain; charset=x", "utf-8", [65], "A"), ("text/plain; charset=x", "utf-8", [0xE9, 65], nil),
        ]
        for (type, charset, bytes, text) in types {
            var form = MultipartFormData()
            form.append(Data(bytes), withName: "a", mimeType: type)
            let source = ChunkSource([try form.encode()])
            for try await part in try source.multipartParts(contentType: form.contentType) {
                guard let text else {
                    let offset = try form.encode().range(of: Data("\r\n\r\n".utf8)).map { UInt64($0.upperBound) }
                    await #expect(throws: MultipartError(.undecodableText, offset: offset, partIndex: 0)) {
                        try await part.text(upTo: 10, defaultCharset: charset)
                    }
                    continue
                }
                #expect(try await part.text(upTo: 10, defaultCharset: charset) == text)
            }
        }
    }

    @Test func `a part can be passed to a function, and its sequence stored`() async throws {
        func store(_ part: MultipartParts.Part) async throws -> Int { try await part.collect(upTo: 1 << 20).count }
        let stored: MultipartParts = try parts()
        var lengths: [Int] = []
        for try await part in stored { lengths.append(try await store(part)) }
        #expect(lengths == [100_000, 3])
    }
}
