import Foundation
import MultipartFormCodec
import TestSupport
import Testing

private struct Part: Equatable {
    var name = ""
    var filename = ""
    var type = "text/plain"
    var body = Data()
}

private func readParts(contentType: String?, read: () throws -> Data?) throws -> [Part] {
    var collector = try MultipartCollector(contentType: contentType)
    while let chunk = try read() { try collector.append(chunk) }
    return try collector.finish().map { part in
        Part(
            name: part.name ?? "",
            filename: part.filename ?? "",
            type: part.contentType ?? "text/plain",
            body: try part.data()
        )
    }
}

/// The body parser of Kitura, for forms.
@Suite struct KituraPort {
    private static let contentType = "multipart/form-data; charset=utf-8; boundary=b"

    private func parts(of body: Data, chunkSize: Int) throws -> [Part] {
        var chunks = ChunkSplitter.pieces(of: body, size: chunkSize)[...]
        return try readParts(contentType: Self.contentType) { chunks.popFirst() }
    }

    @Test func `parts are read however the body is cut, with the boundary inside a line`() throws {
        let text = """
            --b
            Content-Disposition: form-data; filename="name.txt"; name="file"
            Content-Type: text/csv

            a--b--c
            --b
            content-disposition: form-data; name=title

            Lighthouse
            --b--

            """
        let body = Data(text.replacingOccurrences(of: "\n", with: "\r\n").utf8)
        for size in [1, 3, 50, 1000] {
            #expect(
                try parts(of: body, chunkSize: size) == [
                    Part(name: "file", filename: "name.txt", type: "text/csv", body: Data("a--b--c".utf8)),
                    Part(name: "title", body: Data("Lighthouse".utf8)),
                ],
                "chunks of \(size)"
            )
        }
    }

    @Test func `a body without its end is an error with an offset`() throws {
        let body = Data("--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--b".utf8)
        for size in [1, 3, 1000] {
            let error = #expect(throws: MultipartError.self) { try parts(of: body, chunkSize: size) }
            #expect(error?.code == .unexpectedEnd && error?.httpStatus == 400, "chunks of \(size)")
            #expect(error?.offset == UInt64(body.count), "chunks of \(size)")
        }
    }
}
