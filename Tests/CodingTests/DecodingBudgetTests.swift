import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// A type may request so many values for each name and each part of a form, and no more.
///
/// A name `a[0]` is an element and a key, so a type that tries both decodes each level twice.
@Suite struct DecodingBudgetTests {
    private static let counter = CodingUserInfoKey.named("counter")

    private static func count(_ decoder: any Decoder) {
        (decoder.userInfo[counter] as? Counter)?.increment()
    }

    /// Tries the initializers of collections itself, and ends with the last one's error.
    private struct Direct: Decodable {
        init(from decoder: any Decoder) throws {
            DecodingBudgetTests.count(decoder)
            if (try? decoder.singleValueContainer().decode(Int.self)) != nil { return }
            if (try? [Direct](from: decoder)) != nil { return }
            _ = try [String: Direct](from: decoder)
        }
    }

    /// Tries an array and keys with containers of its own.
    private struct Contained: Decodable {
        init(from decoder: any Decoder) throws {
            DecodingBudgetTests.count(decoder)
            if (try? decoder.singleValueContainer().decode(Int.self)) != nil { return }
            if (try? Self.walk(decoder)) != nil { return }
            let keys = try decoder.container(keyedBy: NodeView.Key.self)
            for key in keys.allKeys { _ = try keys.decode(Contained.self, forKey: key) }
        }

        private static func walk(_ decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            while !list.isAtEnd { _ = try list.decode(Contained.self) }
        }
    }

    /// Makes its own decoders, which nobody can tell from those of another value.
    private struct Bypassing: Decodable {
        init(from decoder: any Decoder) throws {
            DecodingBudgetTests.count(decoder)
            if (try? Self.walk(decoder)) != nil { return }
            let keys = try decoder.container(keyedBy: NodeView.Key.self)
            for key in keys.allKeys { _ = try Bypassing(from: keys.superDecoder(forKey: key)) }
            if keys.allKeys.isEmpty { throw Difference(text: "no keys") }
        }

        private static func walk(_ decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            while !list.isAtEnd { _ = try Bypassing(from: list.superDecoder()) }
        }
    }

    /// Keeps an array and a dictionary at once, so that nothing fails.
    private struct Both: Decodable {
        var list: [Both]?
        var table: [String: Both]?

        init(from decoder: any Decoder) throws {
            DecodingBudgetTests.count(decoder)
            list = try? [Both](from: decoder)
            table = try? [String: Both](from: decoder)
        }
    }

    /// Asks nothing for values, again and again.
    private struct Absent: Decodable {
        init(from decoder: any Decoder) throws {
            DecodingBudgetTests.count(decoder)
            let keys = try decoder.container(keyedBy: NodeView.Key.self)
            for key in ["a", "b", "c"] { _ = try? keys.decode(Absent.self, forKey: NodeView.Key(stringValue: key)) }
        }
    }

    /// Contains another type at each level.
    private struct Growing<Value>: Decodable {
        init(from decoder: any Decoder) throws {
            DecodingBudgetTests.count(decoder)
            let value = try decoder.singleValueContainer()
            for _ in 0..<3 { _ = try? value.decode(Growing<Growing<Value>>.self) }
        }
    }

    private static let types: [any (Decodable & Sendable).Type] = [
        Direct.self, Contained.self, Bypassing.self, Both.self, Absent.self, Growing<Int>.self, GuessedValue.self,
    ]

    /// A part at `a[0]…[0]`, fifteen indices deep, or so many beside each other at the end.
    private static func form(leaves: Int) -> MultipartFormData {
        let zeros = String(repeating: "[0]", count: 14)
        return MultipartFormData(
            sending: (0..<leaves).map { Part("a\(zeros)[\($0)]", Data("x".utf8), filename: "a") }
        )
    }

    /// How often a type is asked to decode itself.
    private static func calls<T: Decodable>(_ type: T.Type, _ form: MultipartFormData) -> (Int, Failure?) {
        let counter = Counter()
        let decoder = options(FormDataDecoder()) {
            $0.userInfo[Self.counter] = counter
            $0.userInfo[GuessedValue.counter] = counter
            $0.maxParts = 10_000
        }
        let failure = Failure.of { try decoder.decode([String: T].self, from: form) }
        return (counter.value, failure)
    }

