import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// How names and their parts become values, nil and errors.
@Suite struct DecodingRuleTests {
    private let decoder = FormDataDecoder()

    /// A value that decodes itself by a closure; the tests look at what it calls.
    private func reading<Value>(
        _ parts: Part...,
        by base: FormDataDecoder = FormDataDecoder(),
        _ body: @escaping @Sendable (any Decoder) throws -> Value
    ) throws -> Value where Value: Sendable {
        let slot = Slot { try body($0) }
        let decoder = options(base) { $0.userInfo[Reader.slot] = slot }
        _ = try decoder.decode(Reader.self, from: MultipartFormData(sending: parts))
        guard let value = slot.value as? Value else { throw Difference(text: "nothing was read") }
        return value
    }

    private final class Slot: @unchecked Sendable {
        let body: (any Decoder) throws -> Any
        var value: Any?
        init(_ body: @escaping (any Decoder) throws -> Any) { self.body = body }
    }

    private struct Reader: Decodable {
        static let slot = CodingUserInfoKey.named("slot")
        init(from decoder: any Decoder) throws {
            let slot = decoder.userInfo[Self.slot] as? Slot
            slot?.value = try slot?.body(decoder)
        }
    }

    private enum Key: String, CodingKey {
        case a, b, c
    }

    @Test func `indices may come in any order, without a gap`() throws {
        let names = (0..<12).shuffled().map { Part("d[\($0)]", Data("\($0)".utf8)) }
        let form = MultipartFormData(sending: names)
        #expect(try decoder.decode(D<[Int]>.self, from: form).d == Array(0..<12))
        #expect(Failure.of { try decoder.decode(D<[Int]>.self, "d[0]=7", "d[2]=1") }?.code == .sparseArray)
        #expect(Failure.of { try decoder.decode(D<[Int]>.self, "d[1]=7", "d[01]=1") }?.code == .expectedArray)
        // A dictionary has the elements of an array with gaps.
        #expect(try decoder.decode(D<[Int: Int]>.self, "d[7]=7", "d[100]=1").d == [7: 7, 100: 1])
        #expect(Failure.of { try decoder.decode(D<[Int]>.self, "d=1", "d[x]=2") }?.code == .mixedShapes)
    }

    @Test func `of several parts for a single value, the option takes the first or the last`() throws {
        let first = options(decoder) { $0.duplicates = .first }
        let last = options(decoder) { $0.duplicates = .last }
        #expect(try first.decode(D<Int>.self, "d=1", "d=2", "d=3").d == 1)
        #expect(try last.decode(D<Int>.self, "d=1", "d=2", "d=3").d == 3)
        #expect(try last.decode(D<[Int]>.self, "d=1", "d=2").d == [1, 2])
        #expect(Failure.of { try last.decode(D<Int>.self, "d=1", "d[]=2") }?.code == .expectedValue)
        #expect(Failure.of { try last.decode(D<Int>.self, "d=1", "d[a]=2") }?.code == .expectedValue)
    }

    @Test func `the part that is left decides whether an optional is nil`() throws {
        let first = options(decoder) { $0.duplicates = .first }
        let last = options(decoder) { $0.duplicates = .last }
        #expect(try last.decode(D<Int?>.self, "d=1", "d=").d == nil)
        #expect(try last.decode(D<Int?>.self, "d=", "d=1").d == 1)
        #expect(try first.decode(D<Int?>.self, "d=1", "d=").d == 1)
        #expect(try first.decode(D<Int?>.self, "d=", "d=1", "d=2").d == nil)
        #expect(try last.decode(D<Color?>.self, "d=red", "d=").d == nil)
        #expect(try last.decode(D<String?>.self, "d=a", "d=").d == "")
        #expect(try last.decode(D<Data?>.self, "d=a", "d=").d == nil)
        let none = Part("d", Data(), filename: ""), file = Part("d", Data("x".utf8), filename: "a")
        #expect(try last.decode(D<FormFile?>.self, file, none).d == nil)
        #expect(try first.decode(D<FormFile?>.self, file, none).d?.filename == "a")
        #expect(try last.decode(D<[String: Int?]>.self, "d[a]=1", "d[a]=").d == ["a": nil])
        // So it does for an array, which otherwise takes all of them.
        #expect(try last.decode(D<[String]?>.self, "d=a", "d=").d == nil)
        #expect(try last.decode(D<[String]?>.self, "d=", "d=a").d == ["", "a"])
        #expect(try last.decode(D<[String]>.self, "d=a", "d=").d == ["a", ""])
        #expect(try decoder.decode(D<[String]?>.self, "d=a", "d=").d == ["a", ""])
        #expect(Failure.of { try decoder.decode(D<Int?>.self, "d=1", "d=") }?.code == .duplicateName)
        let absence = options(last) { $0.nilDecoding = .absence }
        #expect(Failure.of { try absence.decode(D<Int?>.self, "d=1", "d=") }?.code == .emptyValue)
    }

