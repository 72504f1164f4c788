import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Types that use their coders in unusual ways.
@Suite struct UnusualTypeTests {
    private let decoder = FormDataDecoder()
    private let strict = options(FormDataDecoder()) { $0.unknownNames = .reject }
    private static let file = Part("d", Data("x".utf8), filename: "a")

    private enum Key: String, CodingKey {
        case a, d, next
    }

    /// A value of any type, as generated code walks it: a text, or an array of any.
    private struct Walker: Decodable {
        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            try Self.walk(&list)
        }

        private static func walk(_ list: inout any UnkeyedDecodingContainer) throws {
            while !list.isAtEnd {
                if (try? list.decode(String.self)) != nil { continue }
                var nested = try list.nestedUnkeyedContainer()
                try walk(&nested)
            }
        }
    }

    @Test func `an element is no array of one, so a walk through arrays ends`() {
        #expect(
            Failure.of { try decoder.decode(D<Walker>.self, Self.file) }
                == Failure(.typeMismatch, ["d", "0"], .expectedArray)
        )
        let failure = Failure(.typeMismatch, ["d", "0"], .expectedArray)
        #expect(Failure.of { try decoder.decode(D<[[String]]>.self, "d=x") } == failure)
    }

    private final class Endless: Decodable {
        let next: Endless?

        init(from decoder: any Decoder) throws {
            next = try? Endless(from: decoder.container(keyedBy: Key.self).superDecoder())
        }
    }

    @Test func `a type that needs itself without end is stopped`() throws {
        var value = try decoder.decode(Endless.self, "a=1")
        var count = 0
        while let next = value.next {
            value = next
            count += 1
        }
        #expect(count == decoder.maxDepth)
    }

    private enum Level: Int, Decodable, CodingKeyRepresentable {
        case one = 1
        case two
    }

    @Test func `two names that are one key of a dictionary are refused`() throws {
        let failure = Failure(.dataCorrupted, [], .duplicateName)
        #expect(Failure.of { try decoder.decode([String: Int].self, "K=1", "\u{212A}=2") } == failure)
        #expect(Failure.of { try decoder.decode([String: Int].self, "\u{212A}=2", "K=1") } == failure)
        #expect(Failure.of { try decoder.decode([Level: Int].self, "1=1", "01=2") } == failure)
        #expect(try decoder.decode([Level: Int].self, "1=1", "2=2") == [.one: 1, .two: 2])
        #expect(try decoder.decode([String: Int].self, "K=1", "k=2", "é=3") == ["K": 1, "k": 2, "é": 3])
    }

    private struct Extensible: Codable, Equatable {
        var a = 1
        var others = ["z": "2", "b": "3"]

        init() {}

        init(from decoder: any Decoder) throws {
            a = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .a)
            others = try [String: String](from: decoder)
            others["a"] = nil
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(a, forKey: .a)
            try others.encode(to: encoder)
        }
    }

    @Test func `a dictionary may be encoded beside keys`() throws {
        #expect(try FormDataEncoder().parts(Extensible()) == ["a=1", "b=3", "z=2"])
        #expect(try decoder.decode(Extensible.self, from: FormDataEncoder().encode(Extensible())) == Extensible())
    }

    @Test func `an indexed file input without a file is left out, and is no unknown name`() throws {
        let file = Part("d[0]", Data("x".utf8), filename: "a"), none = Part("d[1]", Data(), filename: "")
        #expect(try strict.decode(D<[FormFile]>.self, file, none).d.count == 1)
    }

    private struct Either: Decodable {
        var values: [String]

        init(from decoder: any Decoder) throws {
            if let list = try? decoder.unkeyedContainer(), list.count != 1 {
                values = try [String](from: decoder)
            } else {
                values = [try decoder.singleValueContainer().decode(String.self)]
            }
        }
    }

    @Test func `a part is read although its type has tried an array before`() throws {
        #expect(try strict.decode(D<Either>.self, "d=a").d.values == ["a"])
        #expect(try strict.decode(D<Either>.self, "d=a", "d=b").d.values == ["a", "b"])
    }

    /// Elements that are read in three ways, by turns.
    private struct Turns: Decodable {
        var values: [Int] = []

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            while !list.isAtEnd {
                #expect(list.currentIndex == values.count)
                switch values.count % 3 {
                case 0: values.append(try Int(from: list.superDecoder()))
                case 1: values.append(try list.nestedContainer(keyedBy: Key.self).decode(Int.self, forKey: .d))
                default:
                    var nested = try list.nestedUnkeyedContainer()
                    values.append(try nested.decode(Int.self))
                }
            }
        }
    }

    @Test func `each element is read once, in any way`() throws {
        let names = ["d[0]=0", "d[1][d]=1", "d[2][0]=2", "d[3]=3", "d[4][d]=4", "d[5][0]=5"]
        let form = MultipartFormData(
            names.map { name in BodyPart(String(name.suffix(1)), name: String(name.dropLast(2))) }
        )
        #expect(try decoder.decode(D<Turns>.self, from: form).d.values == Array(0...5))
    }

    private struct Texts: Decodable {
        var values: [String?] = []

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            while !list.isAtEnd { values.append(try list.decodeIfPresent(String.self)) }
        }
    }

    @Test func `a text that is decoded if present is never nil`() throws {
        #expect(try decoder.decode(D<Texts>.self, "d[]=", "d[]=a").d.values == ["", "a"])
        #expect(try decoder.decode(D<Texts>.self, "d[]=null", "d[]=").d.values == ["null", ""])
    }

    @Test func `an endless stream is read up to the limit`() throws {
        var form = MultipartFormData()
        form.append(BodyPart(length: nil, name: "d") { StubStream(count: .max) })
        let failure = Failure(.dataCorrupted, ["d"], .valueTooLong)
        #expect(Failure.of { try decoder.decode(D<String>.self, from: form) } == failure)
        #expect(Failure.of { try decoder.decode(D<FormJSON<Int>>.self, from: form) } == failure)
    }

    @Test func `an error has the index of its part unless there are several, and the name that is sent`() {
        let last = options(decoder) { $0.duplicates = .last }
        #expect(Failure.of { try last.decode(D<Int>.self, "d=1", "d=x") }?.cause?.partIndex == 1)
        #expect(Failure.of { try decoder.decode(D<Int>.self, "d=1", "d=x") }?.cause?.partIndex == nil)
        struct Same: Encodable {
            var aB = 1
            var ab = 2
        }
        let lower = options(FormDataEncoder()) { $0.keyEncoding = .lowercased }
        #expect(Failure.of { try lower.encode(Same()) }?.cause?.partName == "ab")
    }

    #if FullFoundation
        private final class Formatter: DateFormatter, @unchecked Sendable {
            override func string(from date: Date) -> String { "mine" }
        }

        @Test func `a formatter of a subclass is used as it is`() throws {
            let encoder = options(FormDataEncoder()) { $0.dateEncoding = .formatted(Formatter()) }
            #expect(try encoder.parts(D(d: Date())) == ["d=mine"])
        }
    #endif

    @Test func `a type may make its own part, and be made of one`() throws {
        let encoder = FormDataEncoder()
        #expect(try encoder.parts(D(d: Measured(1))) == [Part("d", Data("1 m".utf8), contentType: "text/x-length")])
        let part = Part("d", Data("1 m".utf8), contentType: "text/x-length")
        #expect(try decoder.decode(D<Measured>.self, part).d == Measured(1))
    }

    private struct Measured: Codable, Equatable, FormPartEncodable, FormPartDecodable {
        static var requiresFile: Bool { false }
        var length: Int

        init(_ length: Int) {
            self.length = length
        }

        func formPart(named name: String) -> BodyPart {
            BodyPart("\(length) m", name: name, contentType: "text/x-length")
        }

        init(formPart: BodyPart) throws {
            length = Int(try formPart.text().prefix { $0 != " " }) ?? -1
        }
    }

    /// A value of any type, which is asked to encode itself, or passed to a container.
    private struct Erased: Encodable {
        let value: any Encodable
        var isPassed = false

        func encode(to encoder: any Encoder) throws {
            guard isPassed else { return try value.encode(to: encoder) }
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    @Test func `a value of Foundation is one part if passed, and what it makes of itself if asked`() throws {
        let encoder = FormDataEncoder()
        let values: [any Encodable] = [Data([1, 2]), Decimal(1), URL(fileURLWithPath: "/a"), Date()]
        for value in values {
            let passed = try encoder.encode(D(d: Erased(value: value, isPassed: true)))
            #expect(passed.count == 1 && passed[0].name == "d")
        }
        #expect(try encoder.parts(D(d: Erased(value: Data([1, 2])))) == ["d[]=1", "d[]=2"])
        let date = Date(timeIntervalSinceReferenceDate: 1.5)
        #expect(try encoder.parts(D(d: Erased(value: date))) == ["d=1.5"])
    }

    @Test func `an array of bytes is an array of numbers, also in a type that encodes itself`() throws {
        for isPassed in [false, true] {
            let bytes = Erased(value: [1, 2] as [UInt8], isPassed: isPassed)
            #expect(try FormDataEncoder().parts(D(d: bytes)) == ["d[]=1", "d[]=2"])
        }
        struct Contents: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                try container.encode(contentsOf: [1, 2] as [UInt8])
            }
        }
        #expect(try FormDataEncoder().parts(D(d: Contents())) == ["d[]=1", "d[]=2"])
    }
}
