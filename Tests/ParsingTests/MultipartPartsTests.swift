import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct MultipartPartsTests {
    private let boundary: Boundary = "B"

    private func head(_ name: String, filename: String? = nil) -> Data {
        let file = filename.map { "; filename=\"\($0)\"\r\nContent-Type: a/b" } ?? ""
        return Data("--B\r\nContent-Disposition: form-data; name=\"\(name)\"\(file)\r\n\r\n".utf8)
    }

    /// Three parts, whose bodies arrive in two chunks each.
    private var chunks: [Data] {
        ["a", "b", "c"].flatMap { [head($0) + Data("\($0)1".utf8), Data("\($0)2\r\n".utf8)] } + [Data("--B--".utf8)]
    }

    private func text(_ data: Data?) -> String? {
        data.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `a part has the properties of its headers`() async throws {
        let source = ChunkSource([head("f", filename: "../x.txt"), Data("\r\n--B--".utf8)])
        var parts = try source.multipartParts(contentType: "multipart/form-data; boundary=B").makeAsyncIterator()
        let part = try #require(try await parts.next())
        #expect(part.name == "f")
        #expect(part.filename == "../x.txt")
        #expect(part.safeFilename == "x.txt")
        #expect(part.contentType == "a/b")
        #expect(part.headers.count == 2)
        #expect(try await part.collect(upTo: 0) == Data())
        #expect(try await parts.next() == nil)
        #expect(throws: MultipartError(.missingBoundary, offset: 19)) {
            try source.multipartParts(contentType: "multipart/form-data")
        }
    }

    @Test(arguments: 0...3)
    func `requesting the next part discards the rest of a body`(pieces: Int) async throws {
        var names: [String?] = []
        for try await part in try ChunkSource(chunks).multipartParts(contentType: boundary.contentType) {
            names.append(part.name)
            var body = part.body.makeAsyncIterator()
            for _ in 0..<pieces { _ = try await body.next() }
        }
        #expect(names == ["a", "b", "c"])
    }

    @Test func `a body read to its last byte is out of turn later, however the message is cut`() async throws {
        let message = Data(chunks.joined())
        for pieces in ChunkSplitter.everyWay(message) {
            var parts = try ChunkSource(pieces).multipartParts(contentType: boundary.contentType).makeAsyncIterator()
            let part = try #require(try await parts.next())
            var body = part.body.makeAsyncIterator()
            var length = 0
            while length < 4 { length += try await body.next()?.count ?? 4 }
            _ = try await parts.next()
            let expected = MultipartError(.bodyOutOfTurn, partIndex: 0)
            await #expect(throws: expected) { try await body.next() }
        }
    }

    @Test func `a body is read piece by piece, and the source when a piece is used up`() async throws {
        let source = ChunkSource(chunks)
        var seen: [String] = []
        for try await part in try source.multipartParts(contentType: boundary.contentType) {
            for try await bytes in part.body { seen.append("\(source.requests):\(text(bytes) ?? "")") }
        }
        #expect(seen == ["1:a1", "2:a2", "3:b1", "4:b2", "5:c1", "6:c2"])
        #expect(source.requests == 8)
    }

    @Test func `leaving the loop stops reading the source`() async throws {
        let source = ChunkSource(chunks)
        for try await part in try source.multipartParts(contentType: boundary.contentType) where part.name == "b" {
            break
        }
        #expect(source.requests == 3)
    }

    @Test func `a second iterator continues where the first one stopped`() async throws {
        for try await part in try ChunkSource(chunks).multipartParts(contentType: boundary.contentType) {
            let name = try #require(part.name)
            for try await bytes in part.body {
                #expect(text(bytes) == "\(name)1")
                break
            }
            var rest: [String?] = []
            for try await bytes in part.body { rest.append(text(bytes)) }
            #expect(rest == ["\(name)2"])
            for try await _ in part.body { Issue.record("a piece after the end") }
            #expect(try await part.collect(upTo: 0).isEmpty)
        }
    }

    @Test func `reading a body after the next part was requested is an error`() async throws {
        var parts = try ChunkSource(chunks).multipartParts(contentType: boundary.contentType).makeAsyncIterator()
        let first = try #require(try await parts.next())
        var started = first.body.makeAsyncIterator()
        #expect(text(try await started.next()) == "a1")
        let second = try #require(try await parts.next())
        let expected = MultipartError(.bodyOutOfTurn, partIndex: 0)
        await #expect(throws: expected) { try await started.next() }
        await #expect(throws: expected) { try await first.collect(upTo: 100) }
        // The current part can still be read.
        #expect(text(try await second.collect(upTo: 100)) == "b1b2")
        let last = try #require(try await parts.next())
        #expect(try await parts.next() == nil)
        for (part, index) in [(second, 1), (last, 2)] {
            await #expect(throws: MultipartError(.bodyOutOfTurn, partIndex: index)) {
                try await part.collect(upTo: 100)
            }
        }
    }

    @Test func `a part can be read without its sequence, and by another task`() async throws {
        func firstPart() async throws -> MultipartParts.Part? {
            for try await part in try ChunkSource(chunks).multipartParts(contentType: boundary.contentType) {
                return part
            }
            return nil
        }
        let part = try #require(try await firstPart())
        #expect(text(try await Task { try await part.collect(upTo: 4) }.value) == "a1a2")
    }

    @Test func `a collected body is at most as long as the limit`() async throws {
        var parts = try ChunkSource(chunks).multipartParts(contentType: boundary.contentType).makeAsyncIterator()
        let exact = try #require(try await parts.next())
        #expect(text(try await exact.collect(upTo: 4)) == "a1a2")
        let longer = try #require(try await parts.next())
        let start = chunks[0].count + chunks[1].count + head("b").count
        await #expect(
            throws: MultipartError(.limitPartBytes, offset: UInt64(start + 3), partIndex: 1, limit: 3)
        ) {
            try await longer.collect(upTo: 3)
        }
        let next = try #require(try await parts.next())
        #expect(text(try await next.collect(upTo: 4)) == "c1c2")
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func `a body that is too long is an error at its place, however it is cut`(size: Int) async throws {
        let body = Data("1\r\n--Bx\r\n--2".utf8)
        let message = head("a") + body + Data("\r\n--B--".utf8)
        for limit in 0..<body.count {
            let source = ChunkSource(ChunkSplitter.pieces(of: message, size: size))
            var parts = try source.multipartParts(contentType: boundary.contentType).makeAsyncIterator()
            let part = try #require(try await parts.next())
            let offset = UInt64(head("a").count + limit)
            await #expect(
                throws: MultipartError(.limitPartBytes, offset: offset, partIndex: 0, limit: limit)
            ) {
                try await part.collect(upTo: limit)
            }
            #expect(try await parts.next() == nil)
        }
    }

    @Test func `the rest of a body is collected`() async throws {
        var parts = try ChunkSource(chunks).multipartParts(contentType: boundary.contentType).makeAsyncIterator()
        let part = try #require(try await parts.next())
        for try await _ in part.body { break }
        let start = UInt64(head("a").count)
        await #expect(throws: MultipartError(.limitPartBytes, offset: start + 3, partIndex: 0, limit: 1)) {
            try await part.collect(upTo: 1)
        }
    }

    @Test func `two tasks at once are an error for the second`() async throws {
        let waiting = Signal()
        let answer = Signal()
        let source = ChunkSource(chunks) { index in
            guard index == 1 else { return }
            waiting.give()
            await answer.wait()
        }
        var parts = try source.multipartParts(contentType: boundary.contentType).makeAsyncIterator()
        let part = try #require(try await parts.next())
        let first = Task { try await part.collect(upTo: 100) }
        await waiting.wait()
        await #expect(throws: MultipartError(.concurrentUse, partIndex: 0)) {
            try await part.collect(upTo: 100)
        }
        await #expect(throws: MultipartError(.concurrentUse)) { try await parts.next() }
        answer.give()
        #expect(text(try await first.value) == "a1a2")
        #expect(try await parts.next()?.name == "b")
    }

    @Test func `many tasks at once get whole pieces or errors`() async throws {
        let pieces = (0..<2000).map { Data("\($0) ".utf8) }
        let source = ChunkSource([head("a")] + pieces + [Data("\r\n--B--".utf8)])
        var parts = try source.multipartParts(contentType: boundary.contentType).makeAsyncIterator()
        let part = try #require(try await parts.next())
        let received = try await withThrowingTaskGroup(of: [Data].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var received: [Data] = []
                    while true {
                        do {
                            var body = part.body.makeAsyncIterator()
                            guard let bytes = try await body.next() else { return received }
                            received.append(bytes)
                        } catch let error as MultipartError {
                            try #require(error.code == .concurrentUse)
                            await Task.yield()
                        }
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let numbers = received.compactMap { text($0)?.dropLast() }.compactMap { Int($0) }
        #expect(numbers.sorted() == Array(0..<2000))
    }

    @Test func `an error of the source is thrown by the body and by the next part`() async throws {
        let source = ChunkSource(chunks) { index in
            if index == 3 { throw POSIXError(.ECONNRESET) }
        }
        var parts = try source.multipartParts(contentType: boundary.contentType).makeAsyncIterator()
        _ = try await parts.next()
        let part = try #require(try await parts.next())
        for _ in 0..<2 {
            let inBody = await #expect(throws: POSIXError.self) { try await part.collect(upTo: 100) }
            #expect(inBody?.code == .ECONNRESET)
        }
        for _ in 0..<2 {
            let inParts = await #expect(throws: POSIXError.self) { try await parts.next() }
            #expect(inParts?.code == .ECONNRESET)
        }
        #expect(source.requests == 4)
    }

    @Test func `a truncated message is an error of the body and of the next part`() async throws {
        var parts = try ChunkSource(Array(chunks[..<3])).multipartParts(contentType: boundary.contentType)
            .makeAsyncIterator()
        _ = try await parts.next()
        let part = try #require(try await parts.next())
        let length = UInt64(chunks[..<3].reduce(0) { $0 + $1.count })
        let expected = MultipartError(.unexpectedEnd, offset: length, partIndex: 1)
        await #expect(throws: expected) { try await part.collect(upTo: 100) }
        for _ in 0..<2 { await #expect(throws: expected) { try await parts.next() } }
    }

    @Test(arguments: [false, true])
    func `a cancelled task throws when its source throws or ends`(endsWhenCancelled: Bool) async throws {
        for place in 0...chunks.count {
            let waiting = Signal()
            let source = ChunkSource(chunks, waitingAt: place, waiting: waiting, endsWhenCancelled: endsWhenCancelled)
            let parts = try source.multipartParts(contentType: boundary.contentType)
            let task = Task {
                for try await part in parts { _ = try await part.collect(upTo: 100) }
            }
            await waiting.wait()
            task.cancel()
            if endsWhenCancelled, place == chunks.count {
                // The source ends in its place.
                try await task.value
            } else {
                await #expect(throws: CancellationError.self) { try await task.value }
            }
        }
    }

    @Test(arguments: [false, true], ["", "--B\r\n", "--B\r\nContent-Disposition: form-data; name=a\r\n\r\n1"])
    func `the error of a cut message stays the same, in a cancelled task or not`(
        isFirstCancelled: Bool,
        message: String
    ) async throws {
        let parts = try ChunkSource([Data(message.utf8)]).multipartParts(contentType: boundary.contentType)
        // A reader outside of the tasks, whose errors are compared.
        let iterator = parts.makeAsyncIterator()
        func error(inCancelledTask isCancelled: Bool) async -> String {
            await Task {
                if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
                var parts = iterator
                do {
                    while let part = try await parts.next() { _ = try await part.collect(upTo: 100) }
                    return "no error"
                } catch {
                    return "\(error)"
                }
            }.value
        }
        let first = await error(inCancelledTask: isFirstCancelled)
        #expect((first == "\(CancellationError())") == isFirstCancelled, "\(first)")
        for isCancelled in [false, true] {
            #expect(await error(inCancelledTask: isCancelled) == first)
        }
    }

    @Test(arguments: [
        ("no colon\r\n\r\nx", "malformed-header"), ("no colon\r\nCont", "malformed-header"),
        ("Content-Disposition: form-data; name=a\r\nContent-Length: 2\r\n\r\nx\r\n--B--", "content-length-mismatch"),
    ])
    func `a cancelled task still gets the error of bytes that have arrived`(text: String, code: String) async throws {
        let source = ChunkSource([Data("--B\r\n\(text)".utf8)])
        let contentType = boundary.contentType
        let mode: ParsingMode = code == "content-length-mismatch" ? .strict : .lenient
        let options = MultipartParser.Options(mode: mode)
        let reading = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            for try await _ in try source.multipartParts(contentType: contentType, options: options) {}
        }
        let collecting = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await MultipartFormData(
                collecting: source,
                contentType: contentType,
                options: MultipartCollector.Options(parser: options)
            )
        }
        for task in [reading, collecting] {
            let error = await #expect(throws: MultipartError.self) { try await task.value }
            #expect(error?.code.rawValue == code)
        }
    }
}
