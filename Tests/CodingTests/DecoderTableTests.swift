import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// What parts become, row by row.
@Suite struct DecoderTableTests {
    private let decoder = FormDataDecoder()
    private static let file = Part("d", Data([0, 0xFF]), filename: "x.bin", contentType: "application/octet-stream")

    @Test func `single values are read by their keys`() throws {
        let user = try decoder.decode(User.self, "name=Ada", "age=36", "admin=ON")
        #expect(user == User(name: "Ada", age: 36, admin: true))
    }

    @Test func `arrays are read in all three forms, and one part is an array of one`() throws {
        #expect(try decoder.decode(Tags.self, "tags=a", "tags=b").tags == ["a", "b"])
        #expect(try decoder.decode(Tags.self, "tags[]=a", "tags[]=b").tags == ["a", "b"])
        #expect(try decoder.decode(Tags.self, "tags[1]=b", "tags[0]=a").tags == ["a", "b"])
        #expect(try decoder.decode(Tags.self, "tags=a").tags == ["a"])
    }

    @Test func `without parts, arrays and dictionaries are empty, and optionals nil`() throws {
        #expect(try decoder.decode(Tags.self).tags == [])
        #expect(try decoder.decode(D<[String]?>.self).d == nil)
        #expect(try decoder.decode(D<[String: Int]>.self).d == [:])
        #expect(try decoder.decode(Opt.self) == Opt())
    }

    @Test func `an empty part is nil for an optional of any type but String`() throws {
        #expect(try decoder.decode(Opt.self, "nick=", "n=") == Opt(nick: ""))
        #expect(try decoder.decode(D<[String]?>.self, "d=").d == nil)
        #expect(try decoder.decode(D<[String]>.self, "d=").d == [""])
        #expect(try decoder.decode(D<[String]?>.self, "d[]=").d == [""])
        #expect(try decoder.decode(D<[String]>.self, "d[]=").d == [""])
        let absence = options(decoder) { $0.nilDecoding = .absence }
        #expect(try absence.decode(D<[String]?>.self, "d=").d == [""])
    }

    @Test func `the type decides whether a number in brackets is an index or a key`() throws {
        #expect(try decoder.decode(D<[String]>.self, "d[0]=x").d == ["x"])
        #expect(try decoder.decode(D<[String: String]>.self, "d[0]=x").d == ["0": "x"])
        #expect(try decoder.decode(D<[Int: String]>.self, "d[0]=x", "d[-2]=y").d == [0: "x", -2: "y"])
    }

    @Test func `unknown names are ignored, and their files not opened`() throws {
        let directory = try TemporaryDirectory()
        let url = try directory.write(Data("z".utf8), as: "z")
        var form = MultipartFormData(sending: [
            "name=A", "age=1", "admin=0", "__proto__[x]=1", "constructor=2",
        ])
        form.append(url, withName: "extra")
        try FileManager.default.removeItem(at: url)
        #expect(try decoder.decode(User.self, from: form) == User(name: "A", age: 1, admin: false))
    }

    @Test func `an unchecked box is false by the option, and nil for an optional`() throws {
        let boxes = options(decoder) { $0.absentBoolsAreFalse = true }
        #expect(try boxes.decode(User.self, "name=A", "age=1").admin == false)
        #expect(try boxes.decode(D<Bool?>.self).d == nil)
        // What is there must be a Bool, and nothing else is false for being absent.
        for (text, code) in [("d=x", .invalidValue), ("d=", .emptyValue)] as [(Part, MultipartError.Code)] {
            #expect(Failure.of { try boxes.decode(D<Bool>.self, text) }?.code == code)
        }
        #expect(Failure.of { try boxes.decode(D<Int>.self) }?.code == .missingValue)
    }

    @Test func `a date may have fractions of a second and a time zone`() throws {
        let date = try decoder.decode(D<Date>.self, "d=2026-11-21T19:00:00.5+01:00").d
        #expect(date == Date(timeIntervalSince1970: 1_795_284_000.5))
    }

    @Test func `texts and numbers are read in the part's character set`() throws {
        let part = Part("d", Data([0xE9]), contentType: "text/plain; charset=iso-8859-1")
        #expect(try decoder.decode(D<String>.self, part).d == "é")
        let wide = Part("d", Data([0, 0x37]), contentType: "text/plain; charset=UTF-16BE")
        #expect(try decoder.decode(D<Int>.self, wide).d == 7)
    }

    @Test func `data is the content of a file or a field`() throws {
        #expect(try decoder.decode(D<Data>.self, Self.file).d == Data([0, 0xFF]))
        #expect(try decoder.decode(D<Data>.self, "d=AAEC").d == Data("AAEC".utf8))
    }
}
