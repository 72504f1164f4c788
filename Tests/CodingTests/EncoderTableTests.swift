import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// What values become, row by row.
@Suite struct EncoderTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let label: String
        let parts: [Part]
        let encode: @Sendable () throws -> [Part]

        init(
            _ label: String,
            _ value: @autoclosure @escaping @Sendable () -> any Encodable,
            _ change: @escaping @Sendable (inout FormDataEncoder) -> Void = { _ in },
            _ parts: Part...
        ) {
            self.label = label
            self.parts = parts
            encode = { try options(FormDataEncoder(), change).parts(value()) }
        }

        var testDescription: String { label }
    }

    static let user = User(name: "Ada", age: 36, admin: true)
    static let tags = Tags(tags: ["a", "b"])
    static let home = Home(address: Address(street: "X", zip: "1"))
    static let cart = Cart(items: [Item(id: 1, qty: 2), Item(id: 3, qty: 4)])
    static let matrix = Matrix(m: [[1, 2], [3]])
    static let jpeg = Data([0xFF, 0xD8])
    static let uuid = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))

    struct Names: Codable, Equatable {
        var isAdmin: String
        var homeURL: String
    }

    struct Reversed: Codable, Equatable {
        var z: Int
        var a: Int
    }

    /// Made at each access: Leak Sanitizer reports `Data` in a static property as lost.
    static var rows: [Row] {
        [
            Row("single values", user, { _ in }, "name=Ada", "age=36", "admin=true"),
            Row("booleans as numbers", user, { $0.boolEncoding = .numeric }, "name=Ada", "age=36", "admin=1"),
            Row("nil dropped", Opt()),
            Row("nil as empty parts", Opt(), { $0.nilEncoding = .dropValue }, "nick=", "n="),
            Row("nil as the text null", Opt(), { $0.nilEncoding = .null }, "nick=null", "n=null"),
            Row("array with brackets", tags, { _ in }, "tags[]=a", "tags[]=b"),
            Row("array without brackets", tags, { $0.arrayEncoding = .noBrackets }, "tags=a", "tags=b"),
            Row("array with indices", tags, { $0.arrayEncoding = .indexInBrackets }, "tags[0]=a", "tags[1]=b"),
            Row(
                "array with custom names",
                tags,
                { $0.arrayEncoding = .custom { "\($0).\($1)" } },
                "tags.0=a",
                "tags.1=b"
            ),
            Row("keys in brackets", home, { _ in }, "address[street]=X", "address[zip]=1"),
            Row("keys after dots", home, { $0.keyPathEncoding = .dots }, "address.street=X", "address.zip=1"),
            Row(
                "array of structs",
                cart,
                { _ in },
                "items[0][id]=1",
                "items[0][qty]=2",
                "items[1][id]=3",
                "items[1][qty]=4"
            ),
            Row(
                "array of structs without brackets",
                cart,
                { $0.arrayEncoding = .noBrackets },
                "items[0][id]=1",
                "items[0][qty]=2",
                "items[1][id]=3",
                "items[1][qty]=4"
            ),
            Row(
                "array of structs with dots",
                cart,
                { $0.keyPathEncoding = .dots },
                "items[0].id=1",
                "items[0].qty=2",
                "items[1].id=3",
                "items[1].qty=4"
            ),
            Row("array of arrays", matrix, { _ in }, "m[0][]=1", "m[0][]=2", "m[1][]=3"),
            Row(
                "array of arrays without brackets",
                matrix,
                { $0.arrayEncoding = .noBrackets },
                "m[0]=1",
                "m[0]=2",
                "m[1]=3"
            ),
            Row("dictionary sorted by its keys", D(d: ["b": 2, "a": 1]), { _ in }, "d[a]=1", "d[b]=2"),
            Row(
                "dictionary of integer keys sorted as texts",
                D(d: [2: "b", 10: "a"]),
                { _ in },
                "d[10]=a",
                "d[2]=b"
            ),
            Row("date in ISO 8601", D(d: Date(timeIntervalSince1970: 0)), { _ in }, "d=1970-01-01T00:00:00Z"),
            Row(
                "date in seconds",
                D(d: Date(timeIntervalSince1970: 1)),
                { $0.dateEncoding = .secondsSince1970 },
                "d=1"
            ),
            Row(
                "date in milliseconds",
                D(d: Date(timeIntervalSince1970: 1)),
                { $0.dateEncoding = .millisecondsSince1970 },
                "d=1000"
            ),
            Row(
                "date as it encodes itself",
                D(d: Date(timeIntervalSinceReferenceDate: 0.5)),
                { $0.dateEncoding = .deferredToDate },
                "d=0.5"
            ),
            Row(
                "date by a closure",
                D(d: Date(timeIntervalSince1970: 7)),
                { $0.dateEncoding = .custom { "\(Int($0.timeIntervalSince1970))" } },
                "d=7"
            ),
            Row(
                "data as a file",
                D(d: Data([0, 1, 2])),
                { _ in },
                Part("d", Data([0, 1, 2]), filename: "blob", contentType: "application/octet-stream")
            ),
            Row("data in base64", D(d: Data([0, 1, 2])), { $0.dataEncoding = .base64 }, "d=AAEC"),
            Row("data as a field", D(d: Data([0, 1, 2])), { $0.dataEncoding = .field }, Part("d", Data([0, 1, 2]))),
            Row("data by a closure", D(d: Data([0, 1, 2])), { $0.dataEncoding = .custom { "\($0.count)" } }, "d=3"),
            Row(
                "file",
                D(d: FormFile(jpeg, filename: "a.jpg", contentType: "image/jpeg")),
                { _ in },
                Part("d", jpeg, filename: "a.jpg", contentType: "image/jpeg")
            ),
            Row(
                "array of files",
                D(d: [FormFile(jpeg, filename: "a"), FormFile(jpeg, filename: "b")]),
                { _ in },
                Part("d[]", jpeg, filename: "a", contentType: "application/octet-stream"),
                Part("d[]", jpeg, filename: "b", contentType: "application/octet-stream")
            ),
            Row(
                "JSON",
                D(d: FormJSON(Item(id: 1, qty: 2))),
                { $0.configureJSON = { $0.outputFormatting = .sortedKeys } },
                Part("d", Data(#"{"id":1,"qty":2}"#.utf8), contentType: "application/json")
            ),
            Row("URL", D(d: URL(string: "https://e.x/?q=1")), { _ in }, "d=https://e.x/?q=1"),
            Row("decimal number", D(d: Decimal(string: "0.1")), { _ in }, "d=0.1"),
            Row("UUID", D(d: uuid), { _ in }, "d=00010203-0405-0607-0809-0A0B0C0D0E0F"),
            Row("whole floating point number", D(d: 1.0), { _ in }, "d=1.0"),
            Row("floating point number with an exponent", D(d: 1e20), { _ in }, "d=1e+20"),
            Row(
                "keys in snake case",
                Names(isAdmin: "1", homeURL: "2"),
                { $0.keyEncoding = .convertToSnakeCase },
                "is_admin=1",
                "home_url=2"
            ),
            Row(
                "keys in kebab case",
                Names(isAdmin: "1", homeURL: "2"),
                { $0.keyEncoding = .convertToKebabCase },
                "is-admin=1",
                "home-url=2"
            ),
            Row(
                "keys capitalized",
                Names(isAdmin: "1", homeURL: "2"),
                { $0.keyEncoding = .capitalized },
                "IsAdmin=1",
                "HomeURL=2"
            ),
            Row(
                "keys in upper case",
                Names(isAdmin: "1", homeURL: "2"),
                { $0.keyEncoding = .uppercased },
                "ISADMIN=1",
                "HOMEURL=2"
            ),
            Row(
                "keys in lower case",
                Names(isAdmin: "1", homeURL: "2"),
                { $0.keyEncoding = .lowercased },
                "isadmin=1",
                "homeurl=2"
            ),
            Row(
                "keys by a closure",
                Names(isAdmin: "1", homeURL: "2"),
                { $0.keyEncoding = .custom { "x_\($0)" } },
                "x_isAdmin=1",
                "x_homeURL=2"
            ),
            Row("enumeration by its raw value", D(d: Color.red), { _ in }, "d=red"),
            Row("enumeration with a value", D(d: Shape.circle(radius: 2)), { _ in }, "d[circle][radius]=2.0"),
            Row("keys sorted", Reversed(z: 1, a: 2), { $0.alphabetizeKeyValuePairs = true }, "a=2", "z=1"),
            Row("keys in the order of the calls", Reversed(z: 1, a: 2), { _ in }, "z=1", "a=2"),
            Row("empty array", Tags(tags: [])),
            Row(
                "keys of a dictionary unchanged",
                D(d: ["isAdmin": 1]),
                { $0.keyEncoding = .uppercased },
                "D[isAdmin]=1"
            ),
        ]
    }

    @Test(arguments: rows)
    func `a value becomes the parts of its row`(row: Row) throws {
        #expect(try row.encode() == row.parts)
    }

    @Test func `a value is appended to a form`() throws {
        var form = MultipartFormData()
        form.append("1", withName: "k")
        try FormDataEncoder().encode(Opt(nick: "x"), into: &form)
        #expect(try form.table == ["k=1", "nick=x"])
    }

    final class Cycle: Encodable {
        var next: Cycle?
    }

    final class Link: Encodable {
        var next: Link?
        var value = 1
        init(_ count: Int) {
            next = count > 1 ? Link(count - 1) : nil
        }
    }

    static let next = Array(repeating: "next", count: 16)

    @Test func `a value without keys is refused at the root`() {
        let failure = Failure(.invalidValue, [], .notKeyedRoot)
        let encoder = FormDataEncoder()
        #expect(Failure.of { try encoder.encode(42) } == failure)
        #expect(Failure.of { try encoder.encode([1, 2]) } == failure)
        #expect(Failure.of { try encoder.encode(User?.none) } == failure)
        #expect(Failure.of { try encoder.encode(FormFile(Self.jpeg, filename: "a")) } == failure)
        #expect(Failure.of { try encoder.encode(FormJSON(Self.user)) } == failure)
        #expect(Failure.of { try encoder.encode(Date()) } == failure)
        #expect(throws: Never.self) { try encoder.encode(User?.some(Self.user)) }
    }

    @Test func `a key that a name cannot hold is refused`() {
        for key in ["a[b", "a]", "", "a\"b", "a\rb", "a\nb", "a\0b", "\u{7F}"] {
            let failure = Failure.of { try FormDataEncoder().encode(D(d: [key: 1])) }
            #expect(failure == Failure(.invalidValue, ["d", key], .invalidKey))
            let reason = key.isEmpty ? "key is empty" : "key has a character that no key may have, such as a bracket"
            #expect(failure?.text.hasSuffix("\": \(reason)") == true)
        }
        let dots = options(FormDataEncoder()) { $0.keyPathEncoding = .dots }
        #expect(Failure.of { try dots.encode(["a.b": 1]) } == Failure(.invalidValue, ["a.b"], .invalidKey))
        #expect(throws: Never.self) { try FormDataEncoder().encode(["a.b": 1]) }
    }

    @Test func `a name that occurs twice in one container is refused`() throws {
        struct Same: Encodable {
            var aB = 1
            var ab = 2
        }
        let lower = options(FormDataEncoder()) { $0.keyEncoding = .lowercased }
        let failure = Failure.of { try lower.encode(Same()) }
        #expect(failure == Failure(.invalidValue, ["ab"], .invalidKey))
        #expect(failure?.text == "\"ab\": key is used twice")
        // Among many others.
        let many = Dictionary(uniqueKeysWithValues: (0..<40).map { ("k\($0)", $0) })
        struct Many: Encodable {
            let table: [String: Int]
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: NodeView.Key.self)
                for key in ["x"] + table.keys + ["X"] {
                    try container.encode(1, forKey: NodeView.Key(stringValue: key))
                }
            }
        }
        #expect(Failure.of { try lower.encode(Many(table: many)) } == Failure(.invalidValue, ["X"], .invalidKey))
        #expect(try FormDataEncoder().encode(Many(table: many)).count == 42)
        // Two keys by their bytes, though equal as strings, and of the same length.
        struct Equivalent: Encodable {
            enum CodingKeys: String, CodingKey {
                case one = "a\u{307}\u{323}"
                case two = "a\u{323}\u{307}"
            }

            var one = 1
            var two = 2
        }
        #expect(throws: Never.self) { try FormDataEncoder().encode(D(d: ["e\u{301}": 1, "f": 2])) }
        #expect(try FormDataEncoder().encode(Equivalent()).count == 2)
    }

    @Test func `an element without a part is refused`() {
        struct Empty: Encodable {
            var a: Int?
        }
        let encoder = FormDataEncoder()
        func failure(_ keys: String...) -> Failure { Failure(.invalidValue, keys, .emptyElement) }
        #expect(Failure.of { try encoder.encode(D(d: [1, nil, 3])) } == failure("d", "1"))
        #expect(Failure.of { try encoder.encode(D(d: [[1], []])) } == failure("d", "1"))
        #expect(Failure.of { try encoder.encode(D(d: [Empty()])) } == failure("d", "0"))
        #expect(Failure.of { try encoder.encode(D(d: ["a": Empty()])) } == failure("d", "a"))
        #expect(throws: Never.self) { try encoder.encode(D(d: Empty())) }
    }

    @Test func `nil under a dictionary's key is encoded as a struct's`() throws {
        let value: [String: Int?] = ["a": nil, "b": 1]
        let nested: [String: Int??] = ["a": .some(nil), "b": 1]
        let encodings: [(FormDataEncoder.NilEncoding, [Part], [Part])] = [
            (.dropKey, ["d[b]=1"], ["b=1"]),
            (.dropValue, ["d[a]=", "d[b]=1"], ["a=", "b=1"]),
            (.null, ["d[a]=null", "d[b]=1"], ["a=null", "b=1"]),
        ]
        for (encoding, parts, rootParts) in encodings {
            let encoder = options(FormDataEncoder()) { $0.nilEncoding = encoding }
            #expect(try encoder.parts(D(d: value)) == parts)
            #expect(try encoder.parts(D(d: nested)) == parts)
            #expect(try encoder.parts(value) == rootParts)
        }
    }

    @Test func `a number that is not finite is refused`() {
        for number in [Double.nan, .infinity, -.infinity] {
            let failure = Failure(.invalidValue, ["d"], .nonFiniteNumber)
            #expect(Failure.of { try FormDataEncoder().encode(D(d: number)) } == failure)
            #expect(Failure.of { try FormDataEncoder().encode(D(d: Float(number))) } == failure)
            let date = D(d: Date(timeIntervalSinceReferenceDate: number))
            for encoding in [FormDataEncoder.DateEncoding.iso8601, .deferredToDate, .secondsSince1970] {
                let encoder = options(FormDataEncoder()) { $0.dateEncoding = encoding }
                #expect(Failure.of { try encoder.encode(date) } == failure)
            }
        }
        #expect(Failure.of { try FormDataEncoder().encode(D(d: Decimal.nan)) }?.code == .nonFiniteNumber)
    }

    @Test func `a value that is too deep is refused at the last step within the limit`() {
        let failure = Failure(.invalidValue, Self.next, .tooDeep)
        #expect(Failure.of { try FormDataEncoder().encode(Link(17)) } == failure)
        #expect(throws: Never.self) { try FormDataEncoder().encode(Link(16)) }
        let cycle = Cycle()
        cycle.next = cycle
        defer { cycle.next = nil }
        #expect(Failure.of { try FormDataEncoder().encode(cycle) } == failure)
    }

    @Test func `a value that fails leaves the form unchanged`() throws {
        var form = MultipartFormData()
        form.append("1", withName: "k")
        let file = D(d: ["x": FormFile(Self.jpeg, filename: "a\0b")])
        for value: any Encodable in [D(d: [1, nil, 3]), file] {
            #expect(throws: EncodingError.self) { try FormDataEncoder().encode(value, into: &form) }
            #expect(try form.table == ["k=1"])
            #expect(form.firstError == nil)
        }
        #expect(Failure.of { try FormDataEncoder().encode(file) } == Failure(.invalidValue, ["d", "x"], .unencodable))
    }
}
