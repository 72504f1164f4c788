import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite struct CheckedFileTests {
    private let directory: TemporaryDirectory
    private let file: URL

    init() throws {
        directory = try TemporaryDirectory()
        file = try directory.write(Data("content".utf8), as: "file")
    }

    @Test func `a file that cannot be read later has an error of its kind`() throws {
        let fifo = directory.url.appendingPathComponent("fifo")
        try #require(mkfifo(fifo.path, 0o600) == 0)
        let refused: [(url: URL, code: MultipartError.Code)] = [
            (directory.url.appendingPathComponent("missing"), .bodyPartFileNotReachable),
            (file.appendingPathComponent("below"), .bodyPartFileNotReachableWithError),
            (directory.url, .bodyPartFileIsDirectory), (fifo, ErrorCode.bodyPartFileIsSpecial),
            (try #require(URL(string: "file://server\(file.path)")), .bodyPartURLInvalid),
        ]
        for (url, code) in refused {
            #expect(throws: MultipartError(code, path: url.path)) { try BodyPart(fieldContentsOf: url, name: "f") }
        }
        let local = try #require(URL(string: "file://LOCALHOST\(file.path)"))
        #expect(try BodyPart(fieldContentsOf: local, name: "f").text() == "content")
    }
}
