import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// How values become parts.
@Suite struct EncodingRuleTests {
    private let encoder = FormDataEncoder()

    /// A value that encodes itself by a closure.
    private struct Custom: Encodable {
        let body: (any Encoder) throws -> Void
        func encode(to encoder: any Encoder) throws { try body(encoder) }
    }

    private enum Key: String, CodingKey {
        case a, b, c
    }

    @Test func `order is that of the calls, and a dictionary's that of its keys' bytes`() throws {
        let value = ["b": 1, "a": 2, "B": 3, "é": 4, "10": 5, "9": 6]
        let names = ["d[10]", "d[9]", "d[B]", "d[a]", "d[b]", "d[é]"]
        #expect(try encoder.encode(D(d: value)).map(\.name) == names)
        let sorted = options(encoder) { $0.alphabetizeKeyValuePairs = true }
        #expect(try sorted.parts(User(name: "A", age: 1, admin: true)) == ["admin=true", "age=1", "name=A"])
        let upper = options(sorted) { $0.keyEncoding = .custom { $0 == "name" ? "aaa" : $0 } }
        #expect(try upper.parts(User(name: "A", age: 1, admin: true)) == ["aaa=A", "admin=true", "age=1"])
    }

    @Test func `the value is encoded before any part is made`() {
        struct Image: FormPartEncodable {
            func formPart(named name: String) -> BodyPart {
                Issue.record("asked for \(name)")
                return BodyPart("", name: name)
            }
            func encode(to encoder: any Encoder) throws {}
        }
        struct Value: Encodable {
            var image = Image()
            var number = Double.nan
        }
        #expect(Failure.of { try encoder.encode(Value()) }?.code == .nonFiniteNumber)
    }

    @Test func `data is a file of the chosen name and type`() throws {
        let named = options(encoder) { $0.dataEncoding = .file(named: "a.png", contentType: "image/png") }
        let data = Data([1, 2])
        #expect(try named.parts(D(d: data)) == [Part("d", data, filename: "a.png", contentType: "image/png")])
        let invalid = options(encoder) { $0.dataEncoding = .file(named: "a\0", contentType: "image/png") }
        let failure = Failure.of { try invalid.encode(D(d: data)) }
        #expect(failure == Failure(.invalidValue, ["d"], .unencodable))
        #expect((failure?.cause?.underlyingError as? MultipartError)?.code == .invalidCharacter)
    }

    @Test func `a written nil is a single value, and any container in an array makes indices`() throws {
        let nils = options(encoder) { $0.nilEncoding = .null }
        #expect(try nils.parts(D(d: [1, nil])) == ["d[]=1", "d[]=null"])
        let mixed = Custom { encoder in
            var container = encoder.container(keyedBy: Key.self)
            var list = container.nestedUnkeyedContainer(forKey: .a)
            try list.encode(1)
            try list.encode(["x": 2])
        }
        #expect(try encoder.parts(mixed) == ["a[0]=1", "a[1][x]=2"])
        let plain = options(encoder) { $0.arrayEncoding = .noBrackets }
        #expect(try plain.parts(mixed) == ["a[0]=1", "a[1][x]=2"])
        let custom = options(encoder) { $0.arrayEncoding = .custom { key, _ in key + "[]" } }
        let names = try custom.parts(EncoderTableTests.cart).map(\.name)
        #expect(names == ["items[][id]", "items[][qty]", "items[][id]", "items[][qty]"])
        let broken = options(encoder) { $0.arrayEncoding = .custom { key, _ in key + "\r\n" } }
        let failure = Failure.of { try broken.encode(Tags(tags: ["a"])) }
        #expect(failure == Failure(.invalidValue, ["tags", "0"], .invalidKey))
        #expect(failure?.text.hasSuffix("\": name has a quote or a control character") == true)
    }

