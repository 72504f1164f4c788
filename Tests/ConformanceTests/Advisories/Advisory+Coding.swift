import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Names that become keys, elements and values.
extension Advisory {
    /// One value under the key `a`.
    private struct Single<Value: Decodable>: Decodable {
        var a: Value
    }

    private struct Item: Decodable, Equatable {
        var id: Int
    }

    private struct Role: Decodable {
        var role: String
        var x: String?
    }

    /// A type that needs itself without end.
    private final class Endless: Decodable {
        let next: Endless
    }

    /// A type that reads two elements without asking how many there are.
    private struct Pair: Decodable {
        init(from decoder: any Decoder) throws {
            var elements = try decoder.unkeyedContainer()
            _ = try elements.decode(String.self)
            _ = try elements.decode(String.self)
        }
    }

    private enum Word: String, Decodable {
        case foo
    }

    /// An error of the decoder: its case, its path and its code.
    private struct Refusal: Equatable {
        var kind: String
        var path: [String]
        var code: MultipartError.Code?

        init(_ kind: String, _ path: [String], _ code: MultipartError.Code) {
            (self.kind, self.path, self.code) = (kind, path, code)
        }

        init?(_ error: any Error) {
            let context: DecodingError.Context
            switch error {
            case DecodingError.keyNotFound(_, let found): (kind, context) = ("keyNotFound", found)
            case DecodingError.valueNotFound(_, let found): (kind, context) = ("valueNotFound", found)
            case DecodingError.typeMismatch(_, let found): (kind, context) = ("typeMismatch", found)
            case DecodingError.dataCorrupted(let found): (kind, context) = ("dataCorrupted", found)
            default: return nil
            }
            path = context.codingPath.map(\.stringValue)
            code = (context.underlyingError as? MultipartError)?.code
        }
    }

    private static func makeForm(_ fields: [(name: String, value: String)]) -> MultipartFormData {
        var form = MultipartFormData()
        for field in fields { form.append(field.value, withName: field.name) }
        return form
    }

    private static func makeForm(named names: String...) -> MultipartFormData {
        makeForm(names.map { ($0, "1") })
    }

    private static func decoder(_ change: (inout FormDataDecoder) -> Void) -> FormDataDecoder {
        var decoder = FormDataDecoder()
        change(&decoder)
        return decoder
    }

    /// Expects that a value is refused.
    private static func expect<Value: Decodable>(
        _ type: Value.Type,
        from form: MultipartFormData,
        _ refusal: Refusal,
        by decoder: FormDataDecoder = FormDataDecoder(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let error = try #require(throws: DecodingError.self, sourceLocation: sourceLocation) {
            try decoder.decode(type, from: form)
        }
        #expect(Refusal(error) == refusal, sourceLocation: sourceLocation)
    }

