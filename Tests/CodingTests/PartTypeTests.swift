import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// An enumeration that could not be `Encodable` otherwise.
private enum Photo: FormPartEncodable, FormPartOnly {
    case identifier(String)
    case upload(FormFile)

    func formPart(named name: String) throws -> BodyPart {
        switch self {
        case .identifier(let text): BodyPart(text, name: name)
        case .upload(let file): file.formPart(named: name)
        }
    }
}

/// A type of JSON and of forms declares its own way to other coders.
private struct Both: FormPartEncodable, FormPartDecodable, Equatable {
    private enum Key: CodingKey { case text }
    static var requiresFile: Bool { false }
    var text: String

    init(_ text: String) {
        self.text = text
    }

    func formPart(named name: String) -> BodyPart { BodyPart("part of \(text)", name: name) }

    init(formPart: BodyPart) throws {
        text = try String((formPart.text()).dropFirst("part of ".count))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(text, forKey: .text)
    }

    init(from decoder: any Decoder) throws {
        text = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .text)
    }
}

extension CachedImage: FormPartEncodable, FormPartDecodable {
    func formPart(named name: String) -> BodyPart { BodyPart(pixels, name: name, filename: "\(title).raw") }

    init(formPart: BodyPart) throws {
        self.init(title: formPart.filename.map { String($0.dropLast(4)) } ?? "", pixels: try formPart.data())
    }
}

/// Wraps a part by hand.
private struct Wrapper: Codable, Equatable {
    var medium: Medium

    init(_ medium: Medium) {
        self.medium = medium
    }

    func encode(to encoder: any Encoder) throws { try medium.encode(to: encoder) }
    init(from decoder: any Decoder) throws { medium = try Medium(from: decoder) }
}

/// Types that make their own part, and those that must not.
@Suite struct PartTypeTests {
    private let encoder = FormDataEncoder()
    private let decoder = FormDataDecoder()

    @Test func `a type needs no more than its part`() throws {
        let parts = try encoder.parts(D(d: Medium("a")))
        #expect(parts == [Part("d", Data("a".utf8), filename: "a", contentType: "application/octet-stream")])
        #expect(try decoder.decode(D<Medium>.self, from: encoder.encode(D(d: Medium("a")))).d == Medium("a"))
        #expect(try decoder.decode(D<Medium?>.self).d == nil)
        let photos = ["a": Photo.identifier("7"), "b": .upload(FormFile(Data(), filename: "b"))]
        #expect(try encoder.encode(photos).map(\.filename) == [nil, "b"])
    }

    private class Drawing: Encodable {
        var title = "a"
        init() {}
    }

    private final class Scan: Drawing, FormPartEncodable {
        func formPart(named name: String) -> BodyPart { BodyPart(Data("scan".utf8), name: name, filename: "s") }
    }

    @Test func `an instance of a subclass makes its own part, also after others of its superclass`() throws {
        let parts = try encoder.parts(D(d: [Drawing(), Scan()]))
        let scan = Part("d[1]", Data("scan".utf8), filename: "s", contentType: "application/octet-stream")
        #expect(parts == ["d[0][title]=a", scan])
    }

    @Test func `a type may pass its coder on to a part's`() throws {
        let form = try encoder.encode(D(d: Wrapper(Medium("a"))))
        #expect(form.map(\.filename) == ["a"])
        #expect(try decoder.decode(D<Wrapper>.self, from: form).d == Wrapper(Medium("a")))
        let failure = Failure(.typeMismatch, ["d"], .expectedFile)
        #expect(Failure.of { try decoder.decode(D<Wrapper>.self, "d=x") } == failure)
    }

