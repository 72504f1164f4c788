import Foundation
import TestSupport
import Testing

/// `--http`: whole recorded HTTP messages.
struct RecordedMessageTests {
    private static let body = Message.text(Message.field("a", "hello"))
    private static let type = "Content-Type: multipart/form-data; boundary=b\r\n"

    /// A request with some header fields.
    private static func head(_ fields: String...) -> Data {
        Data(("POST /x HTTP/1.1\r\nHost: localhost\r\n" + fields.joined() + "\r\n").utf8)
    }

    /// The body in chunks of some bytes, with an extension and a trailer.
    private static func chunked(_ size: Int) -> Data {
        var result = Data()
        for start in stride(from: 0, to: body.count, by: size) {
            let chunk = body[start..<min(start + size, body.count)]
            result += Data("\(String(chunk.count, radix: 16));x=\"y\"\r\n".utf8) + chunk + Data("\r\n".utf8)
        }
        return result + Data("0\r\nTrailer: z\r\n\r\n".utf8)
    }

    private func inspect(_ message: Data) throws -> (report: Report, exitCode: Int32?) {
        let output = try Tool.run(["inspect", "--http", "--json"], input: .pipe(message))
        return (try Report(output.standardOutput), output.exitCode)
    }

    private func expectHello(_ message: Data, _ words: String..., sourceLocation: SourceLocation = #_sourceLocation)
        throws
    {
        let output = try Tool.run(["inspect", "--http", "--json", "--bodies"] + words, input: .pipe(message))
        let report = try Report(output.standardOutput)
        #expect(output.exitCode == 0, sourceLocation: sourceLocation)
        #expect(report.parts.map(\.body) == [Data("hello".utf8)], sourceLocation: sourceLocation)
    }

    @Test func `a body may go on to the end of the recording`() throws {
        try expectHello(Self.head(Self.type) + Self.body)
    }

    @Test func `a body ends at its content length`() throws {
        let length = "Content-Length: \(Self.body.count)\r\n"
        try expectHello(Self.head(Self.type, length) + Self.body + Data("GET / HTTP/1.1\r\n".utf8), "--strict")
    }

    @Test(arguments: [1, 5, 1000])
    func `a chunked body is put together`(size: Int) throws {
        let message = Self.head(Self.type, "Transfer-Encoding: Chunked\r\n") + Self.chunked(size)
        try expectHello(message)
        try expectHello(message, "--chunk-size", "1")
    }

    @Test func `header lines may end in LF and be folded`() throws {
        let head = "POST / HTTP/1.1\nContent-Type: multipart/form-data;\n boundary=b\n\n"
        try expectHello(Data(head.utf8) + Self.body)
    }

    @Test func `an interim response is left out`() throws {
        let head = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\(Self.type)\r\n"
        try expectHello(Data(head.utf8) + Self.body)
    }

    @Test func `an option wins over the header`() throws {
        try expectHello(Self.head() + Self.body, "--boundary", "b")
        try expectHello(Self.head("Content-Type: text/plain\r\n") + Self.body, "--boundary", "b")
    }

    @Test(arguments: [
        ("", "missing-content-type"), (type + type, "duplicate-content-type"),
        (type + "no colon\r\n", "malformed-http-message"), (type + "Content-Length: x\r\n", "malformed-http-message"),
        (type + "Content-Length: 1\r\nContent-Length: 2\r\n", "malformed-http-message"),
        (type + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n", "malformed-http-message"),
        (type + "Transfer-Encoding: gzip, chunked\r\n", "unsupported-transfer-coding"),
        (type + "Content-Encoding: gzip\r\n", "unsupported-content-encoding"),
        (type + "Content-Length: 500\r\n", "unexpected-end"),
        ("Content-Type: text/plain\r\n", "unsupported-media-type"),
    ])
    func `a malformed head is exit code 65`(fields: String, code: String) throws {
        let (report, exitCode) = try inspect(Self.head(fields) + Self.body)
        #expect(exitCode == 65)
        #expect(report.error?.code == code)
    }

    @Test(arguments: [
        ("5\r\nhello", "unexpected-end"), ("5\r\nhelloo\r\n0\r\n\r\n", "malformed-chunk"), ("", "unexpected-end"),
        ("x\r\n", "malformed-chunk"), ("10000000000000000\r\n", "malformed-chunk"), ("1\nx\n", "malformed-chunk"),
        ("0\r\n", "unexpected-end"), ("5 x\r\nhello\r\n", "malformed-chunk"),
    ])
    func `a malformed chunk is exit code 65`(body: String, code: String) throws {
        let (report, exitCode) = try inspect(Self.head(Self.type, "Transfer-Encoding: chunked\r\n") + Data(body.utf8))
        #expect(exitCode == 65)
        #expect(report.error?.code == code)
    }

    @Test func `heads and chunk lines are bounded`() throws {
        let long = String(repeating: "0", count: 70_000) + "\r\n"
        let (head, headCode) = try inspect(Self.head(Self.type, "X: \(long)") + Self.body)
        #expect(headCode == 65)
        #expect(head.error?.code == "malformed-http-message")
        let (chunk, chunkCode) = try inspect(Self.head(Self.type, "Transfer-Encoding: chunked\r\n") + Data(long.utf8))
        #expect(chunkCode == 65)
        #expect(chunk.error?.code == "malformed-chunk")
    }

    @Test func `parts before the end of a cut recording are listed`() throws {
        let body = Message.text(Message.field("a", "1"), Message.field("b", "2"))
        let message = Self.head(Self.type, "Content-Length: \(body.count)\r\n") + body.dropLast(20)
        let (report, exitCode) = try inspect(message)
        #expect(exitCode == 65)
        #expect(report.parts.map(\.name) == ["a"])
        #expect(report.error?.code == "unexpected-end")
    }

    @Test func `decode reads a recording too`() throws {
        let folder = try TemporaryDirectory()
        try folder.write(Self.head(Self.type) + Self.body, as: "m")
        #expect(try Tool.run(["decode", "--http", "m", "--into", "out"], in: folder).exitCode == 0)
        #expect(try folder.text("out/a") == "hello")
    }
}
