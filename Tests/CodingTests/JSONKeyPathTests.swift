import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Values with keys or elements as the JSON text of one field.
@Suite struct JSONKeyPathTests {
    private let encoder = options(FormDataEncoder()) {
        $0.keyPathEncoding = .json
        $0.configureJSON = { $0.outputFormatting = .sortedKeys }
    }
    private let sortedJSON = options(JSONEncoder()) { $0.outputFormatting = .sortedKeys }
    private let decoder = options(FormDataDecoder()) {
        $0.keyPathEncoding = .json
        $0.unknownNames = .reject
    }

    private enum Level: String, Codable { case low, high }

    private struct Button: Codable, Equatable {
        var text: String
        var isShown: Bool?
        var date: Date?
    }

    private struct Message: Codable, Equatable {
        var chatID = 7
        var text = "Hello"
        var level = Level.high
        var link = URL(string: "https://example.com")
        var identifier = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
        var date = Date(timeIntervalSince1970: 0)
        var button = Button(text: "OK")
        var optional: Button? = Button(text: "No", isShown: true)
        var missing: Button?
        var rows = [[Button(text: "a")], []]
        var numbers = [1, 2]
        var none: [Int] = []
        var table = ["firstKey": 1]
        var numbered = [2: "b"]
        var empty = Empty()
    }

    private struct Empty: Codable, Equatable {}

    // Computed, since a leak detector does not find data in a constant's storage.
    private static var parts: [Part] {
        [
            "chatID=7", "text=Hello", "level=high", "link=https://example.com",
            "identifier=01020304-0506-0708-090A-0B0C0D0E0F10", "date=1970-01-01T00:00:00Z",
            #"button={"text":"OK"}"#, #"optional={"isShown":true,"text":"No"}"#, #"rows=[[{"text":"a"}],[]]"#,
            "numbers=[1,2]", "none=[]", #"table={"firstKey":1}"#, #"numbered={"2":"b"}"#, "empty={}",
        ]
    }

    @Test func `single values are texts, all others JSON`() throws {
        let form = try encoder.encode(Message())
        #expect(try form.table == Self.parts)
        #expect(form.allSatisfy { $0.contentType == nil })
        #expect(try decoder.decode(Message.self, from: form.received) == Message())
    }

    @Test func `the root may be a dictionary or a case with values`() throws {
        let table = ["a.b": [1], "c[]": []]
        #expect(try encoder.parts(table) == ["a.b=[1]", "c[]=[]"])
        #expect(try decoder.decode([String: [Int]].self, "a.b=[1]", "c[]=[]") == table)
        #expect(try encoder.parts(Shape.circle(radius: 1.5)) == [#"circle={"radius":1.5}"#])
        #expect(try decoder.decode(Shape.self, #"circle={"radius":1.5}"#) == .circle(radius: 1.5))
        #expect(try encoder.parts(D(d: Shape.dot)) == [#"d={"dot":{}}"#])
        #expect(try decoder.decode(D<Shape>.self, #"d={"dot":{}}"#).d == .dot)
        #expect(Failure.of { try encoder.encode([1]) }?.code == .notKeyedRoot)
    }

    @Test func `the options of names apply to the root only`() throws {
        let styled = options(encoder) {
            $0.arrayEncoding = .indexInBrackets
            $0.keyEncoding = .convertToSnakeCase
            $0.emptyArrayEncoding = .dropValue
            $0.nilEncoding = .null
            $0.boolEncoding = .numeric
        }
        struct Value: Codable, Equatable {
            struct Inner: Codable, Equatable {
                var innerKey = true
                var nothing: Int?
            }
            var outerKey = [Inner()]
            var emptyList: [Int] = []
            var isOuter = true
            var nothing: [Int]?
        }
        let parts: [Part] = [
            #"outer_key=[{"innerKey":true}]"#, "empty_list=[]", "is_outer=1", "nothing=null",
        ]
        #expect(try styled.parts(Value()) == parts)
        let reading = options(decoder) { $0.keyEncoding = .convertToSnakeCase }
        let leaving = options(styled) { $0.nilEncoding = .dropKey }
        #expect(try reading.decode(Value.self, from: leaving.encode(Value())) == Value())
    }