    @Test func `another coder throws, and says what to declare`() throws {
        let encoding = Failure.of { try JSONEncoder().encode(D(d: Medium("a"))) }
        #expect(encoding == Failure(.invalidValue, ["d"], .unencodable))
        #expect(encoding?.text.contains("Medium") == true && encoding?.text.contains("encode(to:)") == true)
        let decoding = Failure.of { try JSONDecoder().decode(D<Medium>.self, from: Data(#"{"d":1}"#.utf8)) }
        #expect(decoding == Failure(.typeMismatch, ["d"], .expectedFile))
        #expect(decoding?.text.contains("Medium") == true && decoding?.text.contains("init(from:)") == true)
    }

    @Test func `a type may declare what other coders do`() throws {
        #expect(try encoder.parts(D(d: Both("x"))) == ["d=part of x"])
        #expect(try decoder.decode(D<Both>.self, "d=part of x").d == Both("x"))
        let json = try JSONEncoder().encode(Both("x"))
        #expect(json == Data(#"{"text":"x"}"#.utf8))
        #expect(try JSONDecoder().decode(Both.self, from: json) == Both("x"))
    }

    @Test func `a type whose coding the compiler creates keeps it, though another file makes it a part`() throws {
        let image = CachedImage(title: "a", pixels: Data("p".utf8))
        let json = try JSONEncoder().encode(image)
        #expect(try JSONSerialization.jsonObject(with: json) as? [String: String] == ["title": "a", "pixels": "cA=="])
        #expect(try JSONDecoder().decode(CachedImage.self, from: json) == image)
        let form = try encoder.encode(D(d: image))
        let file = Part("d", Data("p".utf8), filename: "a.raw", contentType: "application/octet-stream")
        #expect(try form.table == [file])
        #expect(try decoder.decode(D<CachedImage>.self, from: form.received).d == image)
    }

    @Test func `the standard library's types are never parts, even if a module makes them conform`() throws {
        struct Values: Codable, Equatable {
            var text = "x"
            var number = 1
            var flag = true
            var date = Date(timeIntervalSince1970: 0)
            var optionalText: String? = "y"
            var texts = ["z"]
            var numbers = [1, 2]
            var media = [Medium("a")]
            var tables = ["k": Medium("b")]
            var optional: Medium? = Medium("c")
            var optionals: [Medium?] = [Medium("d")]
            var range = 1...2
            var named = ["t": "u"]
        }
        let names = [
            "text", "number", "flag", "date", "optionalText", "texts[]", "numbers[]", "numbers[]", "media[]",
            "tables[k]", "optional", "optionals[]", "range[]", "range[]", "named[t]",
        ]
        let form = try encoder.encode(Values())
        #expect(form.map(\.name) == names)
        #expect(form.compactMap(\.filename) == ["a", "b", "c", "d"])
        #expect(try decoder.decode(Values.self, from: form.received) == Values())
        #expect(try encoder.encode(D(d: Set([Medium("a")]))).map(\.name) == ["d[]"])
    }

    @Test func `no container asks them either`() throws {
        struct Everywhere: Codable, Equatable {
            enum Key: CodingKey { case single, list, keyed, parent }
            var medium = Medium("m")

            init() {}

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode([medium], forKey: .keyed)
                try container.encodeIfPresent("text" as String?, forKey: .single)
                var list = container.nestedUnkeyedContainer(forKey: .list)
                try list.encode([medium])
                try list.encode("text")
                try list.encode(contentsOf: [1, 2])
                var single = container.superEncoder(forKey: .parent).singleValueContainer()
                try single.encode(Optional(medium))
            }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                let keyed = try container.decode([Medium].self, forKey: .keyed)
                _ = try container.decodeIfPresent(String.self, forKey: .single)
                var list = try container.nestedUnkeyedContainer(forKey: .list)
                _ = try list.decode([Medium].self)
                _ = try list.decode(String.self)
                _ = try list.decodeIfPresent(Int.self)
                let single = try container.superDecoder(forKey: .parent).singleValueContainer()
                let parent = try single.decode(Medium?.self)
                medium = try #require(parent == keyed[0] ? parent : nil)
            }
        }
        let form = try encoder.encode(D(d: Everywhere()))
        #expect(form.compactMap(\.filename) == ["m", "m", "m"])
        #expect(try decoder.decode(D<Everywhere>.self, from: form.received).d == Everywhere())
        // By a name that is generic, or unknown to the compiler.
        let values: [any Encodable] = ["x", 1, true, [Medium("a")], Optional(Medium("a"))]
        for value in values { #expect(try fileNames(of: value).allSatisfy { $0 == nil || $0 == "a" }) }
    }

    private func fileNames(of value: some Encodable) throws -> [String?] {
        try encoder.encode(["d": value]).map(\.filename)
    }

    @Test func `a file without a file name is a part`() throws {
        let failure = Failure.of { try decoder.decode(D<FormFile>.self, "d=x") }
        #expect(failure == Failure(.typeMismatch, ["d"], .expectedFile))
        let text = """
            "d": part has no file name, which FormFile needs: decode BodyPart or Data, or a type whose requiresFile is false
            """
        #expect(failure?.text == text)
        #expect(!BodyPart.requiresFile && FormFile.requiresFile)
        #expect(try decoder.decode(D<BodyPart>.self, "d=x").d.text() == "x")
        #expect(try decoder.decode(D<Data>.self, "d=x").d == Data("x".utf8))
    }

    @Test func `a file is a part like any other type's`() throws {
        let part = FormFile(Data("x".utf8), filename: "a").formPart(named: "n")
        #expect(part.name == "n" && part.filename == "a")
        #expect(FormFile(formPart: BodyPart("x", name: "n")).filename.isEmpty)
    }
}