    @Test func `a value with a raw value is one text, also in an array`() throws {
        enum Size: Int, Codable { case small = 1, large }
        let colors = D(d: [Color.red, .green]), sizes = D(d: [Size.large])
        #expect(try encoder.parts(colors) == ["d[]=red", "d[]=green"])
        #expect(try encoder.parts(sizes) == ["d[]=2"])
        let plain = options(encoder) { $0.arrayEncoding = .noBrackets }
        #expect(try plain.parts(colors) == ["d=red", "d=green"])
        #expect(try FormDataDecoder().decode(D<[Color]>.self, "d=red", "d=green").d == [.red, .green])
        #expect(try FormDataDecoder().decode(D<[Size]>.self, "d[]=2").d == [.large])
        // By an encoder for each element, too.
        let list = Custom { encoder in
            var container = encoder.container(keyedBy: Key.self)
            var list = container.nestedUnkeyedContainer(forKey: .a)
            for text in ["x", "y"] {
                var single = list.superEncoder().singleValueContainer()
                try single.encode(text)
            }
        }
        #expect(try encoder.parts(list) == ["a[]=x", "a[]=y"])
    }

    @Test func `a dictionary whose keys are neither texts nor numbers is an array`() throws {
        let value = D(d: [1.5: "a"])
        #expect(try encoder.parts(value) == ["d[]=1.5", "d[]=a"])
        #expect(try FormDataDecoder().decode(D<[Double: String]>.self, from: encoder.encode(value)) == value)
    }

    @Test func `keys are encoded at every level, but not those of a dictionary`() throws {
        struct Outer: Encodable {
            struct Inner: Encodable { var zipCode = 1 }
            var homeAddress = Inner()
            var extraNames = ["firstName": 2]
        }
        let snake = options(encoder) { $0.keyEncoding = .convertToSnakeCase }
        #expect(try snake.parts(Outer()) == ["home_address[zip_code]=1", "extra_names[firstName]=2"])
    }

    @Test(arguments: [
        ("isAdmin", "is_admin"), ("homeURL", "home_url"), ("myURLProperty", "my_url_property"), ("a", "a"),
        ("aB", "a_b"),
        ("URLPath", "url_path"), ("id2Name", "id2_name"), ("_private", "_private"), ("éÉ", "é_é"),
    ])
    func `a key is split into words`(key: String, name: String) throws {
        let value = Custom { encoder in
            var container = encoder.container(keyedBy: NodeView.Key.self)
            try container.encode(1, forKey: NodeView.Key(stringValue: key))
        }
        let snake = options(encoder) { $0.keyEncoding = .convertToSnakeCase }
        #expect(try snake.encode(value).map(\.name) == [name])
    }

