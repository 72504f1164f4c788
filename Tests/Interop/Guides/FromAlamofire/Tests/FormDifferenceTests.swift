import Foundation
import MultipartFormCodec
import Testing

/// What `FromAlamofire.md` says about the forms of this library, where Alamofire's differ.
@Suite struct FormDifferenceTests {
    private let directory: TemporaryDirectory
    private var file: URL { directory.url.appendingPathComponent("out") }

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func text(_ form: MultipartFormData) throws -> String {
        String(decoding: try form.encode(), as: UTF8.self)
    }

    @Test func `a form without parts is a close delimiter`() throws {
        #expect(try text(MultipartFormData(boundary: "b")) == "--b--\r\n")
    }

    @Test func `a boundary has the characters that RFC 2046 allows`() throws {
        func form(_ text: String) throws -> MultipartFormData {
            let boundary = try Boundary(parsing: text, mode: .strict)
            var form = MultipartFormData(boundary: boundary)
            form.append("1", withName: "a")
            return form
        }
        #expect(try form("alamofire.boundary.0123abcd").boundary.description == "alamofire.boundary.0123abcd")
        for text in ["", "a\"", "a\r\nb", "ä", String(repeating: "b", count: 71)] {
            let error = #expect(throws: MultipartError.self) { try form(text) }
            #expect(error?.code == MultipartError.Code("invalid-boundary"))
        }
        let received = try Boundary(parsing: "ä", mode: .lenient)
        let error = #expect(throws: MultipartError.self) { try MultipartFormData(boundary: received).encode() }
        #expect(error?.code == MultipartError.Code("invalid-boundary"))
    }

    @Test func `a file without an extension has a type`() throws {
        var form = MultipartFormData()
        form.append(try directory.write(Data("x".utf8), as: "LICENCE"), withName: "f")
        #expect(form["f"]?.filename == "LICENCE" && form["f"]?.contentType == "application/octet-stream")
        #expect(form.firstError == nil)
    }

    @Test(arguments: [2, 4] as [UInt64])
    func `a stream of another length is an error, and leaves no file`(_ length: UInt64) throws {
        var form = MultipartFormData()
        let stream = InputStream(data: Data("abc".utf8))
        form.append(stream, withLength: length, name: "s", fileName: "s", mimeType: "text/plain")
        let error = #expect(throws: MultipartError.self) { try form.writeEncodedData(to: file) }
        #expect(error?.code == .bodyPartLengthMismatch && error?.expectedLength == length)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `a second encoding is equal, and fails for a stream`() throws {
        var form = MultipartFormData()
        form.append(Data("abc".utf8), withName: "d")
        #expect(try form.encode() == form.encode())
        form.append(InputStream(data: Data("abc".utf8)), withLength: 3, name: "s")
        #expect(throws: Never.self) { try form.encode() }
        #expect(throws: MultipartError(.bodyPartStreamConsumed, partIndex: 1)) { try form.encode() }
    }

    @Test func `a part is appended after an encoding`() throws {
        var form = MultipartFormData(boundary: "b")
        form.append("x", withName: "a")
        _ = try form.encode()
        form.append("y", withName: "b")
        #expect(try MultipartFormData(parsing: form.encode(), contentType: form.contentType).count == 2)
    }

    @Test func `a quote and a line break in a file name are escaped`() throws {
        var form = MultipartFormData()
        form.append(Data(), withName: "f", fileName: "a\".png\r\nX-Evil: 1", mimeType: "image/png")
        #expect(try text(form).contains("filename=\"a%22.png%0D%0AX-Evil: 1\""))
    }

    @Test func `a boundary that occurs in the content is an error`() throws {
        var form = MultipartFormData(boundary: "b")
        form.append(Data("x\r\n--b--\r\n".utf8), withName: "d")
        #expect(throws: MultipartError(.boundaryCollision, partIndex: 0)) { try form.encode() }
    }

    @Test func `a file in memory without a type gets one`() throws {
        var form = MultipartFormData()
        form.append(Data(), withName: "f", fileName: "a")
        #expect(try text(form).contains("Content-Type: application/octet-stream\r\n"))
    }

    @Test func `a stream that fails leaves no file`() throws {
        var form = MultipartFormData()
        form.append(Data("abc".utf8), withName: "d")
        form.append(BodyPart(length: 3, name: "s", filename: "s", contentType: "text/plain") { FailingStream() })
        let error = #expect(throws: MultipartError.self) { try form.writeEncodedData(to: file) }
        #expect(error?.code == .inputStreamReadFailed)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `the first error of append is kept`() {
        var form = MultipartFormData()
        let missing = directory.url.appendingPathComponent("none.png")
        form.append(missing, withName: "a")
        form.append(directory.url, withName: "b", fileName: "b", mimeType: "image/png")
        #expect(form.firstError?.code == .bodyPartFileNotReachable)
        #expect(form.firstError?.path == missing.path && form.firstError?.partName == "a")
    }

    @Test func `a directory is no file`() {
        var form = MultipartFormData()
        form.append(directory.url, withName: "b", fileName: "b", mimeType: "image/png")
        #expect(form.firstError?.code == .bodyPartFileIsDirectory)
    }

    @Test func `a disposition with more than a name and a file name is an error`() {
        var form = MultipartFormData()
        let headers: HeaderFields = ["Content-Disposition": "form-data; name=\"s\"; size=3"]
        form.append(InputStream(data: Data("abc".utf8)), withLength: 3, headers: headers)
        #expect(form.firstError?.code == MultipartError.Code("lossy-disposition"))
    }
}
