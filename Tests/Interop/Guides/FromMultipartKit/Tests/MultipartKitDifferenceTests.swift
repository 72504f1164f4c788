import MultipartFormCodec
import NIOFoundationCompat
import Testing
import Vapor

import struct MultipartFormCodec.FormDataDecoder
import struct MultipartFormCodec.MultipartError
import struct MultipartFormCodec.MultipartFormData
import struct MultipartFormCodec.MultipartParser

private typealias TheirDecoder = MultipartKit.FormDataDecoder
private typealias TheirParser = MultipartKit.MultipartParser

extension BodyPart {
    /// A part of MultipartKit 4, with Vapor.
    init(_ part: MultipartPart) {
        self.init(
            Data(buffer: part.body),
            name: part.name ?? "",
            filename: part.filename,
            contentType: part.contentType
        )
    }
}

/// What `FromMultipartKit.md` says about MultipartKit 4.7.1, and the code that it shows for its parser.
@Suite struct MultipartKitDifferenceTests {
    private struct Names: Decodable {
        var a: String
        var b: String?
    }

    private static let text =
        "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n"
        + "--x\r\nContent-Disposition: form-data; name=\"b\"\r\n\r\n2\r\n--x--\r\n"

    @Test func `chunks are parsed as they are pushed`() throws {
        let boundary = "x"
        let chunks = [Data(Self.text.utf8.prefix(20)), Data(Self.text.utf8.dropFirst(20))]
        var events: [String] = []

        func handle(_ event: MultipartParser.Event<Data>) {
            switch event {
            case .part(let headers): events.append(headers.name ?? "")
            case .body(let bytes): events.append(String(decoding: bytes, as: UTF8.self))
            case .endOfPart: events.append(".")
            case .end: events.append("end")
            }
        }

        var parser = MultipartParser(boundary: try Boundary(parsing: boundary, mode: .lenient))
        for chunk in chunks {
            parser.append(chunk)
            while let event = try parser.next() { handle(event) }
        }
        parser.finish()
        while let event = try parser.next() { handle(event) }

        #expect(events == ["a", "1", ".", "b", "2", ".", "end"])
    }

    @Test func `parts are serialized`() throws {
        let parts = [MultipartPart(headers: ["Content-Disposition": "form-data; name=\"a\""], body: "1")]
        let theirs = try MultipartSerializer().serialize(parts: parts, boundary: "x")

        var form = MultipartFormData(boundary: "x")
        for part in parts { form.append(BodyPart(part)) }
        let body = try form.encode()

        #expect(String(decoding: body, as: UTF8.self) == theirs)
    }

    @Test func `a message that was cut off has fewer parts there, and is an error here`() throws {
        let text = String(Self.text.dropLast(20))
        let theirs = try TheirDecoder().decode(Names.self, from: text, boundary: "x")
        #expect(theirs.a == "1" && theirs.b == nil)
        let error = #expect(throws: MultipartError.self) {
            try FormDataDecoder().decode(
                Names.self,
                from: Data(text.utf8),
                contentType: "multipart/form-data; boundary=x"
            )
        }
        #expect(error?.code == .unexpectedEnd)
    }

    @Test func `a message without a delimiter has no parts there, and is an error here`() throws {
        var count = 0
        let parser = TheirParser(boundary: "x")
        parser.onPartComplete = { count += 1 }
        try parser.execute("no form")
        #expect(count == 0)
        let error = #expect(throws: MultipartError.self) {
            try MultipartFormData(parsing: Data("no form".utf8), contentType: "multipart/form-data; boundary=x")
        }
        #expect(error?.code == .boundaryNotFound)
    }

    @Test func `a file that Vapor writes has the type of its name, and here any`() throws {
        let file = File(data: "x", filename: "a.unknown")
        #expect(file.multipart?.contentType == nil)
        let form = try MultipartFormCodec.FormDataEncoder().encode(["f": file])
        let text = String(decoding: try form.encode(), as: UTF8.self)
        #expect(text.contains("filename=\"a.unknown\"\r\nContent-Type: application/octet-stream\r\n"))
    }

    @Test func `a file input without a file is an empty file there, and nil here`() throws {
        struct Upload: Decodable {
            var f: File?
        }

        let text = Self.file("")
        let theirs = try TheirDecoder().decode(Upload.self, from: text, boundary: "x")
        #expect(theirs.f?.filename == "" && theirs.f?.data.readableBytes == 0)
        let ours = try FormDataDecoder().decode(
            Upload.self,
            from: Data(text.utf8),
            contentType: "multipart/form-data; boundary=x"
        )
        #expect(ours.f == nil)
    }

    @Test func `a semicolon in a file name is read`() throws {
        let theirs = try TheirDecoder().decode([String: File].self, from: Self.file("a;b.png"), boundary: "x")
        #expect(theirs["f"]?.filename == "a;b.png")
    }

    @Test func `an extended file name is not decoded there`() throws {
        let text = Self.file("a.png", and: "; filename*=UTF-8''b%20c.png")
        let theirs = try TheirDecoder().decode([String: File].self, from: text, boundary: "x")
        #expect(theirs["f"]?.filename == "UTF-8''b%20c.png")
        let ours = try FormDataDecoder().decode(
            [String: File].self,
            from: Data(text.utf8),
            contentType: "multipart/form-data; boundary=x"
        )
        #expect(ours["f"]?.filename == "b c.png")
    }

    @Test func `a form without parts is unprocessable in Vapor`() throws {
        struct Upload: Decodable {
            var f: File
        }

        let body = ByteBuffer(string: "--x\r\n--x--\r")
        let headers: HTTPHeaders = ["Content-Type": "multipart/form-data; boundary=x"]
        let theirs = #expect(throws: Abort.self) {
            try TheirDecoder().decode(Upload.self, from: body, headers: headers)
        }
        #expect(theirs?.status == .unprocessableEntity)
        let ours = #expect(throws: (any Error).self) {
            try FormContentCoder().decode(Upload.self, from: body, headers: headers)
        }
        #expect((ours as? any AbortError)?.status == .badRequest)
    }

    private static func file(_ name: String, and parameters: String = "") -> String {
        let disposition = "form-data; name=\"f\"; filename=\"\(name)\"\(parameters)"
        return "--x\r\nContent-Disposition: \(disposition)\r\nContent-Type: image/png\r\n\r\n\r\n--x--\r\n"
    }

    @Test func `a header line in a name is written there, and escaped here`() throws {
        let part = MultipartPart(headers: ["Content-Disposition": "form-data; name=\"a\"\r\nX-Id: 1"], body: "1")
        #expect(try MultipartSerializer().serialize(parts: [part], boundary: "x").contains("\r\nX-Id: 1\r\n"))
        var form = MultipartFormData()
        form.append("1", withName: "a\"\r\nX-Id: 1")
        #expect(String(decoding: try form.encode(), as: UTF8.self).contains("name=\"a%22%0D%0AX-Id: 1\""))
    }
}