    @Test(arguments: types.indices, [1, 100])
    func `a type that requests far more values than the form has is stopped`(type: Int, leaves: Int) {
        let (count, failure) = Self.calls(Self.types[type], Self.form(leaves: leaves))
        #expect(failure?.code == .tooManyAttempts)
        #expect(count <= 10_000 + 64 * (17 + 2 * leaves))
    }

    @Test func `an error that a type catches is thrown at the end`() {
        struct Catching: Decodable {
            init(from decoder: any Decoder) throws {
                let keys = try decoder.container(keyedBy: NodeView.Key.self)
                for _ in 0..<20_000 { _ = try? keys.decode(Int.self, forKey: NodeView.Key(stringValue: "d")) }
            }
        }
        let failure = Failure.of { try FormDataDecoder().decode(Catching.self, "d=1") }
        #expect(failure == Failure(.dataCorrupted, ["d"], .tooManyAttempts))
    }

    @Test func `a type that keeps both readings of a shallow form is not stopped`() throws {
        let value = try FormDataDecoder().decode(Both.self, "a[0][0][0][0]=x", "a[1]=y")
        #expect(value.table?["a"]?.list?.count == 2)
    }

    @Test func `a value, an element, a text and a key cost 1, and what is absent or has no members nothing`() throws {
        /// Requests values so often.
        struct Requesting: Decodable {
            init(from decoder: any Decoder) throws {
                let keys = try decoder.container(keyedBy: NodeView.Key.self)
                let key = NodeView.Key(stringValue: "a"), absent = NodeView.Key(stringValue: "b")
                let request = decoder.userInfo[.named("request")] as? Int ?? 0
                for _ in 0..<(decoder.userInfo[.named("count")] as? Int ?? 0) {
                    switch request {
                    case 0: _ = try keys.decode([String].self, forKey: key)
                    case 1: _ = try keys.nestedUnkeyedContainer(forKey: key)
                    case 2: _ = keys.allKeys
                    case 3: _ = try keys.superDecoder(forKey: key)
                    case 4: _ = try decoder.container(keyedBy: NodeView.Key.self)
                    case 5: _ = try keys.decodeIfPresent(Int.self, forKey: absent)
                    default: _ = keys.contains(key)
                    }
                }
            }
        }
        // The root, its key and three parts.
        let budget = 10_000 + 64 * 5
        func isExceeded(_ request: Int, _ count: Int) -> Bool {
            let decoder = options(FormDataDecoder()) {
                $0.userInfo[.named("request")] = request
                $0.userInfo[.named("count")] = count
            }
            return Failure.of { try decoder.decode(Requesting.self, "a=1", "a=2", "a=3") }?.code == .tooManyAttempts
        }
        // An array of texts: itself, its elements, and each of them as a value and as a text.
        let costs = [10, 4, 1, 1]
        for (request, cost) in costs.enumerated() {
            #expect(!isExceeded(request, budget / cost) && isExceeded(request, budget / cost + 1), "\(request)")
        }
        for request in 4...6 { #expect(!isExceeded(request, 100_000), "\(request)") }
    }

    @Test func `an error costs 4 more`() throws {
        /// Catches errors so often.
        struct Catching: Decodable {
            init(from decoder: any Decoder) throws {
                let keys = try decoder.container(keyedBy: NodeView.Key.self)
                for _ in 0..<(decoder.userInfo[.named("count")] as? Int ?? 0) {
                    _ = try? keys.decode(Int.self, forKey: NodeView.Key(stringValue: "a"))
                }
            }
        }
        // The root, its key and a part.
        let count = (10_000 + 64 * 3) / 5
        for (count, isExceeded) in [(count, false), (count + 2, true)] {
            let decoder = options(FormDataDecoder()) { $0.userInfo[.named("count")] = count }
            let failure = Failure.of { try decoder.decode(Catching.self, "a=x") }
            #expect((failure?.code == .tooManyAttempts) == isExceeded)
        }
    }

    /// Requests something so often from a form with one part, and tells whether that exceeds the budget.
    private struct Repeating: Decodable {
        enum Request: Sendable { case text, json, keys, elements, error }
        static let request = CodingUserInfoKey.named("request"), count = CodingUserInfoKey.named("count")

        init(from decoder: any Decoder) throws {
            let keys = try decoder.container(keyedBy: NodeView.Key.self)
            let key = NodeView.Key(stringValue: "a")
            for _ in 0..<(decoder.userInfo[Self.count] as? Int ?? 0) {
                switch decoder.userInfo[Self.request] as? Request {
                case .text?: _ = try keys.decode(String.self, forKey: key)
                case .json?: _ = try keys.decode(FormJSON<String>.self, forKey: key)
                case .keys?: _ = try keys.nestedContainer(keyedBy: NodeView.Key.self, forKey: key).allKeys
                case .elements?: _ = try? keys.nestedUnkeyedContainer(forKey: key)
                default: if let key = keys.allKeys.first { _ = try? keys.decode(Int.self, forKey: key) }
                }
            }
        }
    }

    @Test func `what is read costs by its bytes`() throws {
        let name = String(repeating: "k", count: 1600), text = String(repeating: "9", count: 3200)
        // For each: the form, what it may spend beside 10,000 units, and what a request costs.
        let rows: [(Repeating.Request, Part, Int, Int)] = [
            (.text, Part("a", Data(text.utf8)), 64 * 3 + 3200 / 4, 101),
            // The value, and the text that it reads.
            (.json, Part("a", Data("\"\(text)\"".utf8)), 64 * 3 + 3202 / 4, 1 + 101),
            // A container, and a key of 1,600 bytes.
            (.keys, Part("a[\(name)]", Data()), 64 * 4 + 1603 / 8, 1 + 51),
            // A container whose key is no index, and the error.
            (.elements, Part("a[\(name)]", Data()), 64 * 4 + 1603 / 8, 1 + 51 + 4),
            // The key, the text and the error, which names the key.
            (.error, Part(name, Data("x".utf8)), 64 * 3 + 1600 / 8, 51 + 1 + 104),
        ]
        for (request, part, allowance, cost) in rows {
            let most = (10_000 + allowance) / cost
            for (count, isExceeded) in [(most, false), (most + 2, true)] {
                let decoder = options(FormDataDecoder()) {
                    $0.userInfo[Repeating.request] = request
                    $0.userInfo[Repeating.count] = count
                }
                let failure = Failure.of { try decoder.decode(Repeating.self, part) }
                #expect(
                    (failure?.code == .tooManyAttempts) == isExceeded,
                    "\(request), \(count) times: \(failure as Any)"
                )
            }
        }
    }

