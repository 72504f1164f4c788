import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite struct MultipartParserTests {
    private let boundary: Boundary = "BND"

    private func error(_ text: String, options: MultipartParser.Options = MultipartParser.Options())
        -> MultipartError?
    {
        ParsedMessage([Data(text.utf8)], boundary: boundary, options: options).error
    }

    @Test func `body bytes are slices of the chunk they came in`() throws {
        let chunk = Data("--BND\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n".utf8) + Data(count: 4096)
        var parser = MultipartParser(boundary: boundary)
        parser.append(chunk)
        var slice = Data()
        while let event = try parser.next() {
            if case .body(let data) = event { slice = data }
        }
        #expect(slice.count == 4096)
        chunk.withUnsafeBytes { whole in
            slice.withUnsafeBytes { part in
                let start = whole.baseAddress.map { $0 + whole.count - part.count }
                #expect(part.baseAddress == start)
            }
        }
    }

    @Test func `an error has its code, its place and its part`() {
        let two = "--BND\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--BND\r\n"
        #expect(error("") == MultipartError(.boundaryNotFound, offset: 0))
        #expect(error("x --BND") == MultipartError(.malformedDelimiter, offset: 2))
        #expect(error("x--BND", options: .strict) == MultipartError(.preambleNotAllowed, offset: 0))
        #expect(error(two) == MultipartError(.unexpectedEnd, offset: 61))
        #expect(error(two + "A: b\r\nC\0") == MultipartError(.invalidHeaderCharacter, offset: 68, partIndex: 1))
        #expect(error(two + "A: b\r\nC\r\n\r\n") == MultipartError(.malformedHeader, offset: 68, partIndex: 1))
        #expect(error(two + "A: b\nC: d\r\n\r\n") == MultipartError(.bareLF, offset: 65, partIndex: 1))
        let inBody = MultipartError(.unexpectedEnd, offset: 52, partIndex: 0, partName: "a")
        #expect(error(String(two.prefix(while: { $0 != "1" })) + "1") == inBody)
        let limits = MultipartParser.Options(maxParts: 1)
        #expect(error(two, options: limits) == MultipartError(.limitParts, offset: 61, partIndex: 1, limit: 1))
    }

    @Test(arguments: ["", String(repeating: " ", count: 200)])
    func `an error after a folded line has its place in the message`(padding: String) {
        let head = "--BND\r\nX-Y: 1\r\n \(padding)2\r\nContent-Disposition: form-data; name=\"a\"; "
        let expected = MultipartError(.duplicateParameter, offset: UInt64(head.utf8.count), partIndex: 0)
        #expect(error(head + "name=\"b\"\r\n\r\n") == expected)
    }

    @Test func `an error names the reason, the limit and the place`() {
        let error = error("--BND\r\nA: bcdefghijkl\r\n\r\n", options: MultipartParser.Options(maxHeaderBytes: 10))
        #expect(
            error?.description
                == "part 0: header section or padding exceeds 10 bytes (at offset 17)"
        )
    }

    @Test func `an error says what is where the first delimiter should be`() {
        let other = "message begins with boundary \"other\", not \"BND\""
        let limited = MultipartParser.Options(maxPreambleBytes: 12)
        let cases: [(String, MultipartParser.Options, String)] = [
            ("", .init(), "message is empty (at offset 0)"),
            ("--BN", .init(), "message ends in its first delimiter (at offset 4)"),
            ("x\r\n--B", .init(), "message ends in its first delimiter (at offset 6)"),
            ("\r\n--other", .init(), "\(other) (at offset 9)"),
            ("--other\r\nA: b\r\n\r\n", .init(), "\(other) (at offset 17)"),
            ("--BN\r\n--other", .init(), "message begins with boundary \"BN\", not \"BND\" (at offset 13)"),
            ("--other\r\nA: b", limited, "\(other), and its preamble exceeds 12 bytes"),
            // Only what is within the limit is quoted.
            (
                "\r\n\r\n--other\r\nA: b", .init(maxPreambleBytes: 10),
                "message begins with boundary \"othe\", not \"BND\", and its preamble exceeds 10 bytes"
            ),
            ("--" + String(repeating: "x", count: 70), .init(), "message begins with boundary \"xxxx"),
            ("--" + String(repeating: "x", count: 71), .init(), "no delimiter before the end of the message"),
            ("-- \u{1B}[2J\r\n", .init(), "no delimiter before the end of the message"),
            ("text", .init(), "no delimiter before the end of the message"),
        ]
        for (text, options, expected) in cases {
            let bytes = Data(text.utf8)
            for size in [1, 2, 100] {
                let chunks = stride(from: 0, to: bytes.count, by: size).map { bytes.dropFirst($0).prefix(size) }
                let error = ParsedMessage(chunks, boundary: boundary, options: options).error
                let description = error?.description ?? ""
                #expect(description.contains(expected), "\(text) in chunks of \(size)")
            }
        }
    }

    @Test func `the expected boundary is escaped and cut in an error, and a preamble is no long content`() throws {
        let expected = try Boundary(parsing: "a\"\u{200B}b", mode: .lenient)
        let long = try Boundary(parsing: String(repeating: "y", count: 100), mode: .lenient)
        for (boundary, shown) in [
            (expected, "not \"a\\\"\\u{200B}b\""), (long, "not \"\(String(repeating: "y", count: 64))\""),
        ] {
            for limit in [8, 100] {
                let options = MultipartParser.Options(maxPreambleBytes: limit)
                let error = ParsedMessage([Data("--x\r\nmore text\r\n".utf8)], boundary: boundary, options: options)
                    .error
                let text = try #require(error?.description)
                #expect(text.contains(shown), "\(text)")
                #expect(error?.httpStatus == 400)
            }
        }
    }

    @Test(arguments: ["b", "\t x", "\rx", "-"])
    func `bytes after the close delimiter are an error at its first hyphen, however the message is cut`(rest: String)
        throws
    {
        let part = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nv\r\n"
        for head in [part, part.replacing("\r\n", with: "\n"), ""] {
            let message = Data("\(head)--b--\(rest)\r\n\(part)--b--\r\n".utf8)
            for cut in 0...message.count {
                let error = ParsedMessage([message[..<cut], message[cut...]], boundary: "b").error
                try #require(error?.code == .malformedDelimiter, "cut at \(cut)")
                try #require(error?.offset == UInt64(head.utf8.count), "cut at \(cut)")
                let text = try #require(error?.description)
                try #require(text.contains("after the close delimiter, in its line"), "\(text)")
            }
        }
    }

    @Test func `a failed parser stays failed with the same error`() throws {
        var parser = MultipartParser(boundary: boundary)
        parser.append(Data("--BNDX".utf8))
        let expected = MultipartError(.malformedDelimiter, offset: 5)
        for _ in 0..<3 { #expect(throws: expected) { try parser.next() } }
        parser.append(Data("\r\n--BND--\r\n".utf8))
        #expect(throws: expected) { try parser.next() }
        parser.finish()
        #expect(throws: expected) { try parser.next() }
        #expect(throws: Never.self) { parser.finish() }
    }

    @Test func `a failed parser keeps no chunk that is appended`() throws {
        var parser = MultipartParser(boundary: boundary)
        parser.append(Data("--BNDX".utf8))
        #expect(throws: MultipartError.self) { try parser.next() }
        final class Token: Sendable {}
        // Swift 6.2 has no `weak let`.
        struct Observer { weak var token: Token? }
        var token: Token? = Token()
        let observer = Observer(token: token)
        for _ in 0..<2 {
            let start = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 1)
            start.initializeMemory(as: UInt8.self, repeating: 65, count: 64)
            let chunk = Data(
                bytesNoCopy: start,
                count: 64,
                deallocator: .custom { [token] pointer, _ in
                    withExtendedLifetime(token) { pointer.deallocate() }
                }
            )
            parser.append(chunk)
        }
        token = nil
        #expect(observer.token == nil)
        #expect(throws: MultipartError.self) { try parser.next() }
    }

    @Test func `a parser that failed on borrowed bytes stays failed for either entry`() {
        var parser = MultipartParser(boundary: boundary)
        let expected = MultipartError(.malformedDelimiter, offset: 5)
        for _ in 0..<2 {
            #expect(throws: expected) { try parser.parse(Data("--BNDX".utf8).span) { _, _ in } }
            #expect(throws: expected) { try parser.next() }
        }
    }

    @Test func `chunks that are always one ahead do not pile up`() throws {
        var parser = MultipartParser(boundary: boundary)
        parser.append(Data("--BND\r\n\r\n".utf8))
        var received = 0
        for _ in 0..<5000 {
            parser.append(Data("0123456789".utf8))
            if case .body(let data) = try parser.next() { received += data.count }
        }
        parser.append(Data("\r\n--BND--".utf8))
        parser.finish()
        while let event = try parser.next() {
            if case .body(let data) = event { received += data.count }
        }
        #expect(received == 50_000)
    }

    @Test func `parts before an error are delivered, and the body up to a limit`() {
        let text = "--BND\r\n\r\n12345\r\n--BND\r\n\r\n123456\r\n--BND--"
        let message = ParsedMessage(
            [Data(text.utf8)],
            boundary: boundary,
            options: MultipartParser.Options(maxPartBytes: 5)
        )
        #expect(message.parts.map(\.body) == [Data("12345".utf8), Data("12345".utf8)])
        #expect(message.parts.map(\.isComplete) == [true, false])
        #expect(message.error?.code == .limitPartBytes)
    }

    @Test func `the end is reported once, and bytes after it are dropped`() throws {
        var parser = MultipartParser(boundary: boundary)
        parser.append(Data("--BND--\r\n".utf8))
        #expect(try parser.next() == .end)
        #expect(try parser.next() == nil)
        parser.append(Data("--BND\r\nnot a header".utf8))
        #expect(try parser.next() == nil)
        parser.finish()
        #expect(try parser.next() == nil)
    }

    @Test func `many small chunks appended at once are read in order`() throws {
        let message = Data("--BND\r\n\r\nhello\r\n--BND--\r\n".utf8)
        var parser = MultipartParser(boundary: boundary)
        for piece in ChunkSplitter.pieces(of: message, size: 1) { parser.append(piece) }
        parser.finish()
        var body = Data()
        while let event = try parser.next() {
            if case .body(let data) = event { body.append(data) }
        }
        #expect(body == Data("hello".utf8))
    }

    @Test(arguments: [-1, Int.min])
    func `a limit below zero is zero`(limit: Int) {
        let changes: [(inout MultipartParser.Options, Int) -> Void] = [
            { $0.maxParts = $1 }, { $0.maxHeaderCount = $1 }, { $0.maxHeaderBytes = $1 }, { $0.maxPreambleBytes = $1 },
            { $0.maxPartBytes = $1 }, { $0.maxTotalBytes = $1 },
        ]
        for change in changes {
            let errors = [0, limit].map { limit in
                var options = MultipartParser.Options()
                change(&options, limit)
                return error("\r\n--BND \r\nA: b\r\n\r\nx", options: options)
            }
            #expect(errors[0] == errors[1])
            #expect(errors.map { $0?.limit } == [0, 0])
        }
    }

    @Test func `an error of the handler is rethrown`() throws {
        var parser = MultipartParser(boundary: boundary)
        #expect(throws: POSIXError(.EPIPE)) {
            try parser.parse(Data("--BND\r\n\r\nx".utf8).span) { _, _ in throw POSIXError(.EPIPE) }
        }
    }

    @Test func `bytes after the end are an error that comes after the message`() throws {
        var parser = MultipartParser(boundary: boundary)
        parser.append(Data("--BND--".utf8))
        parser.finish()
        parser.append(Data())
        parser.append(Data("x".utf8))
        #expect(try parser.next() == .end)
        let expected = MultipartError(.alreadyFinished, offset: 7)
        for _ in 0..<2 { #expect(throws: expected) { try parser.next() } }
        let one = "--BND\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--BND--"
        var part = MultipartParser(boundary: boundary)
        part.append(Data(one.utf8))
        part.finish()
        part.append([1])
        for _ in 0..<4 { #expect(try part.next() != nil) }
        // The last part is not to blame.
        #expect(throws: MultipartError(.alreadyFinished, offset: UInt64(one.utf8.count))) { try part.next() }
    }

    /// However the two ways to append and to finish are mixed, and whatever has been read before.
    @Test func `bytes after the end come after the message's end, or after its error`() throws {
        let messages: [(text: String, last: MultipartError.Code)] = [
            ("", .boundaryNotFound), ("--BND--", .alreadyFinished), ("--BND\r\n\r\n1", .unexpectedEnd),
        ]
        for (text, last) in messages {
            for isDrained in [false, true] {
                for (isAppended, isParsed, isBorrowed) in [
                    (true, false, false), (true, false, true), (false, true, true), (true, true, true),
                ] {
                    var events = 0
                    var error: MultipartError?
                    var parser = MultipartParser(boundary: boundary)
                    do {
                        parser.append(Data(text.utf8))
                        while isDrained, try parser.next() != nil { events += 1 }
                        parser.finish()
                        if isAppended { parser.append([1]) }
                        if isParsed { try parser.parse(Data([1]).span) { _, _ in events += 1 } }
                        if isBorrowed { try parser.finish { _, _ in events += 1 } }
                        while try parser.next() != nil { events += 1 }
                    } catch let thrown as MultipartError {
                        error = thrown
                    }
                    let way: Comment = "\(text), \(isDrained), \(isAppended), \(isParsed), \(isBorrowed)"
                    #expect(error?.code == last, way)
                    #expect(events == (last == .alreadyFinished ? 1 : last == .boundaryNotFound ? 0 : 2), way)
                }
            }
        }
    }

    @Test func `a parser that failed and was finished ignores chunks`() throws {
        var parser = MultipartParser(boundary: boundary)
        parser.append(Data("--BNDX".utf8))
        let expected = MultipartError(.malformedDelimiter, offset: 5)
        #expect(throws: expected) { try parser.next() }
        parser.finish()
        parser.append(Data("x".utf8))
        #expect(throws: expected) { try parser.next() }
        #expect(throws: expected) { try parser.parse(Data([1]).span) { _, _ in } }
    }

    @Test func `a parser whose handler threw is abandoned for either entry`() throws {
        var parser = MultipartParser(boundary: boundary)
        let message = Data("--BND\r\n\r\n12345".utf8)
        #expect(throws: POSIXError(.EPIPE)) { try parser.parse(message.span) { _, _ in throw POSIXError(.EPIPE) } }
        for _ in 0..<2 {
            let borrowing = #expect(throws: MultipartError.self) { try parser.parse(Data([1]).span) { _, _ in } }
            #expect(borrowing?.code == .abandoned)
            parser.append(Data("x".utf8))
            parser.finish()
            let appending = #expect(throws: MultipartError.self) { try parser.next() }
            #expect(appending?.code == .abandoned)
        }
    }

    @Test(arguments: [
        "--BND\r\n\r\n1\r\n--BND\r\nno colon\r\n\r\n", "--BND\r\n\r\n1\r\n--BND--x", "--BND\r\n\r\n1\r\n--BND--\r\nx",
        "--BND--\r\nx",
    ])
    func `a parser whose handler threw is abandoned, whatever is wrong after that event`(message: String) throws {
        let message = Data(message.utf8)
        let options = MultipartParser.Options(mode: message.count > 14 ? .lenient : .strict, maxTotalBytes: 100)
        for eventCount in 1...5 {
            for cut in 0...message.count {
                for isAppended in [false, true] {
                    var parser = MultipartParser(boundary: boundary, options: options)
                    var events = 0
                    func take() throws {
                        events += 1
                        if events == eventCount { throw POSIXError(.EPIPE) }
                    }
                    if isAppended { parser.append(message[..<cut]) }
                    do {
                        for chunk in [isAppended ? Data() : message[..<cut], message[cut...]] {
                            try parser.parse(chunk.span) { _, _ in try take() }
                        }
                        try parser.finish { _, _ in try take() }
                    } catch is POSIXError {
                        for _ in 0..<2 {
                            #expect(throws: MultipartError(.abandoned)) { try parser.parse(Span()) { _, _ in } }
                            #expect(throws: MultipartError(.abandoned)) { try parser.next() }
                            #expect(throws: MultipartError(.abandoned)) { try parser.finish { _, _ in } }
                        }
                    } catch {
                        // The message's own error.
                        #expect(events < eventCount)
                    }
                }
            }
        }
    }

    @Test func `the events of appended chunks come before those of borrowed bytes, however many were read`() throws {
        let message = Data(
            "--BND\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--BND\r\n\r\ny\r\n--BND--".utf8
        )
        for cut in 0...message.count {
            for second in stride(from: cut, through: message.count, by: 7) {
                for readCount in 0..<5 {
                    var parser = MultipartParser(boundary: boundary)
                    var bodies = ""
                    func take(_ event: MultipartParser.Event<Void>, _ bytes: Span<UInt8>) {
                        switch event {
                        case .part(let headers): bodies += "<\(headers.name ?? "")>"
                        case .body: bodies += String(decoding: Data(copying: bytes), as: UTF8.self)
                        case .endOfPart: bodies += "."
                        case .end: bodies += "!"
                        }
                    }
                    parser.append(message[..<cut])
                    parser.append(message[cut..<second])
                    for _ in 0..<readCount {
                        switch try parser.next() {
                        case .part(let headers): take(.part(headers), Span())
                        case .body(let data): take(.body(()), data.span)
                        case .endOfPart: take(.endOfPart, Span())
                        case .end: take(.end, Span())
                        case nil: break
                        }
                    }
                    try parser.parse(message[second...].span, take)
                    try parser.finish(take)
                    try #require(bodies == "<a>x.<>y.!", "\(cut), \(second), \(readCount)")
                }
            }
        }
    }

    @Test func `an error in appended chunks is thrown after their events, and a handler that throws loses the rest`()
        throws
    {
        let part = "--BND\r\nContent-Disposition: form-data; name=a\r\n\r\n"
        var parser = MultipartParser(boundary: boundary)
        parser.append(Data("\(part)x\r\n--BND\r\n\0".utf8))
        var count = 0
        for _ in 0..<2 {
            #expect(throws: MultipartError(.invalidHeaderCharacter, offset: 59, partIndex: 1)) {
                try parser.parse(Data("y".utf8).span) { _, _ in count += 1 }
            }
        }
        #expect(count == 3)
        var abandoned = MultipartParser(boundary: boundary)
        abandoned.append(Data("\(part)x\r\n--BND--".utf8))
        #expect(throws: POSIXError.self) { try abandoned.parse(Span()) { _, _ in throw POSIXError(.EIO) } }
        #expect(throws: MultipartError(.abandoned)) { try abandoned.next() }
    }

    @Test func `a parser is finished through its handler`() throws {
        let message = Data("--BND\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--BND--".utf8)
        var events: [String] = []
        func take(_ event: MultipartParser.Event<Void>, _ bytes: Span<UInt8>) {
            switch event {
            case .part(let headers): events.append("part \(headers.name ?? "")")
            case .body: events.append("body \(bytes.count)")
            case .endOfPart: events.append("end of part")
            case .end: events.append("end")
            }
        }
        var parser = MultipartParser(boundary: boundary)
        try parser.parse(message.span, take)
        #expect(events == ["part a", "body 1"])
        try parser.finish(take)
        #expect(events == ["part a", "body 1", "end of part", "end"])
        try parser.finish { _, _ in Issue.record("an event after the end") }

        var cutOff = MultipartParser(boundary: boundary)
        try cutOff.parse(message.dropLast(9).span, take)
        let error = MultipartError(.unexpectedEnd, offset: UInt64(message.count - 9), partIndex: 0)
        for _ in 0..<2 { #expect(throws: error) { try cutOff.finish(take) } }

        var abandoned = MultipartParser(boundary: boundary)
        try abandoned.parse(message.span, take)
        #expect(throws: POSIXError.self) { try abandoned.finish { _, _ in throw POSIXError(.EIO) } }
        #expect(throws: MultipartError(.abandoned)) { try abandoned.finish(take) }
    }

    @Test func `a close delimiter that ends in CR ends a message in lenient mode only`() {
        let message = "--BND\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--BND--\r"
        let end = MultipartError(.unexpectedEnd, offset: UInt64(message.utf8.count), partIndex: 0)
        #expect(error(message) == nil)
        #expect(error(message, options: .strict)?.code == end.code)
        #expect(error(message, options: .strict)?.offset == end.offset)
    }

    @Test(arguments: ["--BND --", "--BND\t--", "--BND-", "--BND- -"])
    func `a line that is not quite a close delimiter is content`(line: String) throws {
        let head = "--BND\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n"
        let message = Data("\(head)1\r\n\(line)\r\n2\r\n--BND--\r\n".utf8)
        let form = try MultipartFormData(parsing: message, contentType: boundary.contentType)
        #expect(try form.map { try $0.text() } == ["1\r\n\(line)\r\n2"])
    }

    private func message(_ fields: String, _ lineBreak: String = "\r\n", body: String = "1") -> String {
        let lines = ["--BND", "Content-Disposition: form-data; name=\"a\"", fields, "", body, "--BND--", ""]
        return lines.joined(separator: lineBreak)
    }

    @Test(arguments: ["a\r\n b", "a \r\n\t b", "\r\n a\r\n b \r\n ", "a b"])
    func `the lines of a folded field are joined by a space`(value: String) throws {
        let bytes = Data(message("X-Value: \(value)\r\nX-Last: c").utf8)
        let headers = try #require(try MultipartFormData(parsing: bytes, contentType: boundary.contentType).first)
            .headers
        #expect(headers["X-Value"] == "a b")
        #expect(headers["X-Last"] == "c")
    }

    @Test func `a header that is not UTF-8 is refused in strict mode only`() throws {
        var bytes = Data(message("Content-Type: a/b; c=\"??\"").utf8)
        let place = try #require(bytes.firstIndex(of: UInt8(ascii: "?")))
        bytes.replaceSubrange(place..<place + 2, with: [0xC3, 0x28])
        let refusal = ParsedMessage([bytes], boundary: boundary, options: .strict).error
        #expect(refusal?.code == .ambiguousHeader && refusal?.description.contains("is not UTF-8") == true)
        #expect(ParsedMessage([bytes], boundary: boundary, options: MultipartParser.Options()).error == nil)
    }

    @Test func `in a message of LF a CR before a delimiter is refused`() {
        let bytes = Data(message("X: y", "\n", body: "1\r").utf8)
        for size in 1...bytes.count {
            let chunks = ChunkSplitter.pieces(of: bytes, size: size)
            let error = ParsedMessage(chunks, boundary: boundary, options: MultipartParser.Options()).error
            #expect(error?.code == .bareLF && error?.offset == UInt64(bytes.count - 1), "\(size)")
        }
        #expect(error(message("X: y", "\n", body: "1\r2")) == nil)
    }
}
