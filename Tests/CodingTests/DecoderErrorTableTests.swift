import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Which parts are errors beside those of the table in `CodingErrorTests`.
@Suite struct DecoderErrorTableTests {
    private let decoder = FormDataDecoder()

    private func expect<T: Decodable>(
        _ failure: Failure,
        _ type: T.Type,
        _ parts: Part...,
        by decoder: FormDataDecoder = FormDataDecoder(),
        _ location: SourceLocation = #_sourceLocation
    ) {
        for form in [MultipartFormData(sending: parts), try? MultipartFormData(receiving: parts)] {
            guard let form else {
                Issue.record("the form cannot be sent", sourceLocation: location)
                continue
            }
            #expect(Failure.of { try decoder.decode(type, from: form) } == failure, sourceLocation: location)
        }
    }

    @Test func `a name that is too deep or too long is an error, and so are too many parts`() {
        let deep = Part("a" + String(repeating: "[b]", count: 16), Data())
        let keys = ["a"] + Array(repeating: "b", count: 15)
        expect(Failure(.dataCorrupted, keys, .tooDeep), User.self, deep)
        let long = Part(String(repeating: "a", count: 2049), Data())
        expect(Failure(.dataCorrupted, [], .nameTooLong), User.self, long)
        let parts = MultipartFormData(sending: Array(repeating: "a=1", count: 1001))
        #expect(
            Failure.of { try decoder.decode(User.self, from: parts) } == Failure(.dataCorrupted, [], .tooManyParts)
        )
    }

    @Test func `a value that is too long is not read, even from a file on disk`() throws {
        let long = Data(count: 1 << 20 | 1)
        let failure = Failure(.dataCorrupted, ["d"], .valueTooLong)
        expect(failure, D<String>.self, Part("d", long))
        let directory = try TemporaryDirectory()
        let url = try directory.write(long, as: "long")
        var form = MultipartFormData()
        form.append(try BodyPart(fieldContentsOf: url, name: "d"))
        try FileManager.default.removeItem(at: url)
        #expect(Failure.of { try decoder.decode(D<String>.self, from: form) } == failure)
        // Of unknown length.
        var stream = MultipartFormData()
        stream.append(BodyPart(length: nil, name: "d") { InputStream(data: long) })
        #expect(Failure.of { try decoder.decode(D<String>.self, from: stream) } == failure)
        #expect(try decoder.decode(D<Data>.self, from: stream).d.count == long.count)
    }

    @Test func `a part without a name is an error by the option`() throws {
        let strict = options(decoder) { $0.unknownNames = .reject }
        let body = """
            --b\r
            Content-Disposition: form-data\r
            \r
            1\r
            --b\r
            Content-Disposition: form-data; name="d"\r
            \r
            1\r
            --b--\r

            """
        func decode(_ decoder: FormDataDecoder) throws -> D<Int> {
            try decoder.decode(D<Int>.self, from: Data(body.utf8), contentType: "multipart/form-data; boundary=b")
        }
        #expect(Failure.of { try decode(strict) } == Failure(.dataCorrupted, [], .unknownName))
        #expect(try decode(decoder).d == 1)
    }

    @Test func `text that is not a valid value of its type is an error`() {
        for word in ["y", "2", "tru", "ö", " true"] {
            expect(Failure(.dataCorrupted, ["d"], .invalidValue), D<Bool>.self, Part("d", Data(word.utf8)))
        }
        for charset in ["x-unknown", "\"\"", "utf-32"] {
            let unknown = Part("d", Data([0x61, 0xE9]), contentType: "text/plain; charset=\(charset)")
            expect(Failure(.dataCorrupted, ["d"], .invalidText), D<String>.self, unknown)
            let text = Failure.of { try decoder.decode(D<String>.self, unknown) }?.text
            #expect(text == #""d": character set "\#(charset == "\"\"" ? "" : charset)" is unknown"#)
        }
    }

    @Test func `the error of the JSON decoder is kept`() throws {
        let failure = Failure.of { try decoder.decode(D<FormJSON<Item>>.self, #"d={"id":1}"#) }
        guard case DecodingError.keyNotFound(let key, _)? = failure?.cause?.underlyingError else {
            Issue.record("no underlying error")
            return
        }
        #expect(key.stringValue == "qty")
    }

    @Test func `content that cannot be read is an error with its cause`() throws {
        let directory = try TemporaryDirectory()
        let url = try directory.write(Data("a".utf8), as: "a")
        var form = MultipartFormData()
        form.append(url, withName: "d")
        try FileManager.default.removeItem(at: url)
        let failure = Failure.of { try decoder.decode(D<Data>.self, from: form) }
        #expect(failure == Failure(.dataCorrupted, ["d"], .unreadablePart))
        #expect(failure?.cause?.underlyingError is MultipartError)
        #expect(failure?.cause?.partName == "d" && failure?.cause?.partIndex == 0)
    }
}