    @Test func `the strategies of the JSON coders apply within it`() throws {
        let coders = options(encoder) {
            $0.configureJSON = {
                $0.keyEncodingStrategy = .convertToSnakeCase
                $0.dateEncodingStrategy = .secondsSince1970
                $0.outputFormatting = .sortedKeys
            }
        }
        let button = Button(text: "x", isShown: true, date: Date(timeIntervalSince1970: 5))
        let parts = try coders.parts(D(d: button))
        #expect(parts == [#"d={"date":5,"is_shown":true,"text":"x"}"#])
        let reading = options(decoder) {
            $0.configureJSON = {
                $0.keyDecodingStrategy = .convertFromSnakeCase
                $0.dateDecodingStrategy = .secondsSince1970
            }
        }
        #expect(try reading.decode(D<Button>.self, from: coders.encode(D(d: button))).d == button)
        // The keys of a dictionary are no coding keys, for them either.
        let table = #"d={"firstKey":{"date":5,"is_shown":true,"text":"x"}}"#
        #expect(try coders.parts(D(d: ["firstKey": button])).map(\.description) == [table])
    }

    @Test func `files of the root are parts, and files within JSON an error`() throws {
        struct Upload: Codable {
            var photo: FormFile
            var caption: Button
            var data: Data
        }
        let upload = Upload(
            photo: FormFile(Data("x".utf8), filename: "a"),
            caption: Button(text: "c"),
            data: Data([1])
        )
        let form = try encoder.encode(upload)
        #expect(form.map(\.filename) == ["a", nil, "blob"])
        #expect(try decoder.decode(Upload.self, from: form.received).photo.filename == "a")

        struct Album: Codable { var cover: FormFile }
        let values: [any Encodable] = [
            D(d: [[upload.photo]]), D(d: Album(cover: upload.photo)), D(d: ["a": upload.photo]),
            D(d: FormJSON(upload.photo)),
        ]
        for value in values {
            let failure = Failure.of { try encoder.encode(value) }
            #expect(failure == Failure(.invalidValue, ["d"], .unencodable))
            let text = failure?.text ?? ""
            #expect(text.contains("FormFile") && text.contains("not in JSON"), "\(text)")
        }
        let text = Failure.of { try decoder.decode(D<Album>.self, #"d={"cover":1}"#) }?.text ?? ""
        #expect(text.contains("FormFile") && text.contains("not from JSON"), "\(text)")
    }

    @Test func `an array of files or other part types is repeated parts`() throws {
        struct Album: Codable {
            var photos: [FormFile]
            var notes: [FormJSON<[Int]>]
            var others: Set<Int>?
        }
        let photos = ["a", "b"].map { FormFile(Data($0.utf8), filename: $0) }
        let form = try encoder.encode(Album(photos: photos, notes: [FormJSON([1]), FormJSON([])], others: [2]))
        #expect(form.map { $0.name ?? "" } == ["photos", "photos", "notes", "notes", "others"])
        #expect(form.map(\.filename) == ["a", "b", nil, nil, nil])
        let album = try decoder.decode(Album.self, from: form.received)
        #expect(album.photos.map(\.filename) == ["a", "b"])
        #expect(album.notes.map(\.value) == [[1], []] && album.others == [2])
        #expect(try decoder.decode(D<[FormFile]>.self).d.isEmpty)
        #expect(try encoder.parts(D(d: [FormFile]())).isEmpty)
        #expect(Failure.of { try decoder.decode(D<[FormFile]>.self, "d=[1]") }?.code == .expectedFile)
        #expect(try encoder.parts(D(d: [BodyPart?.some(BodyPart("x", name: ""))])) == ["d=x"])
    }

    @Test func `a value of the root's own type is JSON as any other`() throws {
        struct Node: Codable, Equatable {
            var id: Int
            var next: [Node]
        }
        let node = Node(id: 1, next: [Node(id: 2, next: [])])
        #expect(try encoder.parts(node) == ["id=1", #"next=[{"id":2,"next":[]}]"#])
        #expect(try encoder.parts(["a": ["b": 1]]) == [#"a={"b":1}"#])
        final class Link: Codable {
            var id = 1
            var next: Link?
            init(next: Link?) { self.next = next }
        }
        #expect(try encoder.parts(Link(next: Link(next: nil))) == ["id=1", #"next={"id":1}"#])
        struct Own: Encodable {
            var isRoot = true
            enum Key: CodingKey { case own, value }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(1, forKey: .value)
                if isRoot { try container.encode(Own(isRoot: false), forKey: .own) }
            }
        }
        #expect(try encoder.parts(Own()) == ["value=1", #"own={"value":1}"#])
    }

    @Test func `a field has the text of a string, and text that is no JSON of the type is read as one`() throws {
        #expect(try encoder.parts(D(d: Level.high)) == ["d=high"])
        #expect(try encoder.parts(D(d: Named(name: "a \"b\""))) == [#"d=a "b""#])
        for text in ["a \"b\"", "1", "null", "[1]", "é", "\n"] {
            let part = Part("d", Data(text.utf8))
            #expect(try decoder.decode(D<Named>.self, part).d.name == text)
        }
        #expect(try decoder.decode(D<Named>.self, #"d="x""#).d.name == "x")
        for text in ["", "\0", "null", "\"\"", "\r\n\"x\"", " \t\"", "true", "1e5", "{}", " x ", "a\u{301}", "\\"] {
            #expect(try decoder.decode(D<Named>.self, from: encoder.encode(D(d: Named(name: text)))).d.name == text)
            let optional = D<Named?>(d: Named(name: text))
            #expect(try decoder.decode(D<Named?>.self, from: encoder.encode(optional)).d?.name == text || text.isEmpty)
        }
        #expect(try encoder.parts(D(d: Named(name: "null"))) == [#"d="null""#])
    }

    private struct Named: Codable {
        var name: String

        init(name: String) {
            self.name = name
        }

        init(from decoder: any Decoder) throws {
            name = try decoder.singleValueContainer().decode(String.self)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(name)
        }
    }

    @Test func `null is nil for every optional, as the encoder writes it`() throws {
        struct Optionals: Codable, Equatable {
            var text: String?
            var number: Int?
            var list: [Int]?
            var table: [String: Int]?
            var button: Button?
            var date: Date?
            var json: FormJSON<Int>?
        }
        let writing = options(encoder) { $0.nilEncoding = .null }
        let form = try writing.encode(Optionals())
        #expect(try form.table.map(\.content) == Array(repeating: Data("null".utf8), count: 7))
        #expect(try decoder.decode(Optionals.self, from: form.received) == Optionals())
        // A value that encodes itself as nil, and a file or a text elsewhere.
        #expect(try writing.parts(D(d: Level?.none)) == ["d=null"])
        #expect(try decoder.decode(D<BodyPart?>.self, "d=null").d == nil)
        #expect(try decoder.decode(D<FormFile?>.self, Part("d", Data("null".utf8), filename: "a")).d != nil)
        #expect(try FormDataDecoder().decode(D<String?>.self, "d=null").d == "null")
    }

    private struct Stamp: Encodable, FormPartEncodable {
        func formPart(named name: String) -> BodyPart { BodyPart("stamp", name: name) }
        func encode(to encoder: any Encoder) throws { throw Difference(text: "not asked") }
    }

    private struct Letter: Decodable, FormPartDecodable {
        static var requiresFile: Bool { false }
        let length: UInt64?
        init(formPart: BodyPart) { length = formPart.length }
        init(from decoder: any Decoder) throws { throw Difference(text: "not asked") }
    }

    @Test func `an array of what is a part in one direction only is also repeated parts`() throws {
        #expect(try encoder.parts(D(d: [Stamp(), Stamp()])) == ["d=stamp", "d=stamp"])
        #expect(try encoder.parts(D(d: [Stamp?.some(Stamp())])) == ["d=stamp"])
        #expect(try decoder.decode(D<[Letter]>.self, "d=a", "d=bc").d.map(\.length) == [1, 2])
        #expect(try decoder.decode(D<[Letter?]>.self, "d=a").d.map { $0?.length } == [1])
    }

    @Test func `a stream is not read to find out whether it is null`() throws {
        var form = MultipartFormData()
        form.append(
            BodyPart(length: 4, name: "d") {
                Issue.record("the stream was read")
                return InputStream(data: Data("null".utf8))
            }
        )
        #expect(try decoder.decode(D<BodyPart?>.self, from: form).d?.length == 4)
    }

    @Test func `a value that encodes itself as nil obeys nilEncoding`() throws {
        struct Nothing: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encodeNil()
            }
        }
        let texts: [(FormDataEncoder.NilEncoding, [Part])] = [
            (.dropKey, []), (.dropValue, ["d="]), (.null, ["d=null"]),
        ]
        for (encoding, parts) in texts {
            let writing = options(encoder) { $0.nilEncoding = encoding }
            #expect(try writing.parts(D(d: Nothing())) == parts)
            #expect(try writing.parts(Requesting { try Nothing().encode(to: $0.superEncoder(forKey: $1)) }) == parts)
        }
    }

    /// The root requests what it wants of the key `d`.
    private struct Requesting: Encodable {
        typealias Container = KeyedEncodingContainer<NodeView.Key>
        let body: (inout Container, NodeView.Key) throws -> Void

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: NodeView.Key.self)
            try body(&container, NodeView.Key(stringValue: "d"))
        }
    }

    @Test func `the keys of a container that the root requests are JSON's, and an unused encoder has no part`() throws {
        let upper = options(encoder) { $0.keyEncoding = .uppercased }
        let keyed = Requesting { container, key in
            var nested = container.nestedContainer(keyedBy: NodeView.Key.self, forKey: key)
            for name in ["a\"[", "b"] { try nested.encode(1, forKey: NodeView.Key(stringValue: name)) }
        }
        #expect(try upper.parts(keyed) == [#"D={"a\"[":1,"b":1}"#])
        #expect(try encoder.parts(Requesting { container, key in _ = container.superEncoder(forKey: key) }).isEmpty)
        let empty = Requesting { container, key in
            _ = container.nestedContainer(keyedBy: NodeView.Key.self, forKey: key)
        }
        #expect(try encoder.parts(empty) == ["d={}"])
        let lists = Requesting { container, key in
            var list = container.nestedUnkeyedContainer(forKey: key)
            var nested = list.nestedUnkeyedContainer()
            try nested.encode([1])
            try nested.encode(["a": 2])
        }
        #expect(try encoder.parts(lists) == [#"d=[[[1],{"a":2}]]"#])
    }

    @Test func `a value is encoded once`() throws {
        struct Counting: Encodable {
            let counter = Counter()
            func encode(to encoder: any Encoder) throws {
                counter.increment()
                var container = encoder.unkeyedContainer()
                try container.encode(counter.value)
            }
        }
        let counting = Counting()
        let plain = FormDataEncoder(), parts: [Part] = ["d=[1]"]
        #expect(try encoder.parts(D(d: counting)) == parts)
        #expect(try encoder.parts(D(d: FormJSON(counting))).map(\.content) == [Data("[2]".utf8)])
        #expect(try plain.parts(D(d: FormJSON(counting))).map(\.content) == [Data("[3]".utf8)])
        #expect(try plain.parts(D(d: counting)) == ["d[]=4"])
        #expect(try plain.parts(D(d: [FormJSON(counting)])).map(\.content) == [Data("[5]".utf8)])
        #expect(try encoder.parts(D(d: ["a": counting])) == [#"d={"a":[6]}"#])
        #expect(counting.counter.value == 6)
    }

    @Test func `text that is not JSON of the type is an error at its key`() throws {
        let texts = ["", "x", "{", "[1", #"{"text":1}"#, "[]", "null", "{}"]
        for text in texts {
            let failure = Failure.of { try decoder.decode(D<Button>.self, Part("d", Data(text.utf8))) }
            #expect(failure == Failure(.dataCorrupted, ["d"], .invalidValue), "\(text)")
            #expect(failure?.cause?.underlyingError is DecodingError, "\(text)")
            #expect(failure?.cause?.partIndex == 0)
        }
        let failure = Failure.of { try decoder.decode(D<[Int]>.self, "d={}") }
        #expect(failure == Failure(.dataCorrupted, ["d"], .invalidValue))
        #expect(Failure.of { try decoder.decode(D<[Int]>.self, "d=[1]", "d=[2]") }?.code == .duplicateName)
        #expect(Failure.of { try decoder.decode(D<[Int]>.self) } == Failure(.keyNotFound("d"), [], .missingValue))
        #expect(Failure.of { try decoder.decode(D<Level>.self, "d=none") }?.code == .invalidValue)
    }

    @Test func `the error beneath is that of the text as JSON, not of the text as a string`() {
        let failure = Failure.of { try decoder.decode(D<Button>.self, #"d={"text":1}"#) }
        guard case DecodingError.typeMismatch(_, let context)? = failure?.cause?.underlyingError else {
            Issue.record("another error")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["text"])
    }

    /// An error of a type's own.
    private struct Refusal: Error, Equatable {
        var reason = "closed"
    }

    private struct RefusingKeyed: Decodable {
        private enum Key: CodingKey { case open }

        init(from decoder: any Decoder) throws {
            let keys = try decoder.container(keyedBy: Key.self)
            guard try keys.decode(Bool.self, forKey: .open) else { throw Refusal() }
        }
    }

    private struct RefusingList: Decodable {
        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            guard try list.decode(Bool.self) else { throw Refusal() }
        }
    }

    private struct RefusingValue: Decodable {
        init(from decoder: any Decoder) throws {
            guard try decoder.singleValueContainer().decode([Bool].self) == [true] else { throw Refusal() }
        }
    }

    @Test func `an error of a type's own arrives as it is`() throws {
        let open = Part("d", Data(#"{"open":false}"#.utf8)), inList = Part("d", Data(#"[{"open":false}]"#.utf8))
        #expect(throws: Refusal()) { try decoder.decode(D<RefusingKeyed>.self, open) }
        #expect(throws: Refusal()) { try decoder.decode(D<RefusingKeyed?>.self, open) }
        #expect(throws: Refusal()) { try decoder.decode(D<[RefusingKeyed]>.self, inList) }
        #expect(throws: Refusal()) { try decoder.decode(D<RefusingList>.self, "d=[false]") }
        #expect(throws: Refusal()) { try decoder.decode(D<[String: RefusingList]>.self, #"d={"a":[false]}"#) }
        #expect(throws: Refusal()) { try decoder.decode(D<RefusingValue>.self, "d=[false]") }
        #expect(throws: Refusal()) { try decoder.decode(D<[RefusingValue]>.self, "d=[[false]]") }
        // In other styles, and in a part that is JSON.
        let plain = FormDataDecoder()
        #expect(throws: Refusal()) { try plain.decode(D<RefusingKeyed>.self, "d[open]=false") }
        #expect(throws: Refusal()) { try plain.decode(D<[RefusingKeyed]>.self, "d[0][open]=false") }
        #expect(throws: Refusal()) { try plain.decode(D<FormJSON<RefusingKeyed>>.self, open) }
        #expect(throws: Refusal()) { try plain.decode(D<FormJSON<[RefusingKeyed]>>.self, inList) }
    }

    @Test func `an error of a type that encodes itself arrives as it is`() {
        struct Refusing: Encodable {
            func encode(to encoder: any Encoder) throws {
                var list = encoder.unkeyedContainer()
                try list.encode(1)
                throw Refusal()
            }
        }
        let values: [any Encodable] = [D(d: Refusing()), D(d: [Refusing()]), D(d: D(d: Refusing()))]
        for value in values {
            #expect(throws: Refusal()) { try encoder.encode(value) }
            #expect(throws: Refusal()) { try FormDataEncoder().encode(value) }
        }
        #expect(throws: Refusal()) { try FormDataEncoder().encode(D(d: FormJSON(Refusing()))) }
    }

    @Test func `nil is as for any other value`() throws {
        #expect(try decoder.decode(D<[Int]?>.self).d == nil)
        #expect(try decoder.decode(D<[Int]?>.self, "d=").d == nil)
        #expect(try decoder.decode(D<Button?>.self, "d=").d == nil)
        #expect(try decoder.decode(D<[Int]?>.self, "d=[]").d == [])
        let last = options(decoder) { $0.duplicates = .last }
        #expect(try last.decode(D<[Int]?>.self, "d=[1]", "d=").d == nil)
        #expect(try last.decode(D<[Int]?>.self, "d=", "d=[1]").d == [1])
    }

    @Test func `a part has a type of JSON, plain text or none`() throws {
        let json = Data("[\"é\"]".utf8)
        for type in [nil, "text/plain", "text/plain; charset=utf-8", "application/json"] {
            #expect(try decoder.decode(D<[String]>.self, Part("d", json, contentType: type)).d == ["é"])
        }
        let latin = Part("d", Data([0x5B, 0x22, 0xE9, 0x22, 0x5D]), contentType: "text/plain; charset=iso-8859-1")
        #expect(try decoder.decode(D<[String]>.self, latin).d == ["é"])
        let file = Part("d", json, filename: "a", contentType: "application/json")
        #expect(try decoder.decode(D<[String]>.self, file).d == ["é"])
        #expect(
            try decoder.decode(D<[String]>.self, Part("d", json, filename: "a", contentType: "text/plain")).d == ["é"]
        )
        for filename in [nil, "a"] {
            let other = Part("d", json, filename: filename, contentType: "text/html")
            #expect(Failure.of { try decoder.decode(D<[String]>.self, other) }?.code == .expectedJSON)
        }
    }

    @Test func `JSON is limited as in a part of its own`() throws {
        let small = options(decoder) { $0.maxValueBytes = 4 }
        #expect(try small.decode(D<[Int]>.self, "d=[11]").d == [11])
        #expect(Failure.of { try small.decode(D<[Int]>.self, "d=[111]") }?.code == .valueTooLong)
        for (depth, code) in [(64, nil), (65, MultipartError.Code.tooDeep)] {
            let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            #expect(Failure.of { try decoder.decode(D<Nested>.self, Part("d", Data(text.utf8))) }?.code == code)
        }
        let infinite = Failure.of { try encoder.encode(D(d: [Double.infinity])) }
        #expect(infinite == Failure(.invalidValue, ["d"], .unencodable))
    }

    private struct Nested: Codable {
        var elements: [Nested]

        init(elements: [Nested]) {
            self.elements = elements
        }

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            elements = []
            while !container.isAtEnd { elements.append(try container.decode(Nested.self)) }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        }
    }

    // Types that encode themselves in steps.

    private class Base: Codable {
        var base = 1
        init() {}
    }

    private final class Derived: Base {
        private enum Key: CodingKey { case own, list, keyed }
        var own = [2]

        override init() { super.init() }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            own = try container.decode([Int].self, forKey: .own)
            var list = try container.nestedUnkeyedContainer(forKey: .list)
            let keyed = try container.nestedContainer(keyedBy: Key.self, forKey: .keyed)
            guard try list.decode(Int.self) == 1, try list.decodeNil(), try list.decode(String.self) == "x",
                try keyed.decode(Int.self, forKey: .own) == 3
            else { throw Difference(text: "nested") }
            try super.init(from: container.superDecoder())
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(own, forKey: .own)
            var list = container.nestedUnkeyedContainer(forKey: .list)
            try list.encode(1)
            try list.encodeNil()
            try list.encode("x")
            var inner = list.nestedContainer(keyedBy: Key.self)
            try inner.encode(UInt8(9), forKey: .list)
            var keyed = container.nestedContainer(keyedBy: Key.self, forKey: .keyed)
            try keyed.encode(3, forKey: .own)
            var single = keyed.superEncoder(forKey: .list).singleValueContainer()
            try single.encode(Date(timeIntervalSinceReferenceDate: 4))
            _ = keyed.superEncoder()
            try super.encode(to: container.superEncoder())
        }
    }

    @Test func `nested containers and superclasses are also JSON`() throws {
        let parts: [Part] = [
            "own=[2]", #"list=[1,null,"x",{"list":9}]"#, #"keyed={"list":4,"own":3,"super":{}}"#,
            #"super={"base":1}"#,
        ]
        let form = try encoder.encode(Derived())
        #expect(try form.table == parts)
        #expect(try decoder.decode(Derived.self, from: form).own == [2])
        // The same text as of the whole value.
        #expect(try encoder.parts(D(d: Derived())).first?.content == sortedJSON.encode(Derived()))
    }

    /// A type that returns to the containers of its keys.
    private struct Returning: Encodable {
        private enum Key: CodingKey { case keyed, list, first, second }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            var first = container.nestedContainer(keyedBy: Key.self, forKey: .keyed)
            try first.encode(1, forKey: .first)
            var list = container.nestedUnkeyedContainer(forKey: .list)
            try list.encode(1)
            var second = container.nestedContainer(keyedBy: Key.self, forKey: .keyed)
            try second.encode(2, forKey: .second)
            try first.encode(3, forKey: .list)
            var rest = container.nestedUnkeyedContainer(forKey: .list)
            try rest.encode(2)
        }
    }

    @Test func `a container that is requested again goes on`() throws {
        let parts: [Part] = [
            "keyed[first]=1", "keyed[second]=2", "keyed[list]=3", "list[]=1", "list[]=2",
        ]
        #expect(try FormDataEncoder().parts(Returning()) == parts)
        let json: [Part] = [#"keyed={"first":1,"list":3,"second":2}"#, "list=[1,2]"]
        #expect(try encoder.parts(Returning()) == json)
        let text = #"{"keyed":{"first":1,"list":3,"second":2},"list":[1,2]}"#
        #expect(try sortedJSON.encode(Returning()) == Data(text.utf8))
        #expect(try encoder.parts(D(d: Returning())) == [Part("d", Data(text.utf8))])
    }

    @Test func `a key that the root uses twice is an error, as in the other styles`() throws {
        struct Twice: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: NodeView.Key.self)
                let key = NodeView.Key(stringValue: "d")
                var nested = container.nestedContainer(keyedBy: NodeView.Key.self, forKey: key)
                try nested.encode(1, forKey: key)
                try nested.encode(2, forKey: key)
            }
        }
        #expect(Failure.of { try encoder.encode(Twice()) } == Failure(.invalidValue, ["d"], .invalidKey))
        /// Requests containers of two kinds for one key.
        struct Both: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: NodeView.Key.self)
                let key = NodeView.Key(stringValue: "d")
                var list = container.nestedUnkeyedContainer(forKey: key)
                try list.encode(1)
                _ = container.nestedContainer(keyedBy: NodeView.Key.self, forKey: key)
            }
        }
        for encoder in [encoder, FormDataEncoder()] {
            #expect(Failure.of { try encoder.encode(Both()) } == Failure(.invalidValue, ["d"], .unencodable))
        }
    }

    /// A wrapper of an optional that encodes and decodes nil itself.
    @propertyWrapper
    private struct Nullable: Codable, Equatable {
        var wrappedValue: Int?

        init(wrappedValue: Int?) { self.wrappedValue = wrappedValue }

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            wrappedValue = value.decodeNil() ? nil : try value.decode(Int.self)
        }

        func encode(to encoder: any Encoder) throws {
            var value = encoder.singleValueContainer()
            try value.encode(wrappedValue)
        }
    }

    @Test func `a wrapper of nil is encoded as nil and comes back, in every style`() throws {
        struct Wrapped: Codable, Equatable {
            @Nullable var a: Int?
            var b = 1
        }
        for style in [FormKeyPathEncoding.brackets, .dots, .json] {
            for (coding, parts) in [
                (FormDataEncoder.NilEncoding.dropKey, ["b=1"]), (.dropValue, ["a=", "b=1"]),
                (.null, ["a=null", "b=1"]),
            ] as [(FormDataEncoder.NilEncoding, [Part])] where style == .json || coding != .null {
                var encoder = FormDataEncoder(), decoder = FormDataDecoder()
                (encoder.keyPathEncoding, decoder.keyPathEncoding, encoder.nilEncoding) = (style, style, coding)
                #expect(try encoder.parts(Wrapped(a: nil)) == parts)
                #expect(try decoder.decode(Wrapped.self, from: encoder.encode(Wrapped(a: nil))) == Wrapped(a: nil))
                #expect(try decoder.decode(Wrapped.self, from: encoder.encode(Wrapped(a: 7))) == Wrapped(a: 7))
            }
        }
    }

    @Test func `an enum case that has no part is named`() throws {
        let failure = Failure.of { try FormDataEncoder().encode(D(d: Shape.dot)) }
        #expect(failure?.code == .unencodable)
        #expect(failure?.text == #""d[dot]": "dot" has no part, as an enum case without associated values has none"#)
    }

    @Test func `containers of different keys of the root stay apart`() throws {
        struct Root: Encodable {
            let keys: [String]
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: NodeView.Key.self)
                for (index, key) in keys.enumerated() {
                    var nested = container.nestedContainer(
                        keyedBy: NodeView.Key.self,
                        forKey: NodeView.Key(stringValue: key)
                    )
                    try nested.encode(index, forKey: NodeView.Key(stringValue: "x"))
                }
            }
        }
        #expect(try encoder.parts(Root(keys: ["é", "e\u{301}"])) == [#"é={"x":0}"#, #"e\#u{301}={"x":1}"#])
        let lowercased = options(encoder) { $0.keyEncoding = .lowercased }
        #expect(Failure.of { try lowercased.encode(Root(keys: ["aB", "ab"])) }?.code == .invalidKey)
    }

    @Test func `a type may try what it is`() throws {
        let counter = Counter()
        let guessing = options(decoder) { $0.userInfo[GuessedValue.counter] = counter }
        for text in ["1", "x", "[1,[2]]", #"{"a":[true,{"b":"c"}]}"#] {
            _ = try guessing.decode(D<GuessedValue>.self, Part("d", Data(text.utf8)))
        }
        let wrapped = Wrapped(values: [1])
        #expect(try encoder.parts(D(d: wrapped)) == ["d=[1]"])
        #expect(try decoder.decode(D<Wrapped>.self, "d=[1]").d.values == [1])
    }

    private struct Wrapped: Codable {
        var values: [Int]

        init(values: [Int]) {
            self.values = values
        }

        init(from decoder: any Decoder) throws {
            values = try decoder.singleValueContainer().decode([Int].self)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(values)
        }
    }

    @Test func `the coders of JSON have their own user info`() throws {
        struct Asking: Codable, Equatable {
            var answer: String
            init(_ answer: String) { self.answer = answer }
            enum Key: CodingKey { case answer }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(encoder.userInfo[.named("who")] as? String ?? "", forKey: .answer)
            }
            init(from decoder: any Decoder) throws {
                _ = try decoder.container(keyedBy: Key.self)
                answer = decoder.userInfo[.named("who")] as? String ?? ""
            }
        }
        let writing = options(encoder) {
            $0.userInfo[.named("who")] = "form"
            $0.configureJSON = { $0.userInfo[.named("who")] = "json" }
        }
        #expect(try writing.parts(D(d: Asking(""))) == [#"d={"answer":"json"}"#])
        #expect(try writing.parts(D(d: [Asking("")])) == [#"d=[{"answer":"json"}]"#])
        #expect(try writing.parts(Asking("")) == ["answer=form"])
        let reading = options(decoder) {
            $0.userInfo[.named("who")] = "form"
            $0.configureJSON = { $0.userInfo[.named("who")] = "json" }
        }
        #expect(try reading.decode(D<Asking>.self, "d={}").d.answer == "json")
        #expect(try reading.decode(D<[Asking]>.self, "d=[{}]").d.map(\.answer) == ["json"])
        #expect(try reading.decode(D<FormJSON<Asking>>.self, "d={}").d.value.answer == "json")
    }

    @Test func `a part of JSON stays one`() throws {
        let form = try encoder.encode(D(d: FormJSON([1])))
        #expect(form["d"]?.contentType == "application/json")
        #expect(try decoder.decode(D<FormJSON<[Int]>>.self, from: form).d == FormJSON([1]))
        #expect(try encoder.parts(D(d: [FormJSON([1])])) == encoder.parts(D(d: FormJSON([1]))))
    }

    /// `JSONEncoder` and `JSONDecoder` have ways of their own for these types, which a value that encodes itself has
    /// not.
    private struct Special: Codable, Equatable {
        var date = Date(timeIntervalSince1970: 0)
        var data = Data([1, 2])
        var url = URL(string: "http://x/y")
        var decimal = Decimal(1.5)
        var keys = ["fooBar": 1]
    }

    @Test func `JSON in another encoder is what its value is there`() throws {
        let configure: @Sendable (JSONEncoder) -> Void = { json in
            json.dateEncodingStrategy = .iso8601
            json.keyEncodingStrategy = .convertToSnakeCase
            json.outputFormatting = .sortedKeys
        }
        let json = JSONEncoder(), reader = JSONDecoder()
        configure(json)
        reader.dateDecodingStrategy = .iso8601
        reader.keyDecodingStrategy = .convertFromSnakeCase
        for special in [Special()] {
            let plain = try json.encode(["d": special])
            #expect(try json.encode(["d": FormJSON(special)]) == plain)
            #expect(try json.encode(["d": FormJSON(FormJSON(special))]) == plain)
            #expect(try reader.decode([String: FormJSON<Special>].self, from: plain)["d"]?.value == special)
        }
        #expect(try json.encode(["d": FormJSON(Special().date)]) == json.encode(["d": Special().date]))
        #expect(try json.encode(["d": FormJSON(Special().keys)]) == json.encode(["d": Special().keys]))
        #expect(try json.encode(["d": FormJSON(Special().decimal)]) == json.encode(["d": Special().decimal]))

        var encoder = FormDataEncoder()
        encoder.keyPathEncoding = .json
        encoder.configureJSON = configure
        struct Both: Codable {
            struct Inner: Codable {
                var plain = Special()
                var wrapped = FormJSON(Special())
            }
            var inner = Inner()
        }
        let text = try #require(try encoder.encode(Both())["inner"]?.text())
        let plain = String(decoding: try json.encode(Special()), as: UTF8.self)
        #expect(text == "{\"plain\":\(plain),\"wrapped\":\(plain)}")
    }

    @Test func `JSON is equal if its values are`() {
        #expect(FormJSON(1) == FormJSON(1))
        #expect(FormJSON(1) != FormJSON(2))
        #expect(Set([FormJSON("a"), FormJSON("a"), FormJSON("b")]).count == 2)
    }
}
