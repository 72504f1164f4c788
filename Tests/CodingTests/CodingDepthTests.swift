import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Coders end with `too-deep` before the stack ends.
@Suite struct CodingDepthTests {
    private enum Key: String, CodingKey {
        case next, value
    }

    /// Calls a closure on a thread with a stack of 512 KiB, the least that threads have by default.
    private static func onSmallStack<Value: Sendable>(_ body: @escaping @Sendable () -> Value) throws -> Value {
        let result = ThreadResult<Value>()
        let done = LimitedSemaphore()
        let thread = Thread {
            result.value = body()
            done.signal()
        }
        // Under Address Sanitizer, which `.ci/sanitize` runs, frames take about twice as much.
        let isSanitized = ProcessInfo.processInfo.environment["ASAN_OPTIONS"] != nil
        thread.stackSize = (isSanitized ? 1024 : 512) * 1024
        thread.start()
        done.wait()
        return try #require(result.value)
    }

    private final class ThreadResult<Value>: @unchecked Sendable {
        // Written before the semaphore is signalled, and read after.
        var value: Value?
    }

    // Values that go on without end.

    /// Encodes and decodes itself in place of itself.
    private final class Endless: Codable, Sendable {
        init() {}

        init(from decoder: any Decoder) throws {
            _ = try decoder.singleValueContainer().decode(Endless.self)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(self)
        }
    }

    /// The same, as an optional.
    private final class EndlessOptional: Codable, Sendable {
        init() {}

        init(from decoder: any Decoder) throws {
            _ = try decoder.singleValueContainer().decode(EndlessOptional?.self)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(EndlessOptional?.some(self))
        }
    }

    /// Goes on by super encoders, and has a value at each of them.
    private struct EndlessSuper: Codable {
        init() {}

        init(from decoder: any Decoder) throws {
            _ = try EndlessSuper(from: decoder.container(keyedBy: Key.self).superDecoder())
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(1, forKey: .value)
            try encode(to: container.superEncoder())
        }
    }

    private struct Custom: Encodable {
        let body: (any Encoder) throws -> Void
        func encode(to encoder: any Encoder) throws { try body(encoder) }
    }

    private struct EndlessList: Codable {
        init() {}

        init(from decoder: any Decoder) throws {
            _ = try [Self](from: decoder.container(keyedBy: Key.self).superDecoder())
            _ = try decoder.container(keyedBy: Key.self).decode(Self.self, forKey: .next)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(Self())
        }
    }

    private static let endless: [any (Codable & Sendable).Type] = [
        Endless.self, EndlessOptional.self, EndlessSuper.self, EndlessList.self,
    ]

    @Test(arguments: [0, 1, 16, 800, .max])
    func `values without end are too deep`(maxDepth: Int) throws {
        let failures = try Self.onSmallStack {
            let encoder = options(FormDataEncoder()) { $0.maxDepth = maxDepth }
            let decoder = options(FormDataDecoder()) { $0.maxDepth = maxDepth }
            let values: [any Encodable] = [
                D(d: Endless()), D(d: EndlessOptional()), D(d: EndlessSuper()), D(d: EndlessList()),
            ]
            var failures = values.map { value in Failure.of { try encoder.encode(value) }?.code?.description }
            for type in Self.endless {
                failures.append(Failure.of { try decoder.decode(type, from: MultipartFormData()) }?.code?.description)
            }
            return failures
        }
        #expect(failures == Array(repeating: "too-deep", count: 8))
    }

    @Test(arguments: 0...5)
    func `an optional is no level of its own`(maxDepth: Int) {
        let encoder = options(FormDataEncoder()) { $0.maxDepth = maxDepth }
        let user = User(name: "A", age: 1, admin: true)
        let plain = Failure.of { try encoder.encode(D(d: [user])) }?.code
        let optional = Failure.of { try encoder.encode(D(d: [Optional(user)])) }?.code
        #expect(optional == plain)
        #expect((plain == nil) == (maxDepth > 2))
    }