    @Test func `honest texts decode after eight other tries`() throws {
        /// Tries nine types.
        struct Tried: Decodable {
            init(from decoder: any Decoder) throws {
                let value = try decoder.singleValueContainer()
                let types: [any Decodable.Type] = [
                    Bool.self, Int8.self, Int16.self, Int32.self, Int.self, UInt.self, Float.self, Double.self,
                ]
                for type in types where (try? value.decode(type)) != nil { return }
                _ = try value.decode(String.self)
            }
        }
        let texts = (0..<1000).map { Part("a[]", Data("text \($0)".utf8)) }
        let form = try MultipartFormData(receiving: texts)
        #expect(try FormDataDecoder().decode([String: [Tried]].self, from: form)["a"]?.count == 1000)
        let fields = (0..<985).map { Part("field\($0 % 15)", Data("text".utf8)) }
        #expect(try FormDataDecoder().decode([String: [Tried]].self, from: .init(receiving: fields)).count == 15)
    }

    @Test func `many parts of one name decode`() throws {
        var form = MultipartFormData()
        for index in 0..<20_000 { form.append("\(index)", withName: "d") }
        let decoder = options(FormDataDecoder()) { $0.maxParts = 20_000 }
        #expect(try decoder.decode(D<[Int]>.self, from: form).d == Array(0..<20_000))
    }
}