    static let coding: [Advisory] = [
        Advisory(
            id: "CVE-2026-5079",
            project: "multer",
            fault: "field names with any number of brackets became objects nested as deeply",
            answer: "`name-too-long` after 2048 bytes and `too-deep` after 16 keys, before anything is decoded"
        ) {
            let keys = String(repeating: "[b]", count: 10_000)
            let unlimited = decoder { $0.maxNameBytes = .max }
            try expect(Role.self, from: makeForm(named: "a" + keys), Refusal("dataCorrupted", [], .nameTooLong))
            for (text, key) in [("[b]", "b"), ("[0]", "0"), ("[]", "")] {
                let form = makeForm(named: "a" + String(repeating: text, count: 10_000))
                let path = ["a"] + [String](repeating: key, count: 15)
                try expect(Role.self, from: form, Refusal("dataCorrupted", path, .tooDeep), by: unlimited)
            }
            for bracket in ["[", "]", "a[", "]["] {
                let name = String(repeating: bracket, count: 10_000)
                let value = try unlimited.decode([String: Int].self, from: makeForm(named: name))
                #expect(value == [name: 1])
            }
            let deepest = "a" + String(repeating: "[b]", count: 15)
            let role = try FormDataDecoder().decode(Role.self, from: makeForm([("role", "user"), (deepest, "1")]))
            #expect(role.role == "user")
        },
        Advisory(
            id: "CVE-2026-77078",
            project: "multer",
            fault: "an element appended to an array whose last index was the maximum caused an uncaught error",
            answer: "`mixed-shapes`; an index is text of any length, never converted to a number"
        ) {
            for index in ["4294967294", "18446744073709551616", String(repeating: "9", count: 2000)] {
                let name = "a[\(index)]"
                let mixed = Refusal("dataCorrupted", ["a"], .mixedShapes)
                try expect(Single<[Int]>.self, from: makeForm(named: name, "a[]"), mixed)
                try expect(Single<[Int]>.self, from: makeForm(named: "a[]", name), mixed)
                try expect(
                    Single<[Int]>.self,
                    from: makeForm(named: name),
                    Refusal("dataCorrupted", ["a"], .sparseArray)
                )
                try expect(
                    Single<Int>.self,
                    from: makeForm(named: name),
                    Refusal("typeMismatch", ["a"], .expectedValue)
                )
            }
            let fields = [("a[18446744073709551616]", "3"), ("a[18446744073709551615]", "2"), ("a[7]", "1")]
            try expect(
                Single<[Int]>.self,
                from: makeForm(fields),
                Refusal("dataCorrupted", ["a"], .sparseArray)
            )
        },
        Advisory(
            id: "CVE-2026-82333",
            project: "multer",
            fault: "a huge index made an array of that length, which another name turned into an object, index by "
                + "index",
            answer: "only the type makes a name an array or an object; nothing is allocated for missing indices"
        ) {
            let form = makeForm(named: "a[4294967294]", "a[x]")
            let value = try FormDataDecoder().decode(Single<[String: Int]>.self, from: form)
            #expect(value.a == ["4294967294": 1, "x": 1])
            try expect(Single<[Int]>.self, from: form, Refusal("typeMismatch", ["a"], .expectedArray))
        },
        Advisory(
            id: "CVE-2024-37298",
            project: "gorilla/schema",
            fault: "an index in a name made a slice of structs of that length",
            answer: "`sparse-array`; a dictionary has as many elements as were sent"
        ) {
            let form = makeForm(named: "a[1000000000000][id]")
            try expect(Single<[Item]>.self, from: form, Refusal("dataCorrupted", ["a"], .sparseArray))
            let value = try FormDataDecoder().decode(Single<[String: Item]>.self, from: form)
            #expect(value.a == ["1000000000000": Item(id: 1)])
        },
        Advisory(
            id: "GHSA-v8w9-8mx6-g223",
            project: "Hono",
            fault: "where names were split at dots, `__proto__.x` set a property of every object",
            answer: "a name is only ever a key that the type asks for; an option refuses all others"
        ) {
            for name in ["__proto__", "constructor", "prototype"] {
                let form = makeForm([("role", "user"), ("\(name).x", "1")])
                let dots = decoder { $0.keyPathEncoding = .dots }
                #expect(try dots.decode(Role.self, from: form).x == nil)
                let strict = decoder {
                    $0.keyPathEncoding = .dots
                    $0.unknownNames = .reject
                }
                try expect(Role.self, from: form, Refusal("dataCorrupted", [name, "x"], .unknownName), by: strict)
                let keys = try dots.decode([String: [String: Int]].self, from: makeForm(named: "\(name).x"))
                #expect(keys == [name: ["x": 1]])
            }
        },
        Advisory(
            id: "multipart-kit #88",
            project: "multipart-kit",
            fault: "a name with keys for a single value caused recursion until the process crashed",
            answer: "`expected-value`; a type that needs another of itself: `too-deep`"
        ) {
            let form = makeForm([("a[not-present]", "foo")])
            let refusal = Refusal("typeMismatch", ["a"], .expectedValue)
            try expect(Single<String>.self, from: form, refusal)
            try expect(Single<String?>.self, from: form, refusal)
            try expect(Single<Word>.self, from: form, refusal)
            try expect(Single<UUID>.self, from: form, refusal)
            try expect(Single<Data>.self, from: form, refusal)
            try expect(Single<FormFile>.self, from: form, refusal)
            try expect(Single<FormJSON<String>>.self, from: form, refusal)
            let keys = ["a"] + Array(repeating: "next", count: 15)
            try expect(Single<Endless>.self, from: MultipartFormData(), Refusal("dataCorrupted", keys, .tooDeep))
        },
        Advisory(
            id: "Vapor #2548",
            project: "Vapor",
            fault: "a missing element was looked up by its index, which crashed the process",
            answer: "`missing-value` after the last element; an array has only the elements that were sent"
        ) {
            for (name, elements) in [("a[]", [1]), ("a[0]", [1]), ("b", [])] {
                let form = makeForm(named: name)
                let end = Refusal("valueNotFound", ["a", "\(elements.count)"], .missingValue)
                try expect(Single<Pair>.self, from: form, end)
                #expect(try FormDataDecoder().decode(Single<[Int]>.self, from: form).a == elements)
            }
        },
        Advisory(
            id: "CVE-2026-53538",
            project: "python-multipart",
            fault: "in a urlencoded body `;` began a field that a filter in front had not seen, and of two values "
                + "the last counted",
            answer: "content is never split; a second value is `duplicate-name`, unless an option chooses the first "
                + "or the last"
        ) {
            let once = makeForm([("role", "user"), ("x", ";role=admin")])
            let role = try FormDataDecoder().decode(Role.self, from: once)
            #expect(role.role == "user" && role.x == ";role=admin")
            let twice = makeForm([("role", "user"), ("role", "admin")])
            try expect(Role.self, from: twice, Refusal("dataCorrupted", ["role"], .duplicateName))
            #expect(try decoder { $0.duplicates = .first }.decode(Role.self, from: twice).role == "user")
            #expect(try decoder { $0.duplicates = .last }.decode(Role.self, from: twice).role == "admin")
        },
        Advisory(
            id: "names that are one key to the program",
            project: "any decoder",
            fault: "two names that a filter in front distinguishes, such as two encodings of `é`, are one key to the "
                + "program, and one value is lost",
            answer: "names are compared by their bytes; `duplicate-name` where a dictionary would merge two"
        ) {
            let composed = "\u{E9}", decomposed = "e\u{301}"
            for names in [[composed, decomposed], [decomposed, composed]] {
                let form = makeForm(names.map { ("a[\($0)]", "1") })
                let refusal = Refusal("dataCorrupted", ["a"], .duplicateName)
                try expect(Single<[String: Int]>.self, from: form, refusal)
                let root = makeForm(names.map { ($0, "1") })
                try expect([String: Int].self, from: root, Refusal("dataCorrupted", [], .duplicateName))
            }
            let role = makeForm([("role", "user"), ("ro\u{200B}le", "admin"), ("ROLE", "admin"), ("role ", "admin")])
            #expect(try FormDataDecoder().decode(Role.self, from: role).role == "user")
            let numbers = makeForm(named: "a[1]", "a[01]", "a[+1]")
            try expect(Single<[Int: Int]>.self, from: numbers, Refusal("dataCorrupted", ["a"], .duplicateName))
        },
    ]
}
