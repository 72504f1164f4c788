import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Which parts are errors, row by row.
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

    @Test func `a single value that is missing, empty or invalid is an error`() {
        expect(Failure(.keyNotFound("age"), [], .missingValue), User.self, "name=A", "admin=1")
        expect(Failure(.dataCorrupted, ["age"], .invalidValue), User.self, "age=abc", "name=A", "admin=1")
        expect(Failure(.dataCorrupted, ["n"], .invalidValue), Opt.self, "n=abc")
        expect(Failure(.valueNotFound, ["age"], .emptyValue), User.self, "age=", "name=A", "admin=1")
        expect(Failure(.valueNotFound, ["d"], .emptyValue), D<Date>.self, "d=")
        expect(Failure(.valueNotFound, ["d"], .emptyValue), D<URL>.self, "d=")
        expect(Failure(.valueNotFound, ["d"], .emptyValue), D<Decimal>.self, "d=")
    }

    @Test func `parts whose shape is not that of the type are an error`() {
        let rest: [Part] = ["name=A", "admin=1"]
        expect(Failure(.dataCorrupted, ["age"], .duplicateName), User.self, "age=1", "age=2", rest[0], rest[1])
        expect(Failure(.typeMismatch, ["name"], .expectedValue), User.self, "name[first]=x")
        expect(Failure(.typeMismatch, ["name"], .expectedValue), User.self, "name[]=x")
        expect(Failure(.typeMismatch, ["address"], .expectedKeys), Home.self, "address=x")
        expect(
            Failure(.dataCorrupted, ["address"], .mixedShapes),
            Home.self,
            "address=x",
            "address[street]=y",
            "address[zip]=1"
        )
    }

    @Test func `an array with a gap, other keys, mixed shapes or ambiguous names is an error`() {
        expect(Failure(.dataCorrupted, ["tags"], .sparseArray), Tags.self, "tags[0]=a", "tags[2]=c")
        expect(Failure(.dataCorrupted, ["tags"], .sparseArray), Tags.self, "tags[1]=a")
        expect(Failure(.typeMismatch, ["tags"], .expectedArray), Tags.self, "tags[x]=a")
        expect(Failure(.typeMismatch, ["tags"], .expectedArray), Tags.self, "tags[00]=a")
        expect(Failure(.dataCorrupted, ["tags"], .mixedShapes), Tags.self, "tags=a", "tags[]=b")
        expect(Failure(.dataCorrupted, ["tags"], .mixedShapes), Tags.self, "tags[0]=a", "tags[]=b")
        expect(Failure(.dataCorrupted, ["items"], .ambiguousArray), Cart.self, "items[][id]=1", "items[][qty]=2")
        expect(Failure(.dataCorrupted, ["d"], .ambiguousArray), D<Int?>.self, "d[][id]=1", "d=1")
        expect(
            Failure(.dataCorrupted, ["items", "0", "qty"], .invalidValue),
            Cart.self,
            "items[0][id]=1",
            "items[0][qty]=x"
        )
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

    @Test func `a field in place of a file is an error, and so is a file in place of a text`() {
        expect(Failure(.typeMismatch, ["d"], .expectedFile), D<FormFile>.self, "d=text")
        expect(Failure(.typeMismatch, ["d"], .expectedFile), D<FormFile?>.self, "d=text")
        let file = Part("d", Data("1".utf8), filename: "a")
        expect(Failure(.typeMismatch, ["d"], .unexpectedFile), D<String>.self, file)
        expect(Failure(.typeMismatch, ["d"], .unexpectedFile), D<Int?>.self, file)
        let none = Part("d", Data(), filename: "", contentType: "application/octet-stream")
        expect(Failure(.valueNotFound, ["d"], .noFile), D<FormFile>.self, none)
        expect(Failure(.valueNotFound, ["d"], .noFile), D<Data>.self, none)
        expect(Failure(.valueNotFound, ["d"], .noFile), D<FormJSON<Int>>.self, none)
        expect(Failure(.typeMismatch, ["d"], .unexpectedFile), D<String>.self, none)
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

    @Test func `an unknown name is an error by the option, and so is a part without a name`() throws {
        let strict = options(decoder) { $0.unknownNames = .reject }
        let rest: [Part] = ["name=A", "age=1", "admin=1"]
        expect(
            Failure(.dataCorrupted, ["x", "y"], .unknownName),
            User.self,
            rest[0],
            rest[1],
            rest[2],
            "x[y]=1",
            by: strict
        )
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
        expect(Failure(.dataCorrupted, ["d"], .invalidText), D<String>.self, Part("d", Data([0xFF])))
        expect(Failure(.dataCorrupted, ["d"], .invalidText), D<Int>.self, Part("d", Data([0xFF])))
        for charset in ["x-unknown", "\"\"", "utf-32"] {
            let unknown = Part("d", Data([0x61, 0xE9]), contentType: "text/plain; charset=\(charset)")
            expect(Failure(.dataCorrupted, ["d"], .invalidText), D<String>.self, unknown)
            let text = Failure.of { try decoder.decode(D<String>.self, unknown) }?.text
            #expect(text == #""d": character set "\#(charset == "\"\"" ? "" : charset)" is unknown"#)
        }
        expect(Failure(.dataCorrupted, ["d"], .invalidValue), D<Decimal>.self, "d=12abc")
        expect(Failure(.dataCorrupted, ["d"], .invalidValue), D<FormJSON<Item>>.self, #"d={"id":1}"#)
        let other = Part("d", Data("{}".utf8), contentType: "text/html")
        expect(Failure(.typeMismatch, ["d"], .expectedJSON), D<FormJSON<[String: Int]>>.self, other)
    }

    @Test func `the error of the JSON decoder is kept`() throws {
        let failure = Failure.of { try decoder.decode(D<FormJSON<Item>>.self, #"d={"id":1}"#) }
        guard case DecodingError.keyNotFound(let key, _)? = failure?.cause?.underlyingError else {
            Issue.record("no underlying error")
            return
        }
        #expect(key.stringValue == "qty")
    }

    @Test func `keys where a single value is expected are an error at once`() {
        expect(Failure(.typeMismatch, ["x"], .expectedValue), [String: String].self, "x[not-present]=foo")
        struct X: Decodable {
            var x: String
        }
        expect(Failure(.typeMismatch, ["x"], .expectedValue), X.self, "x[not-present]=foo")
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
