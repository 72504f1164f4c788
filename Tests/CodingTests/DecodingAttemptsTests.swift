import Foundation
import MultipartForm
import TestSupport
import Testing

/// Decoding stays linear in the form, however many shapes a type tries.
///
/// A name `a[0]` is an element and a key, so a type that tries both decodes each level twice, unless what has failed is
/// remembered.
@Suite struct DecodingAttemptsTests {
    private static let counter = CodingUserInfoKey.named("counter")
    private static let file = Part("", Data("x".utf8), filename: "a")

    private static func count(_ decoder: any Decoder) {
        (decoder.userInfo[counter] as? Counter)?.increment()
    }

    /// What most packages call `AnyCodable`: scalars, then an array, then a dictionary, by one container.
    private struct AnyValue: Decodable {
        init(from decoder: any Decoder) throws {
            DecodingAttemptsTests.count(decoder)
            let value = try decoder.singleValueContainer()
            if (try? value.decode(Bool.self)) != nil { return }
            if (try? value.decode(Int.self)) != nil { return }
            if (try? value.decode(Double.self)) != nil { return }
            if (try? value.decode(String.self)) != nil { return }
            if (try? value.decode([AnyValue].self)) != nil { return }
            if (try? value.decode([String: AnyValue].self)) != nil { return }
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "nothing fits")
        }
    }

    /// Tries the initializers of collections itself, and ends with the last one's error.
    private struct Direct: Decodable {
        init(from decoder: any Decoder) throws {
            DecodingAttemptsTests.count(decoder)
            if (try? decoder.singleValueContainer().decode(String.self)) != nil { return }
            if (try? [Direct](from: decoder)) != nil { return }
            if (try? ContiguousArray<Direct>(from: decoder)) != nil { return }
            if (try? [Int: Direct](from: decoder)) != nil { return }
            _ = try [String: Direct](from: decoder)
        }
    }

    /// Tries an array and keys with containers of its own.
    private struct Contained: Decodable {
        init(from decoder: any Decoder) throws {
            DecodingAttemptsTests.count(decoder)
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

    /// Goes on although some of its elements fail.
    private struct Lossy: Decodable {
        init(from decoder: any Decoder) throws {
            DecodingAttemptsTests.count(decoder)
            if (try? decoder.singleValueContainer().decode(String.self)) != nil { return }
            let keys = try decoder.container(keyedBy: NodeView.Key.self)
            let failures = keys.allKeys.count { (try? keys.decode(Lossy.self, forKey: $0)) == nil }
            var list = try decoder.unkeyedContainer()
            while !list.isAtEnd { _ = try list.decode(Lossy.self) }
            if failures > 0 { throw Difference(text: "\(failures) failed") }
        }
    }

    /// Makes its own decoders, which nobody can tell from those of another value.
    private struct Bypassing: Decodable {
        init(from decoder: any Decoder) throws {
            DecodingAttemptsTests.count(decoder)
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
            DecodingAttemptsTests.count(decoder)
            list = try? [Both](from: decoder)
            table = try? [String: Both](from: decoder)
        }
    }

    /// Files at `a[0]…[0]`, fifteen indices deep, or so many beside each other at the end.
    private static func form(leaves: Int, atTop: Bool = false) -> MultipartFormData {
        let zeros = String(repeating: "[0]", count: leaves == 1 ? 15 : 14)
        return MultipartFormData(
            sending: (0..<leaves).map { index in
                var part = Self.file
                let last = leaves == 1 ? "" : "[\(index)]"
                part.name = atTop ? "a\(last)\(zeros)" : "a\(zeros)\(last)"
                return part
            }
        )
    }

    /// How often a type is asked to decode itself.
    private static func calls<T: Decodable>(_ type: T.Type, _ form: MultipartFormData) -> (Int, Failure?) {
        let counter = Counter()
        let decoder = options(FormDataDecoder()) {
            $0.userInfo[Self.counter] = counter
            $0.maxParts = 2000
        }
        let failure = Failure.of { try decoder.decode(type, from: form) }
        return (counter.value, failure)
    }

    private static let types: [any (Decodable & Sendable).Type] = [
        AnyValue.self, Direct.self, Contained.self, Lossy.self,
    ]

    @Test(arguments: [1, 101, 901], types.indices)
    func `a type that tries shapes is asked a few times at each name`(leaves: Int, type: Int) {
        let nodes = 17 + leaves
        let (count, failure) = Self.calls(Self.types[type], Self.form(leaves: leaves))
        #expect(count <= 2 * nodes && failure != nil, "\(count) calls for \(nodes) names")
    }

    @Test(arguments: types.indices)
    func `many deep names cost in proportion`(type: Int) {
        let nodes = 2 + 101 * 15
        let (count, failure) = Self.calls(Self.types[type], Self.form(leaves: 101, atTop: true))
        #expect(count <= 2 * nodes && failure != nil, "\(count) calls for \(nodes) names")
    }

    @Test func `types that cannot be told apart are stopped`() {
        for type: any Decodable.Type in [Bypassing.self, Both.self] {
            let (count, failure) = Self.calls(type, Self.form(leaves: 1))
            #expect(count < 20_000)
            #expect(failure?.code?.description == "too-many-attempts")
        }
    }

    @Test func `a type that keeps both readings of a shallow form is not stopped`() throws {
        let value = try FormDataDecoder().decode(Both.self, "a[0][0][0][0]=x", "a[1]=y")
        #expect(value.table?["a"]?.list?.count == 2)
    }

    /// An expression that is found by trying its keys, all of which an empty form lacks.
    private indirect enum Expression: Decodable, Sendable {
        case sum(Expression, Expression)
        case negation(Expression)
        case number(Int)

        private enum Key: CodingKey { case left, right, negated, number }

        init(from decoder: any Decoder) throws {
            DecodingAttemptsTests.count(decoder)
            let keys = try decoder.container(keyedBy: Key.self)
            if let left = try? keys.decode(Expression.self, forKey: .left),
                let right = try? keys.decode(Expression.self, forKey: .right)
            {
                self = .sum(left, right)
            } else if let negated = try? keys.decode(Expression.self, forKey: .negated) {
                self = .negation(negated)
            } else {
                self = .number(try keys.decode(Int.self, forKey: .number))
            }
        }
    }

    /// Tries itself three times, in a container of each kind.
    private struct Tree: Decodable {
        init(from decoder: any Decoder) throws {
            DecodingAttemptsTests.count(decoder)
            let keys = try decoder.container(keyedBy: NodeView.Key.self)
            for key in ["a", "b"] { _ = try? keys.decode(Tree.self, forKey: NodeView.Key(stringValue: key)) }
            var list = try keys.nestedUnkeyedContainer(forKey: NodeView.Key(stringValue: "c"))
            _ = try? list.decode(Tree.self)
            _ = try? keys.superDecoder().singleValueContainer().decode(Tree.self)
        }
    }

    /// Two types that contain each other, one of them in an optional and in arrays.
    private struct Parent: Decodable {
        init(from decoder: any Decoder) throws {
            DecodingAttemptsTests.count(decoder)
            let keys = try decoder.container(keyedBy: NodeView.Key.self)
            for key in ["a", "b", "c"] { _ = try? keys.decode(Child.self, forKey: NodeView.Key(stringValue: key)) }
        }
    }

    private struct Child: Decodable {
        init(from decoder: any Decoder) throws {
            DecodingAttemptsTests.count(decoder)
            let keys = try decoder.container(keyedBy: NodeView.Key.self)
            for key in ["a", "b"] {
                _ = try? keys.decode(Parent.self, forKey: NodeView.Key(stringValue: key))
                _ = try? keys.decodeIfPresent(Parent.self, forKey: NodeView.Key(stringValue: key))
                _ = try? keys.decode([Parent].self, forKey: NodeView.Key(stringValue: key))
                _ = try? keys.decode([String: Child].self, forKey: NodeView.Key(stringValue: key))
            }
        }
    }

    @Test(arguments: ["", "x=1", "a=1", "left[left][left]=1"])
    func `types that contain themselves have no empty value`(text: String) throws {
        let types: [any (Decodable & Sendable).Type] = [
            Expression.self, Tree.self, Parent.self, [String: Expression].self, [String: Tree].self, [Parent].self,
        ]
        for type in types {
            for style in [FormKeyPathEncoding.brackets, .dots, .json] {
                let counter = Counter()
                let decoder = options(FormDataDecoder()) {
                    $0.userInfo[Self.counter] = counter
                    $0.keyPathEncoding = style
                    $0.maxDepth = 64
                }
                let form = text.isEmpty ? MultipartFormData() : MultipartFormData(sending: [Part(stringLiteral: text)])
                _ = try? decoder.decode(type, from: form)
                #expect(counter.value <= 60, "\(type): \(counter.value) calls")
            }
        }
    }

    @Test func `nothing within nothing of the same type is missing`() {
        final class Link: Decodable { let next: Link }
        struct List: Decodable { let next: [List], last: [List]? }
        let failure = Failure(.keyNotFound("next"), ["d"], .missingValue)
        #expect(Failure.of { try FormDataDecoder().decode(D<Link>.self, "x=1") } == failure)
        #expect(throws: Never.self) { try FormDataDecoder().decode(D<List>.self, "x=1") }
    }

    /// Passes on a decoder of nothing, which nobody can tell from that of another value.
    private struct BypassingTree: Decodable {
        init(from decoder: any Decoder) throws {
            DecodingAttemptsTests.count(decoder)
            let keys = try decoder.container(keyedBy: NodeView.Key.self)
            for _ in 0..<3 { _ = try? BypassingTree(from: keys.superDecoder()) }
        }
    }

    /// Contains another type at each level.
    private struct Growing<Value>: Decodable {
        init(from decoder: any Decoder) throws {
            DecodingAttemptsTests.count(decoder)
            let keys = try decoder.container(keyedBy: NodeView.Key.self)
            for key in ["a", "b", "c"] {
                _ = try? keys.decode(Growing<Growing<Value>>.self, forKey: NodeView.Key(stringValue: key))
            }
        }
    }

    @Test func `requests of nothing are counted`() {
        for type: any Decodable.Type in [BypassingTree.self, Growing<Int>.self] {
            let (count, failure) = Self.calls(type, MultipartFormData())
            #expect(count < 60_000)
            #expect(failure?.code == .tooManyAttempts, "\(type): \(count)")
        }
    }

    /// Fails the first time it is asked at a place, as a type whose reading depends on something else.
    private struct Fickle: Decodable {
        init(from decoder: any Decoder) throws {
            let counter = try #require(decoder.userInfo[counter] as? Counter)
            guard counter.increment() > 1 else { throw Difference(text: "not yet") }
        }
    }

    private struct Retrying: Decodable {
        init(from decoder: any Decoder) throws {
            let keys = try decoder.container(keyedBy: NodeView.Key.self)
            let key = NodeView.Key(stringValue: "d")
            if (try? keys.decode(D<Fickle>.self, forKey: key)) != nil { return }
            _ = try keys.decode(D<Fickle>.self, forKey: key)
        }
    }

    @Test func `a type may succeed when it is tried again`() throws {
        let decoder = options(FormDataDecoder()) { $0.userInfo[Self.counter] = Counter() }
        #expect(throws: Never.self) { try decoder.decode(Retrying.self, "d[d]=1") }
    }

    /// Reaches a place by an index, then by keys.
    private struct Crossing: Decodable {
        init(from decoder: any Decoder) throws {
            if (try? [Crossing](from: decoder)) != nil { return }
            guard let keys = try? decoder.container(keyedBy: NodeView.Key.self) else {
                _ = try decoder.singleValueContainer().decode(Int.self)
                return
            }
            for key in keys.allKeys { _ = try keys.decode(Crossing.self, forKey: key) }
        }
    }

    @Test func `an error that is remembered has the path on which it is thrown`() throws {
        do {
            _ = try FormDataDecoder().decode(
                D<Crossing>.self,
                from: MultipartFormData(sending: [
                    Part("d" + String(repeating: "[0]", count: 10), Data("x".utf8))
                ])
            )
            Issue.record("decoded")
        } catch DecodingError.dataCorrupted(let context) {
            #expect(context.codingPath.map(\.stringValue) == ["d"] + Array(repeating: "0", count: 10))
            // The keys of that type have no numbers; those of array elements do.
            #expect(context.codingPath.allSatisfy { $0.intValue == nil })
            #expect((context.underlyingError as? FormDataCodingIssue)?.code == .invalidValue)
        }
    }
}
