import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite struct FieldChecksTests {
    /// The error of sending a part on that was received with such encodings, in one chunk or byte by byte.
    private func errors(of encodings: [String]) throws -> [MultipartError.Code?] {
        let lines = encodings.map { "Content-Transfer-Encoding: \($0)\r\n" }.joined()
        let section = "Content-Disposition: form-data; name=\"a\"\r\n\(lines)\r\n"
        let message = Data("--b\r\n\(section)x\r\n--b--\r\n".utf8)
        return try [message.count, 1].map { size in
            let pieces = ChunkSplitter.pieces(of: message, size: size)
            let form = try MultipartFormData(pushing: pieces, contentType: Boundary("b").contentType)
            do {
                _ = try form.encode()
                return nil
            } catch {
                return (error as? MultipartError)?.code
            }
        }
    }

    @Test func `a second transfer encoding does not hide the first`() throws {
        for encodings in [["base64", "7bit"], ["7bit", "base64"], ["base64", "binary", "8bit"], ["base64"]] {
            #expect(try errors(of: encodings) == [.forbiddenHeader, .forbiddenHeader], "\(encodings)")
        }
        for encodings in [["7bit", "8bit"], ["BINARY"], []] {
            #expect(try errors(of: encodings) == [nil, nil], "\(encodings)")
        }
    }

    @Test func `of three dispositions the second is the error`() {
        let lines = ["a", "b", "c"].map { "Content-Disposition: form-data; name=\($0)\r\n" }
        let message = Data("--b\r\n\(lines.joined())\r\nx\r\n--b--\r\n".utf8)
        let offset = UInt64("--b\r\n\(lines[0])".utf8.count)
        for mode in [ParsingMode.lenient, .strict] {
            let message = ParsedMessage([message], boundary: "b", options: MultipartParser.Options(mode: mode))
            #expect(message.error == MultipartError(.duplicateHeader, offset: offset, partIndex: 0))
        }
    }
}
