import Alamofire
import Foundation
import MultipartFormCodec
import Testing

/// What `FromAlamofire.md` says about the forms of Alamofire 5.12.0.
@Suite(.enabled(if: isApple, "Alamofire's forms are encoded on Apple's platforms only"))
struct AlamofireDifferenceTests {
    private typealias Form = Alamofire.MultipartFormData

    private let directory: TemporaryDirectory
    private var file: URL { directory.url.appendingPathComponent("out") }

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func append(_ text: String, withLength length: UInt64, to form: Form) {
        let stream = InputStream(data: Data(text.utf8))
        form.append(stream, withLength: length, name: "s", fileName: "s", mimeType: "text/plain")
    }

    private func text(_ form: Form) throws -> String {
        String(decoding: try form.encode(), as: UTF8.self)
    }

    private func writtenText(_ form: Form) throws -> String {
        try form.writeEncodedData(to: file)
        return try String(contentsOf: file, encoding: .utf8)
    }

    @Test func `a form without parts is empty`() throws {
        #expect(try Form(boundary: "b").encode().isEmpty)
    }

    @Test func `a file without an extension is refused`() throws {
        let form = Form()
        form.append(try directory.write(Data("x".utf8), as: "LICENCE"), withName: "f")
        let error = #expect(throws: AFError.self) { try form.encode() }
        guard case .multipartEncodingFailed(.bodyPartFilenameInvalid) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: [(2, "ab"), (4, "abc")] as [(UInt64, String)])
    func `a stream of another length is written to a file`(_ length: UInt64, _ content: String) throws {
        let form = Form(boundary: "b")
        append("abc", withLength: length, to: form)
        #expect(try writtenText(form).contains("\r\n\r\n\(content)\r\n--b--\r\n"))
    }

    @Test func `a stream of another length is refused in memory`() throws {
        let form = Form(boundary: "b")
        append("abc", withLength: 4, to: form)
        let error = #expect(throws: AFError.self) { try form.encode() }
        guard case .multipartEncodingFailed(.inputStreamReadFailed(let cause)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect((cause as? AFError.UnexpectedInputStreamLength)?.bytesRead == 3)
    }

    @Test func `a second encoding fails in memory, and is empty in a file`() throws {
        let form = Form(boundary: "b")
        form.append(Data("abc".utf8), withName: "d")
        #expect(try text(form).contains("abc"))
        #expect(throws: AFError.self) { try form.encode() }
        #expect(try !writtenText(form).contains("abc"))
    }

    @Test func `a part that is appended after an encoding follows the close delimiter`() throws {
        let form = Form(boundary: "b")
        append("abc", withLength: 3, to: form)
        _ = try form.encode()
        form.append(Data("x".utf8), withName: "d")
        #expect(try writtenText(form).components(separatedBy: "--b--").count == 3)
    }

    @Test func `a quote and a line break in a file name are written as they are`() throws {
        let form = Form(boundary: "b")
        form.append(Data(), withName: "f", fileName: "a\".png\r\nX-Evil: 1", mimeType: "image/png")
        #expect(try text(form).contains("filename=\"a\".png\r\nX-Evil: 1\""))
    }

    @Test func `a boundary may occur in the content`() throws {
        let form = Form(boundary: "b")
        form.append(Data("x\r\n--b--\r\n".utf8), withName: "d")
        #expect(throws: Never.self) { try form.encode() }
    }

    @Test func `a file without a type gets none`() throws {
        let form = Form(boundary: "b")
        form.append(Data(), withName: "f", fileName: "a")
        #expect(try !text(form).contains("Content-Type"))
    }

    @Test func `a file that could not be written to its end is left`() throws {
        let form = Form(boundary: "b")
        form.append(Data("abc".utf8), withName: "d")
        form.append(FailingStream(), withLength: 3, name: "s", fileName: "s", mimeType: "text/plain")
        #expect(throws: AFError.self) { try form.writeEncodedData(to: file) }
        #expect(FileManager.default.fileExists(atPath: file.path))
    }
}

/// A stream that cannot be read.
final class FailingStream: InputStream {
    private var status = Stream.Status.notOpen

    init() {
        super.init(data: Data())
    }

    override var streamStatus: Stream.Status { status }

    override var streamError: (any Error)? { status == .error ? CocoaError(.fileReadUnknown) : nil }

    override var hasBytesAvailable: Bool { true }

    override func open() {
        status = .open
    }

    override func close() {}

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        status = .error
        return -1
    }
}
