import Foundation
import MultipartForm
import TestSupport
import Testing

/// What parts become, row by row.
@Suite struct DecoderTableTests {
    private let decoder = FormDataDecoder()
    private static let file = Part("d", Data([0, 0xFF]), filename: "x.bin", contentType: "application/octet-stream")

    @Test func `D1 scalars`() throws {
        let user = try decoder.decode(User.self, "name=Ada", "age=36", "admin=ON")
        #expect(user == User(name: "Ada", age: 36, admin: true))
    }

    @Test func `D2 and D3 arrays in all forms`() throws {
        #expect(try decoder.decode(Tags.self, "tags=a", "tags=b").tags == ["a", "b"])
        #expect(try decoder.decode(Tags.self, "tags[]=a", "tags[]=b").tags == ["a", "b"])
        #expect(try decoder.decode(Tags.self, "tags[1]=b", "tags[0]=a").tags == ["a", "b"])
        #expect(try decoder.decode(Tags.self, "tags=a").tags == ["a"])
    }

    @Test func `D4 nothing`() throws {
        #expect(try decoder.decode(Tags.self).tags == [])
        #expect(try decoder.decode(D<[String]?>.self).d == nil)
        #expect(try decoder.decode(D<[String: Int]>.self).d == [:])
        #expect(try decoder.decode(Opt.self) == Opt())
    }

    @Test func `D5 empty values`() throws {
        #expect(try decoder.decode(Opt.self, "nick=", "n=") == Opt(nick: ""))
        #expect(try decoder.decode(D<[String]?>.self, "d=").d == nil)
        #expect(try decoder.decode(D<[String]>.self, "d=").d == [""])
        #expect(try decoder.decode(D<[String]?>.self, "d[]=").d == [""])
        #expect(try decoder.decode(D<[String]>.self, "d[]=").d == [""])
        let absence = options(decoder) { $0.nilDecoding = .absence }
        #expect(try absence.decode(D<[String]?>.self, "d=").d == [""])
    }

    @Test func `D6 null`() throws {
        let null = options(decoder) { $0.nilDecoding = .null }
        #expect(try null.decode(Opt.self, "nick=null", "n=null") == Opt())
        #expect(try null.decode(Opt.self, "nick=NULL").nick == "NULL")
        #expect(try decoder.decode(Opt.self, "nick=null").nick == "null")
    }

    @Test func `D8 the type decides what a numeric key is`() throws {
        #expect(try decoder.decode(D<[String]>.self, "d[0]=x").d == ["x"])
        #expect(try decoder.decode(D<[String: String]>.self, "d[0]=x").d == ["0": "x"])
        #expect(try decoder.decode(D<[Int: String]>.self, "d[0]=x", "d[-2]=y").d == [0: "x", -2: "y"])
    }

    @Test func `D10 files in order`() throws {
        let a = Part("d", Data("a".utf8), filename: "f:a"), b = Part("d", Data("b".utf8), filename: "f:b")
        #expect(try decoder.decode(D<[FormFile]>.self, a, b).d.map(\.filename) == ["f:a", "f:b"])
        #expect(try decoder.decode(D<FormFile>.self, a).d.data() == Data("a".utf8))
    }

    @Test func `D11 unknown names are ignored, and their files not opened`() throws {
        let directory = try TemporaryDirectory()
        let url = try directory.write(Data("z".utf8), as: "z")
        var form = MultipartFormData(sending: [
            "name=A", "age=1", "admin=0", "__proto__[x]=1", "constructor=2",
        ])
        form.append(url, withName: "extra")
        try FileManager.default.removeItem(at: url)
        #expect(try decoder.decode(User.self, from: form) == User(name: "A", age: 1, admin: false))
    }

    @Test func `D13 absent boxes`() throws {
        let boxes = options(decoder) { $0.absentBoolsAreFalse = true }
        #expect(try boxes.decode(User.self, "name=A", "age=1").admin == false)
        #expect(try boxes.decode(D<Bool?>.self).d == nil)
    }

    @Test func `D14 dates`() throws {
        let date = try decoder.decode(D<Date>.self, "d=2026-11-21T19:00:00.5+01:00").d
        #expect(date == Date(timeIntervalSince1970: 1_795_284_000.5))
    }

    @Test func `D15 names of another form are keys as they are`() throws {
        let names = try decoder.decode([String: String].self, "a[b=1", "a]=2", "[x]=3", "a[b]c=4")
        #expect(names == ["a[b": "1", "a]": "2", "[x]": "3", "a[b]c": "4"])
    }

    @Test func `D18 dots`() throws {
        let dots = options(decoder) { $0.keyPathEncoding = .dots }
        let home = try dots.decode(Home.self, "address.street=X", "address.zip=1")
        #expect(home.address == Address(street: "X", zip: "1"))
    }

    @Test func `D20 the part's character set`() throws {
        let part = Part("d", Data([0xE9]), contentType: "text/plain; charset=iso-8859-1")
        #expect(try decoder.decode(D<String>.self, part).d == "é")
        let wide = Part("d", Data([0, 0x37]), contentType: "text/plain; charset=UTF-16BE")
        #expect(try decoder.decode(D<Int>.self, wide).d == 7)
    }

    @Test func `D22 JSON in a field or a file`() throws {
        let json = Part("d", Data(#"{"id":1,"qty":2}"#.utf8), filename: "m.json", contentType: "application/json")
        #expect(try decoder.decode(D<FormJSON<Item>>.self, #"d={"id":1,"qty":2}"#).d.value == Item(id: 1, qty: 2))
        #expect(try decoder.decode(D<FormJSON<Item>>.self, json).d.value == Item(id: 1, qty: 2))
    }

    @Test func `D24 data`() throws {
        #expect(try decoder.decode(D<Data>.self, Self.file).d == Data([0, 0xFF]))
        let base64 = options(decoder) { $0.dataDecoding = .base64 }
        #expect(try base64.decode(D<Data>.self, "d=AAEC").d == Data([0, 1, 2]))
    }

    @Test func `D26 elements in any order`() throws {
        let cart = try decoder.decode(
            Cart.self,
            "items[1][qty]=4",
            "items[0][id]=1",
            "items[1][id]=3",
            "items[0][qty]=2"
        )
        #expect(cart == EncoderTableTests.cart)
    }
}