    /// Elements that are decoded one by one.
    private struct Elements: Decodable {
        var users: [User?] = []

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            while !list.isAtEnd { users.append(try list.decodeIfPresent(User.self)) }
        }
    }

    @Test(arguments: 0...5)
    func `an element that may be missing is as deep as any element`(maxDepth: Int) throws {
        let decoder = options(FormDataDecoder()) { $0.maxDepth = maxDepth }
        let form = try FormDataEncoder().encode(D(d: [User(name: "A", age: 1, admin: true)]))
        let plain = Failure.of { try decoder.decode(D<[User]>.self, from: form) }?.code
        #expect(Failure.of { try decoder.decode(D<Elements>.self, from: form) }?.code == plain)
    }

    @Test(arguments: 1...6)
    func `optional collections are levels for both coders`(maxDepth: Int) throws {
        let encoder = options(FormDataEncoder()) { $0.maxDepth = maxDepth }
        let decoder = options(FormDataDecoder()) { $0.maxDepth = maxDepth }
        let plain = Failure.of { try encoder.encode(D(d: [[[[1]]]])) }?.code
        let values = D<[[[[Int]?]?]?]>(d: [[[[1]]]])
        #expect(Failure.of { try encoder.encode(values) }?.code == plain)
        let form = try FormDataEncoder().encode(values)
        let decoding = Failure.of { try decoder.decode(D<[[[[Int]?]?]?]>.self, from: form) }?.code
        #expect((decoding == nil) == (plain == nil))
    }

    @Test(arguments: 1...6)
    func `a nested container is as deep as a value`(maxDepth: Int) {
        let encoder = options(FormDataEncoder()) { $0.maxDepth = maxDepth }
        let lists = Custom { encoder in
            var list = encoder.unkeyedContainer()
            for _ in 1...3 { list = list.nestedUnkeyedContainer() }
            try list.encode(1)
        }
        let listsOfSuper = Custom { encoder in
            var list = encoder.unkeyedContainer()
            for _ in 1...3 { list = list.superEncoder().unkeyedContainer() }
            try list.encode(1)
        }
        let objects = Custom { encoder in
            var object = encoder.container(keyedBy: Key.self)
            for _ in 1...3 { object = object.nestedContainer(keyedBy: Key.self, forKey: .next) }
            try object.encode(1, forKey: .value)
        }
        let plain = Failure.of { try encoder.encode(D(d: [[[[1]]]])) }?.code
        for value in [lists, listsOfSuper, objects] {
            #expect(Failure.of { try encoder.encode(D(d: value)) }?.code == plain)
        }
    }

    // Values that end.

    /// So many values, each of which encodes the next in place of itself.
    private final class Wrapper: Codable {
        var next: Wrapper?

        init(_ count: Int) {
            var wrapper = self
            for _ in 1..<count {
                let next = Wrapper(1)
                wrapper.next = next
                wrapper = next
            }
        }

        init(from decoder: any Decoder) throws {
            next = try? decoder.singleValueContainer().decode(Wrapper.self)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            if let next { try container.encode(next) } else { try container.encode(1) }
        }

        /// Ends the chain in a loop: each value's end ends the next, which needs a stack for all of them.
        func dismantle() {
            var wrapper: Wrapper? = self
            while let current = wrapper {
                wrapper = current.next
                current.next = nil
            }
        }
    }

    @Test func `wrappers of wrappers count as levels`() throws {
        for (count, isTooDeep) in [(15, false), (16, false), (17, true), (100_000, true)] {
            let wrapper = Wrapper(count)
            defer { wrapper.dismantle() }
            // The key is a level, and so is each wrapper but the first.
            let failure = Failure.of { try FormDataEncoder().encode(D(d: wrapper)) }
            #expect(failure == (isTooDeep ? Failure(.invalidValue, ["d"], .tooDeep) : nil))
        }
    }

    private indirect enum Tree: Codable, Equatable {
        case leaf(Int)
        case list([Tree])
        case table([String: Tree])

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let number = try? value.decode(Int.self) {
                self = .leaf(number)
            } else if let list = try? value.decode([Tree].self) {
                self = .list(list)
            } else {
                self = .table(try value.decode([String: Tree].self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .leaf(let number): try container.encode(number)
            case .list(let list): try container.encode(list)
            case .table(let table): try container.encode(table)
            }
        }

        /// A tree with so many keys or indices above its leaf.
        static func chain(_ depth: Int, _ wrap: (Tree) -> Tree) -> Tree {
            (0..<depth).reduce(.leaf(1)) { tree, _ in wrap(tree) }
        }
    }

    @Test func `a collection in place of a value is no level`() throws {
        let tree = Tree.chain(16) { .table(["a": $0]) }
        #expect(try FormDataDecoder().decode(Tree.self, from: FormDataEncoder().encode(tree)) == tree)
        let deep = Tree.chain(17) { .table(["a": $0]) }
        #expect(Failure.of { try FormDataEncoder().encode(deep) }?.code == .tooDeep)
    }

    private static let shapes: [@Sendable (Tree) -> Tree] = [
        { .list([$0]) }, { .table(["a": $0]) }, { .table(["0": $0]) },
    ]

    @Test(arguments: 0..<3)
    func `no maxDepth leads to the end of a stack`(shape: Int) throws {
        let codes = try Self.onSmallStack {
            let encoder = options(FormDataEncoder()) { $0.maxDepth = 100_000 }
            let decoder = options(FormDataDecoder()) {
                $0.maxDepth = 100_000
                $0.maxNameBytes = 1 << 20
            }
            var codes: [String?] = []
            for depth in [50, 64, 65, 100, 128, 256, 800] {
                let tree = Tree.chain(depth - 1, Self.shapes[shape])
                let encoded = Result { try encoder.encode(["a": tree]) }
                switch encoded {
                case .success(let form):
                    codes.append(Failure.of { try decoder.decode([String: Tree].self, from: form) }?.code?.description)
                case .failure(let error): codes.append(Failure(error).code?.description)
                }
                let key = shape == 1 ? "[a]" : "[0]"
                var form = MultipartFormData()
                form.append("1", withName: "a" + String(repeating: key, count: depth - 1))
                codes.append(Failure.of { try decoder.decode([String: Tree].self, from: form) }?.code?.description)
            }
            return codes
        }
        let expected = [nil, nil, nil, nil] + Array(repeating: "too-deep", count: 10)
        #expect(codes == expected)
    }

    @Test func `a name deeper than the ceiling is refused, whatever maxDepth is`() throws {
        let decoder = options(FormDataDecoder()) { $0.maxDepth = .max }
        let names = [64, 65].map { "a" + String(repeating: "[b]", count: $0 - 1) }
        #expect(throws: Never.self) { try decoder.decode(Opt.self, Part(names[0], Data())) }
        let failure = Failure.of { try decoder.decode(Opt.self, Part(names[1], Data())) }
        #expect(failure == Failure(.dataCorrupted, ["a"] + Array(repeating: "b", count: 63), .tooDeep))
    }

    // JSON in a part.

    private static let openings = ["[", "{\"a\":"]

    @Test(arguments: openings)
    func `JSON that is nested too deep is refused before it is decoded`(opening: String) throws {
        let closing = opening == "[" ? "]" : "}"
        let codes = try Self.onSmallStack {
            [1, 64, 65, 500, 10_000].map { depth in
                let text = String(repeating: opening, count: depth) + "1" + String(repeating: closing, count: depth)
                return Failure.of { try FormDataDecoder().decode(D<FormJSON<Tree>>.self, Part("d", Data(text.utf8))) }
            }
        }
        #expect(codes.prefix(2).allSatisfy { $0 == nil })
        #expect(codes.dropFirst(2).allSatisfy { $0 == Failure(.dataCorrupted, ["d"], .tooDeep) })
    }

    @Test func `what JSON has in its texts and comments is not nesting`() throws {
        let decoder = FormDataDecoder()
        let brackets = String(repeating: "[{", count: 5000)
        for text in [brackets, #"\""# + brackets, #"\\\""# + brackets + #"\\"#, "'" + brackets, "//" + brackets] {
            let json = #"{"a":["\#(text)"]}"#
            #expect(throws: Never.self) {
                try decoder.decode(D<FormJSON<[String: [String]]>>.self, Part("d", Data(json.utf8)))
            }
        }
        let long = String(repeating: "[],{},", count: 5000)
        #expect(Failure.of { try decoder.decode(D<FormJSON<Tree>>.self, Part("d", Data("[\(long)1]".utf8))) } == nil)
    }

    @Test func `JSON5 hides no nesting`() throws {
        let decoder = options(FormDataDecoder()) { $0.configureJSON = { $0.allowsJSON5 = true } }
        let deep = String(repeating: "[", count: 500)
        for start in [#"'"',"#, "/*\"*/", "//\"\n", "//'\r", #"'\'"',"#] {
            let text = "[" + start + deep + "1" + String(repeating: "]", count: 501)
            let code = Failure.of { try decoder.decode(D<FormJSON<Tree>>.self, Part("d", Data(text.utf8))) }?.code
            #expect(code == .tooDeep, "\(start)")
        }
    }

    @Test(arguments: [true, false])
    func `JSON that ends anywhere is an error`(allowsJSON5: Bool) {
        let decoder = options(FormDataDecoder()) { $0.configureJSON = { $0.allowsJSON5 = allowsJSON5 } }
        let json = Data(#"[{"a":"b\"},["c\"d",'e\'f'],/*g*h*/1,//i\#n2]"#.utf8)
        for count in 1..<json.count {
            let part = Part("d", json.prefix(count))
            let code = Failure.of { try decoder.decode(D<FormJSON<Tree>>.self, part) }?.code
            #expect(code == .invalidValue, "\(count)")
        }
    }

    @Test func `JSON is UTF-8`() throws {
        let decoder = FormDataDecoder()
        for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf32BigEndian] {
            let data = try #require("[[1]]".data(using: encoding))
            #expect(Failure.of { try decoder.decode(D<FormJSON<Tree>>.self, Part("d", data)) }?.code == .invalidText)
        }
    }

    @Test func `JSON may be written deeper than it is read`() throws {
        let tree = Tree.chain(100) { .list([$0]) }
        let form = try FormDataEncoder().encode(D(d: FormJSON(tree)))
        #expect(Failure.of { try FormDataDecoder().decode(D<FormJSON<Tree>>.self, from: form) }?.code == .tooDeep)
    }

    @Test func `JSON is written as its encoder writes it`() throws {
        struct Sample: Codable, Equatable {
            var date = Date(timeIntervalSince1970: 1)
            var data = Data([1, 2])
            var url = URL(string: "https://e.x")
            var table = ["firstKey": [1.5, .infinity]]
            var optional: Int?
        }
        let configure: @Sendable (JSONEncoder) -> Void = { json in
            json.outputFormatting = .sortedKeys
            json.keyEncodingStrategy = .convertToSnakeCase
            json.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "+",
                negativeInfinity: "-",
                nan: "?"
            )
        }
        let json = JSONEncoder()
        configure(json)
        let encoder = options(FormDataEncoder()) { $0.configureJSON = configure }
        let parts = try encoder.parts(D(d: FormJSON(Sample())))
        #expect(parts.map(\.content) == [try json.encode(Sample())])
    }
}