    @Test func `a key of ASCII is split as one of other letters is`() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2000 {
            let key = String(
                (0..<Int.random(in: 1..<9, using: &generator)).map { _ in "aBcDZz1_-".randomElement() ?? "a" }
            )
            let ends = ["", "日"].map { end in
                Custom { encoder in
                    var container = encoder.container(keyedBy: NodeView.Key.self)
                    try container.encode(1, forKey: NodeView.Key(stringValue: key + end))
                }
            }
            for style in [FormKeyEncoding.convertToSnakeCase, .convertToKebabCase] {
                let encoder = options(encoder) { $0.keyEncoding = style }
                let names = try ends.map { try encoder.encode($0)[0].name ?? "" }
                #expect(names[0] + "日" == names[1], "\(key)")
            }
        }
    }

    @Test func `a type may make its own part, which gets the name of its key`() throws {
        struct Image: FormPartEncodable {
            func formPart(named name: String) throws -> BodyPart {
                BodyPart(
                    Data("png".utf8),
                    name: "other",
                    filename: "i.png",
                    contentType: "image/png",
                    additionalHeaders: ["X-A": "1"]
                )
            }
            func encode(to encoder: any Encoder) throws { Issue.record("not asked") }
        }
        let form = try encoder.encode(D(d: [Image()]))
        #expect(try form.table == [Part("d[]", Data("png".utf8), filename: "i.png", contentType: "image/png")])
        #expect(form[0].headers["X-A"] == "1")
        struct Failing: FormPartEncodable {
            struct Reason: Error {}
            func formPart(named name: String) throws -> BodyPart { throw Reason() }
            func encode(to encoder: any Encoder) throws {}
        }
        #expect(throws: Failing.Reason.self) { try encoder.encode(D(d: Failing())) }
    }

    @Test func `texts have no type and keep their line breaks`() throws {
        let form = try encoder.encode(D(d: "a\nb\r\nc"))
        #expect(form[0].contentType == nil)
        #expect(try form[0].text() == "a\nb\r\nc")
    }

    @Test func `a superclass is encoded under the key super, or under a given one`() throws {
        class Base: Encodable { var a = 1 }
        final class Derived: Base {
            override func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(2, forKey: .b)
                try super.encode(to: container.superEncoder())
                try super.encode(to: container.superEncoder(forKey: .c))
            }
        }
        #expect(try encoder.parts(Derived()) == ["b=2", "super[a]=1", "c[a]=1"])
    }

    /// What a type asks its encoder to encode.
    enum Step: CaseIterable {
        case value, null, keyed, array

        func encode(to encoder: any Encoder, _ key: some CodingKey) throws {
            switch self {
            case .value:
                var container = encoder.singleValueContainer()
                try container.encode(1)
            case .null:
                var container = encoder.singleValueContainer()
                try container.encodeNil()
            case .keyed:
                var container = encoder.container(keyedBy: type(of: key))
                try container.encode(1, forKey: key)
            case .array:
                var container = encoder.unkeyedContainer()
                try container.encode(1)
            }
        }
    }

    @Test(arguments: Step.allCases, Step.allCases)
    func `a value has one shape, and another one is an error, whichever comes first`(first: Step, second: Step) throws {
        let value = Custom { encoder in
            try first.encode(to: encoder, Key.a)
            try second.encode(to: encoder, Key.b)
        }
        // Containers of one kind are one container.
        switch (first, second) {
        case (.keyed, .keyed): #expect(try encoder.parts(D(d: value)) == ["d[a]=1", "d[b]=1"])
        case (.array, .array): #expect(try encoder.parts(D(d: value)) == ["d[]=1", "d[]=1"])
        default:
            #expect(Failure.of { try encoder.encode(D(d: value)) } == Failure(.invalidValue, ["d"], .unencodable))
        }
    }

    @Test func `a key that is encoded twice is an error`() {
        let value = Custom { encoder in
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(1, forKey: .a)
            try container.encode(2, forKey: .a)
        }
        #expect(Failure.of { try encoder.encode(D(d: value)) }?.code == .invalidKey)
    }

    @Test func `the first of several misuses is thrown`() {
        let encoder = options(encoder) { $0.keyEncoding = .custom { $0 + "[" } }
        let value = Custom { encoder in
            var container = encoder.container(keyedBy: Key.self)
            _ = container.nestedContainer(keyedBy: Key.self, forKey: .b)
            _ = container.nestedContainer(keyedBy: Key.self, forKey: .a)
        }
        let failure = Failure.of { try encoder.encode(value) }
        #expect(failure?.code == .invalidKey)
        #expect(failure?.path == ["b"])
    }

    @Test func `two superclasses under one key are refused`() {
        let value = Custom {
            var container = $0.container(keyedBy: Key.self)
            for number in 1...2 {
                var nested = container.superEncoder(forKey: .a).container(keyedBy: Key.self)
                try nested.encode(number, forKey: number == 1 ? .b : .c)
            }
        }
        #expect(Failure.of { try encoder.encode(D(d: value)) } == Failure(.invalidValue, ["d", "a"], .invalidKey))
    }

    @Test func `a nested encoder may be used later`() throws {
        let value = Custom { encoder in
            var container = encoder.container(keyedBy: Key.self)
            let later = container.superEncoder(forKey: .b)
            var list = container.nestedUnkeyedContainer(forKey: .a)
            try list.encode("x")
            var single = later.singleValueContainer()
            try single.encode("y")
            var nested = list.nestedContainer(keyedBy: Key.self)
            try nested.encode(true, forKey: .c)
            #expect(nested.codingPath.map(\.stringValue) == ["a", "1"])
        }
        #expect(try encoder.parts(value) == ["b=y", "a[0]=x", "a[1][c]=true"])
    }

    @Test func `other coders refuse files, and code JSON as its value`() throws {
        let file = D(d: FormFile(Data("x".utf8), filename: "x"))
        #expect(Failure.of { try JSONEncoder().encode(file) } == Failure(.invalidValue, ["d"], .unencodable))
        let part = D(d: BodyPart("x", name: "x"))
        #expect(Failure.of { try JSONEncoder().encode(part) } == Failure(.invalidValue, ["d"], .unencodable))
        let json = Data(#"{"d":{"id":1,"qty":2}}"#.utf8)
        #expect(Failure.of { try JSONDecoder().decode(D<FormFile>.self, from: json) }?.kind == .typeMismatch)
        #expect(Failure.of { try JSONDecoder().decode(D<BodyPart>.self, from: json) }?.kind == .typeMismatch)
        let value = try JSONDecoder().decode(D<FormJSON<Item>>.self, from: json).d.value
        #expect(value == Item(id: 1, qty: 2))
        #expect(try JSONDecoder().decode(D<Item>.self, from: JSONEncoder().encode(D(d: FormJSON(value)))).d == value)
    }

    @Test func `a nested container that a type leaves empty is refused`() throws {
        func failure(_ keys: String...) -> Failure { Failure(.invalidValue, keys, .unencodable) }
        enum Radius: Codable { case known(Double?), all([Int]) }
        #expect(Failure.of { try encoder.encode(D(d: Shape.dot)) } == failure("d", "dot"))
        #expect(Failure.of { try encoder.encode(Shape.dot) } == failure("dot"))
        #expect(Failure.of { try encoder.encode(D(d: [Shape.dot])) } == failure("d", "0", "dot"))
        #expect(Failure.of { try encoder.encode(D(d: ["a": Shape.dot])) } == failure("d", "a", "dot"))
        #expect(Failure.of { try encoder.encode(D(d: Radius.known(nil))) } == failure("d", "known"))
        #expect(Failure.of { try encoder.encode(D(d: Radius.all([]))) } == failure("d", "all"))
        #expect(try encoder.parts(D(d: Radius.known(1))) == ["d[known][_0]=1.0"])
        let written = options(encoder) { $0.nilEncoding = .dropValue }
        #expect(try written.parts(D(d: Radius.known(nil))) == ["d[known][_0]="])
        let list = Custom { encoder in
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(1, forKey: .a)
            _ = container.nestedUnkeyedContainer(forKey: .b)
        }
        #expect(Failure.of { try encoder.encode(list) } == failure("b"))
        let later = Custom { encoder in
            var container = encoder.container(keyedBy: Key.self)
            var keys = container.nestedContainer(keyedBy: Key.self, forKey: .a)
            var list = keys.nestedUnkeyedContainer(forKey: .b)
            try list.encode(1)
        }
        #expect(try encoder.parts(later) == ["a[b][]=1"])
        // What is encoded as a value may have no part, and so may a superclass.
        struct Values: Encodable {
            var list: [Int] = [], table: [String: Int] = [:], empty = Opt()
        }
        #expect(try encoder.parts(Values()) == [])
        let parent = Custom { encoder in
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(1, forKey: .a)
            _ = container.superEncoder()
            _ = container.superEncoder(forKey: .b)
        }
        #expect(try encoder.parts(parent) == ["a=1"])
    }

    @Test func `a date without its fraction is the second that has begun`() throws {
        let encoder = options(encoder) { $0.dateEncoding = .iso8601 }
        let texts = [
            (-86_400.5, "1969-12-30T23:59:59Z"), (-0.25, "1969-12-31T23:59:59Z"), (0, "1970-01-01T00:00:00Z"),
            (0.75, "1970-01-01T00:00:00Z"), (978_307_199.5, "2000-12-31T23:59:59Z"),
        ]
        for (number, text) in texts {
            #expect(try encoder.parts(D(d: Date(timeIntervalSince1970: number))) == [Part("d", Data(text.utf8))])
        }
    }

    @Test func `whole numbers of seconds have no fraction`() throws {
        let seconds = options(encoder) { $0.dateEncoding = .secondsSince1970 }
        let milliseconds = options(encoder) { $0.dateEncoding = .millisecondsSince1970 }
        let texts: [(Double, String, String)] = [
            (0, "0", "0"), (1, "1", "1000"), (-1, "-1", "-1000"), (1.5, "1.5", "1500"), (-0.25, "-0.25", "-250"),
            (1_795_287_600, "1795287600", "1795287600000"), (1e15, "1000000000000000", "1000000000000000000"),
            (0.00025, "0.00025", "0.25"),
        ]
        for (number, inSeconds, inMilliseconds) in texts {
            let date = D(d: Date(timeIntervalSince1970: number))
            if number != 0.00025 { #expect(try seconds.parts(date) == [Part("d", Data(inSeconds.utf8))]) }
            if number.magnitude > 0.001 || number == 0 {
                #expect(try milliseconds.parts(date) == [Part("d", Data(inMilliseconds.utf8))])
            }
        }
        #expect(throws: Never.self) { try seconds.encode(D(d: Date(timeIntervalSince1970: 1e300))) }
    }

    #if FullFoundation
        @Test func `a formatted date is finite, and the formatter must have a text for it`() throws {
            let formatter = DateFormatter()
            formatter.dateFormat = "yyyy"
            formatter.timeZone = TimeZone(secondsFromGMT: 0)
            let formatted = options(encoder) { $0.dateEncoding = .formatted(formatter) }
            for number in [Double.nan, .infinity, -.infinity] {
                let date = D(d: Date(timeIntervalSinceReferenceDate: number))
                #expect(Failure.of { try formatted.encode(date) } == Failure(.invalidValue, ["d"], .nonFiniteNumber))
            }
            let far = D(d: Date(timeIntervalSinceReferenceDate: 1e300))
            #expect(Failure.of { try formatted.encode(far) } == Failure(.invalidValue, ["d"], .unencodable))
            #expect(try formatted.parts(D(d: Date(timeIntervalSince1970: 0))) == ["d=1970"])
        }
    #endif

    @Test func `the error of a custom closure is kept`() {
        struct Reason: Error {}
        let dates = options(encoder) { $0.dateEncoding = .custom { _ in throw Reason() } }
        let failure = Failure.of { try dates.encode(D(d: Date())) }
        #expect(failure == Failure(.invalidValue, ["d"], .unencodable) && failure?.cause?.underlyingError is Reason)
        let data = options(encoder) { $0.dataEncoding = .custom { _ in throw Reason() } }
        #expect(Failure.of { try data.encode(D(d: Data())) }?.cause?.underlyingError is Reason)
    }

    @Test func `errors name the part that would have been`() {
        let snake = options(encoder) {
            $0.keyEncoding = .convertToSnakeCase
            $0.keyPathEncoding = .dots
        }
        struct Outer: Encodable { var isBad = [["a": Double.nan]] }
        #expect(Failure.of { try snake.encode(Outer()) }?.cause?.partName == "is_bad[0].a")
    }

    @Test func `a date that no text can hold is refused`() {
        for seconds in [1e300, -1e12, 253_402_300_800] {
            let date = D(d: Date(timeIntervalSince1970: seconds))
            #expect(Failure.of { try encoder.encode(date) } == Failure(.invalidValue, ["d"], .unencodable))
        }
    }
}