    private struct OwnText: Decodable, Equatable {
        var text: String

        init(_ text: String) {
            self.text = text
        }

        init(from decoder: any Decoder) throws {
            text = try decoder.singleValueContainer().decode(String.self)
        }
    }

    private struct Present<Value: Decodable>: Decodable {
        var d: Value?
    }

    @Test func `a single value of one's own is nil if the part that is left is empty`() throws {
        let first = options(decoder) { $0.duplicates = .first }
        #expect(try first.decode(D<OwnText?>.self, "d=", "d=b").d == nil)
        #expect(try first.decode(D<OwnText?>.self, "d=b", "d=").d == OwnText("b"))
        #expect(try first.decode([String: OwnText?].self, "d=", "d=b") == ["d": nil])
        #expect(try first.decode(D<Color?>.self, "d=", "d=red").d == nil)
        #expect(try first.decode(D<FormJSON<Int>?>.self, "d=", "d=1").d == nil)
        #expect(try first.decode(Present<OwnText>.self, "d=", "d=b").d == nil)
        #expect(try first.decode(D<[OwnText?]>.self, "d[0]=", "d[0]=b", "d[1]=c").d == [nil, OwnText("c")])
        #expect(Failure.of { try decoder.decode(D<OwnText?>.self, "d=", "d=b") }?.code == .duplicateName)
    }

    @Test func `what takes a part's place reads those beside it`() throws {
        let first = options(decoder) {
            $0.duplicates = .first
            $0.unknownNames = .reject
        }
        #expect(try first.decode(D<Int>.self, "d=1", "d=2").d == 1)
        #expect(try first.decode(D<Int?>.self, "d=", "d=2").d == nil)
        #expect(Failure.of { try first.decode(D<Int?>.self, "d=", "d[0]x=1") }?.code == .unknownName)
    }

    @Test func `the root is never nil`() {
        #expect(Failure.of { try decoder.decode(User?.self) } == Failure(.keyNotFound("name"), [], .missingValue))
        #expect(throws: Never.self) { try #require(try decoder.decode(Opt?.self)) }
    }

    @Test func `what has no part is empty, nil or an error`() throws {
        struct Outer: Decodable {
            struct Inner: Decodable { var list: [Int], name: String? }
            var inner: Inner
            var table: [String: Int]
        }
        let outer = try decoder.decode(Outer.self)
        #expect(outer.inner.list.isEmpty && outer.inner.name == nil && outer.table.isEmpty)
        #expect(
            Failure.of { try decoder.decode(Home.self) } == Failure(.keyNotFound("street"), ["address"], .missingValue)
        )
        #expect(Failure.of { try decoder.decode(Int.self) } == Failure(.valueNotFound, [], .missingValue))
        #expect(Failure.of { try decoder.decode(D<FormFile>.self) } == Failure(.keyNotFound("d"), [], .missingValue))
        #expect(Failure.of { try decoder.decode(D<Color>.self) } == Failure(.keyNotFound("d"), [], .missingValue))
        let end = Failure.of {
            try reading("a=1") { decoder in
                var list = try decoder.container(keyedBy: Key.self).nestedUnkeyedContainer(forKey: .a)
                return [try list.decode(Int.self), try list.decode(Int.self)]
            }
        }
        #expect(end == Failure(.valueNotFound, ["a", "1"], .missingValue))
        // A type that always needs another of itself has no empty value.
        final class Endless: Decodable { let next: Endless }
        let keys = Array(repeating: "next", count: 16)
        #expect(Failure.of { try decoder.decode(Endless.self) } == Failure(.dataCorrupted, keys, .tooDeep))
    }

    @Test func `a key is there if it has a part, and nil if the part is empty or missing`() throws {
        let seen = try reading("a=", "b=1") { decoder in
            let values = try decoder.container(keyedBy: Key.self)
            return [
                values.contains(.a), values.contains(.c), try values.decodeNil(forKey: .a),
                try values.decodeNil(forKey: .b), try values.decodeNil(forKey: .c),
            ]
        }
        #expect(seen == [true, false, true, false, true])
    }

    @Test func `decodeNil passes an element that is nil, and no other`() throws {
        let values = try reading("a[]=", "a[]=1", "a[]=") { decoder in
            var list = try decoder.container(keyedBy: Key.self).nestedUnkeyedContainer(forKey: .a)
            var values: [Int?] = []
            while !list.isAtEnd, values.count < 9 { values.append(try list.decodeNil() ? nil : list.decode(Int.self)) }
            return values
        }
        #expect(values == [nil, 1, nil])
    }

    @Test func `the type decides which empty value is nil`() throws {
        #expect(try decoder.decode(D<[String?]>.self, "d[]=", "d[]=a").d == ["", "a"])
        #expect(try decoder.decode(D<[Int?]>.self, "d[]=", "d[]=1").d == [nil, 1])
        #expect(try decoder.decode(D<[Int?]>.self, "d[0]=", "d[1]=1").d == [nil, 1])
        #expect(try decoder.decode(D<[String: Int?]>.self, "d[a]=").d == ["a": nil])
        #expect(try decoder.decode(D<Address?>.self, "d=").d == nil)
        #expect(try decoder.decode(D<Color?>.self, "d=").d == nil)
        #expect(try decoder.decode(D<Data?>.self, "d=").d == nil)
        #expect(try decoder.decode(D<Data>.self, "d=").d == Data())
        let absence = options(decoder) { $0.nilDecoding = .absence }
        #expect(Failure.of { try absence.decode(Opt.self, "n=") } == Failure(.valueNotFound, ["n"], .emptyValue))
        #expect(try decoder.decode(D<String?>.self, "d=null").d == "null")
        let file = Part("n", Data("1".utf8), filename: "a")
        #expect(Failure.of { try decoder.decode(Opt.self, file) }?.code == .unexpectedFile)
    }

    @Test func `a failure is never nil`() {
        #expect(Failure.of { try decoder.decode(D<Address?>.self, "d[street]=a") }?.code == .missingValue)
        #expect(Failure.of { try decoder.decode(D<[Int]?>.self, "d[]=x") }?.code == .invalidValue)
        #expect(Failure.of { try decoder.decode(D<Int?>.self, "d=1", "d=2") }?.code == .duplicateName)
        #expect(Failure.of { try decoder.decode(D<Int?>.self, "d= ") }?.code == .invalidValue)
    }

    @Test func `a part that was not read is an error by the option`() throws {
        let strict = options(decoder) { $0.unknownNames = .reject }
        func path<T: Decodable>(_ type: T.Type, _ parts: Part...) -> [String]? {
            let failure = Failure.of { try strict.decode(type, from: MultipartFormData(sending: parts)) }
            return failure?.code == .unknownName ? failure?.path : nil
        }
        #expect(path(Home.self, "address[street]=a", "address[zip]=1", "address[x]=2") == ["address", "x"])
        #expect(path(Opt.self, "nick=a", "n[]=") == nil)
        #expect(path(Opt.self, "other[]=1") == ["other"])
        #expect(path(Opt.self, "other[][a]=1") == ["other", "", "a"])
        #expect(path(Opt.self, "other[a][][b][]=1") == ["other", "a", "", "b"])
        #expect(path(Opt.self, "other[][]=1") == ["other", ""])
        #expect(path(Opt.self, "a[b=1") == ["a[b"])
        #expect(path(Tags.self, "tags[]=a", "tags[]=b") == nil)
        #expect(path([String: Int].self, "x=1", "y=2") == nil)
        // An array of which only some elements are decoded.
        let partly = Failure.of {
            try reading("a=1", "a=2", by: strict) { decoder in
                var list = try decoder.container(keyedBy: Key.self).nestedUnkeyedContainer(forKey: .a)
                return try list.decode(Int.self)
            }
        }
        #expect(partly == Failure(.dataCorrupted, ["a"], .unknownName) && partly?.cause?.partIndex == 1)
        // An unselected file input is left out of its array.
        let none = Part("d", Data(), filename: "")
        #expect(try strict.decode(D<[FormFile]>.self, none).d.isEmpty)
    }

    @Test func `what contains or decodeNil is asked about is read, also where the name ends with brackets`() throws {
        let strict = options(decoder) { $0.unknownNames = .reject }
        for part in ["a=1", "a[]=1"] as [Part] {
            let isThere = try reading(part, by: strict) { try $0.container(keyedBy: Key.self).contains(.a) }
            let isNil = try reading(part, by: strict) { try $0.container(keyedBy: Key.self).decodeNil(forKey: .a) }
            let isItselfNil = try reading(part, by: strict) { decoder in
                try decoder.container(keyedBy: Key.self).superDecoder(forKey: .a).singleValueContainer().decodeNil()
            }
            #expect(isThere && !isNil && !isItselfNil)
        }
        let unknown = Failure(.dataCorrupted, ["a", "b"], .unknownName)
        let below = Failure.of {
            try reading("a[b]=1", by: strict) { try $0.container(keyedBy: Key.self).contains(.a) }
        }
        #expect(below == unknown)
        let element = Failure.of {
            try reading("a[0]=1", by: strict) { decoder in
                var list = try decoder.container(keyedBy: Key.self).nestedUnkeyedContainer(forKey: .a)
                return try list.decodeNil()
            }
        }
        #expect(element == nil)
    }

    @Test func `all keys are those of the type that have a part, in order of arrival`() throws {
        let keys = try reading("c=1", "x=1", "a[b]=1", "a[c]=2") { try $0.container(keyedBy: Key.self).allKeys }
        #expect(keys == [.c, .a])
        enum Case: String, CodingKey { case isAdmin, homeUrl, homeURL, plain }
        func cases(_ encoding: FormKeyEncoding, _ parts: Part...) throws -> [Case] {
            let form = MultipartFormData(sending: parts)
            let slot = Slot { try $0.container(keyedBy: Case.self).allKeys }
            let decoder = options(self.decoder) {
                $0.keyEncoding = encoding
                $0.userInfo[Reader.slot] = slot
            }
            _ = try decoder.decode(Reader.self, from: form)
            return slot.value as? [Case] ?? []
        }
        #expect(
            try cases(.convertToSnakeCase, "is_admin=", "home_url=", "plain=", "isAdmin=") == [
                .isAdmin, .homeUrl, .plain,
            ]
        )
        #expect(try cases(.convertToKebabCase, "is-admin=", "plain=") == [.isAdmin, .plain])
        #expect(try cases(.capitalized, "IsAdmin=", "HomeURL=", "plain=") == [.isAdmin, .homeURL])
        #expect(try cases(.uppercased, "PLAIN=", "ISADMIN=") == [.plain])
        #expect(try cases(.lowercased, "plain=", "isadmin=") == [.plain])
        #expect(try cases(.custom { "x\($0)" }, "xplain=", "plain=").isEmpty)
    }

    @Test func `an error has the path of its value and the name of its part`() throws {
        let failure = Failure.of { try decoder.decode(Cart.self, "items[0][id]=1", "items[0][qty]=x") }
        #expect(failure?.cause?.partName == "items[0][qty]" && failure?.cause?.partIndex == 1)
        let missing = Failure.of { try decoder.decode(Cart.self, "items[0][id]=1") }
        #expect(missing == Failure(.keyNotFound("qty"), ["items", "0"], .missingValue))
        #expect(missing?.cause?.partName == "items[0][qty]" && missing?.cause?.partIndex == nil)
        let appended = Failure.of { try decoder.decode(D<[Int]>.self, "d[]=1", "d[]=x") }
        #expect(appended == Failure(.dataCorrupted, ["d", "1"], .invalidValue) && appended?.cause?.partName == "d[]")
        let dots = options(decoder) { $0.keyPathEncoding = .dots }
        #expect(Failure.of { try dots.decode(Cart.self, "items[0].id=1") }?.cause?.partName == "items[0].qty")
        let index = try reading("a[0][b]=1") { decoder in
            var list = try decoder.container(keyedBy: Key.self).nestedUnkeyedContainer(forKey: .a)
            let nested = try list.nestedContainer(keyedBy: Key.self)
            return nested.codingPath.map { "\($0.stringValue) \($0.intValue.map(String.init) ?? "nil")" }
        }
        #expect(index == ["a nil", "0 0"])
    }

    @Test func `a description has the name, and never the value`() {
        for part in ["age=secret", "age=", "age[secret2]=x"] as [Part] {
            guard let failure = Failure.of({ try decoder.decode(User.self, "name=A", "admin=1", part) }) else {
                Issue.record("no error")
                continue
            }
            let text = "\(failure.text) \(failure.cause?.description ?? "")"
            #expect(!text.contains("secret") && text.contains("age"))
        }
        let long = Part(String(repeating: "x", count: 500), Data("?".utf8))
        let failure = Failure.of { try decoder.decode([String: Int].self, long) }
        #expect((failure?.text.count ?? 999) < 150)
    }

    @Test func `errors of others pass unchanged`() {
        struct Reason: Error {}
        struct Failing: Decodable {
            init(from decoder: any Decoder) throws { throw Reason() }
        }
        #expect(throws: Reason.self) { try decoder.decode(D<Failing?>.self, "d=1") }
        struct Part2: FormPartDecodable {
            init(formPart: BodyPart) throws { throw Reason() }
            init(from decoder: any Decoder) throws { throw Difference(text: "not asked") }
        }
        let file = Part("d", Data("1".utf8), filename: "a")
        #expect(throws: Reason.self) { try decoder.decode(D<Part2>.self, file) }
    }
}
