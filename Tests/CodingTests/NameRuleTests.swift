import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// How names become a tree of keys.
@Suite struct NameRuleTests {
    private let decoder = FormDataDecoder()
    private let dots = options(FormDataDecoder()) { $0.keyPathEncoding = .dots }

    @Test func `the decoded type decides what a node is`() throws {
        #expect(try decoder.decode(D<[Int]>.self, "d[0]=1").d == [1])
        #expect(try decoder.decode(D<[Int: Int]>.self, "d[0]=1").d == [0: 1])
        #expect(try decoder.decode(D<Int>.self, "d=1").d == 1)
        #expect(try decoder.decode(D<[Int]>.self, "d=1").d == [1])
    }

    @Test func `keys are compared by their bytes`() throws {
        struct Keys: Decodable, Equatable {
            enum CodingKeys: String, CodingKey {
                case precomposed = "é"
                case decomposed = "e\u{301}"
            }
            var precomposed: Int
            var decomposed: Int
        }
        let keys = try decoder.decode(Keys.self, "é=1", "e\u{301}=2")
        #expect(keys == Keys(precomposed: 1, decomposed: 2))
        let failure = Failure(.dataCorrupted, [], .duplicateName)
        #expect(Failure.of { try decoder.decode([String: Int].self, "é=1", "e\u{301}=2") } == failure)
        let numbers = Failure(.dataCorrupted, ["d"], .duplicateName)
        #expect(Failure.of { try decoder.decode(D<[Int: Int]>.self, "d[1]=1", "d[01]=2") } == numbers)
        #expect(Failure.of { try decoder.decode(D<[Int: Int]>.self, "d[1]=1", "d[+1]=2") } == numbers)
        #expect(try decoder.decode(D<[String: Int]>.self, "d[1]=1", "d[01]=2").d == ["1": 1, "01": 2])
    }

    /// Calls the initializer of a dictionary itself.
    private struct Calling<Key: Decodable & Hashable>: Decodable {
        var values: [Key: String]
        init(from decoder: any Decoder) throws {
            values = try [Key: String](from: decoder)
        }
    }

    private enum Level: Int, Decodable, CodingKeyRepresentable {
        case one = 1
        case two
    }

    /// A key for which letter case does not count.
    private struct Word: Decodable, Hashable, CodingKeyRepresentable {
        let text: String
        var codingKey: any CodingKey { NodeView.Key(stringValue: text) }
        init?(codingKey: some CodingKey) { text = codingKey.stringValue.lowercased() }
    }

    @Test func `keys that are equal for their type are refused`() throws {
        let failure = Failure(.dataCorrupted, ["d"], .duplicateName)
        #expect(Failure.of { try decoder.decode(D<[Word: Int]>.self, "d[a]=1", "d[b]=2", "d[A]=3") } == failure)
        #expect(try decoder.decode(D<[Word: Int]>.self, "d[a]=1", "d[B]=2").d.count == 2)
    }

    @Test func `equal keys are also refused where a type calls the initializer of a dictionary`() throws {
        let failure = Failure(.dataCorrupted, ["d"], .duplicateName)
        #expect(Failure.of { try decoder.decode(D<Calling<Int>>.self, "d[1]=a", "d[01]=b", "d[+1]=c") } == failure)
        #expect(Failure.of { try decoder.decode(D<Calling<Int>>.self, "d[+1]=a", "d[1]=b") } == failure)
        #expect(Failure.of { try decoder.decode(D<Calling<Level>>.self, "d[1]=a", "d[01]=b") } == failure)
        #expect(Failure.of { try decoder.decode(D<Calling<String>>.self, "d[é]=a", "d[e\u{301}]=b") } == failure)
        #expect(try decoder.decode(D<Calling<Int>>.self, "d[1]=a", "d[-1]=b", "d[2]=c").d.values.count == 3)
        #expect(try decoder.decode(D<Calling<String>>.self, "d[1]=a", "d[x]=b", "d[y]=c").d.values.count == 3)
        #expect(try decoder.decode([String: Calling<Int>].self, "a[1]=x", "b[01]=y").count == 2)
        let inner = Failure(.dataCorrupted, ["a"], .duplicateName)
        #expect(Failure.of { try decoder.decode([String: Calling<Int>].self, "a[1]=x", "a[01]=y") } == inner)
    }

    @Test func `outside of a dictionary keys are compared by their bytes alone`() throws {
        struct Names: Decodable {
            var names: [String]
            init(from decoder: any Decoder) throws {
                names = try decoder.container(keyedBy: NodeView.Key.self).allKeys.map(\.stringValue)
            }
        }
        #expect(try decoder.decode(D<Names>.self, "d[é]=1", "d[e\u{301}]=2", "d[1]=3", "d[01]=4").d.names.count == 4)
    }

    @Test func `limits are checked before anything is built`() throws {
        var small = decoder
        (small.maxParts, small.maxNameBytes, small.maxDepth) = (2, 4, 2)
        #expect(throws: Never.self) { try small.decode(D<Int?>.self, "abcd=1", "a[b]=1") }
        #expect(Failure.of { try small.decode(D<Int?>.self, "a=", "a=", "a=") }?.code == .tooManyParts)
        let long = Failure.of { try small.decode(D<Int?>.self, "a=", "abcde=") }
        #expect(long?.code == .nameTooLong && long?.cause?.partName == "abcde" && long?.cause?.partIndex == 1)
        let deep = options(small) { $0.maxNameBytes = 100 }
        #expect(
            Failure.of { try deep.decode(D<Int?>.self, "a[b][]=") } == Failure(.dataCorrupted, ["a", "b"], .tooDeep)
        )
        #expect(
            Failure.of { try deep.decode(D<Int?>.self, "a[b][c]=") } == Failure(.dataCorrupted, ["a", "b"], .tooDeep)
        )
        // One key, whole.
        #expect(throws: Never.self) { try deep.decode(D<Int?>.self, "a[b][c][=") }
    }

    @Test func `an index allocates nothing and cannot overflow`() throws {
        let huge = "d[18446744073709551616]"
        let parts: [Part] = [Part(huge, Data("b".utf8)), "d[4294967296]=a"]
        #expect(Failure.of { try decoder.decode(D<[String]>.self, parts[0]) }?.code == .sparseArray)
        #expect(Failure.of { try decoder.decode(D<[String]>.self, parts[0], parts[1]) }?.code == .sparseArray)
        #expect(try decoder.decode(D<[String: String]>.self, parts[0]).d == ["18446744073709551616": "b"])
    }

    @Test func `many names with the same keys below different heads take linear time`() throws {
        let keys = String(repeating: "[x]", count: 62)
        let form = MultipartFormData(sending: (0..<2500).map { Part("\($0)\(keys)", Data()) })
        let large = options(decoder) { ($0.maxParts, $0.maxDepth) = (2500, 64) }
        #expect(try large.decode(Opt.self, from: form) == Opt())
    }

    @Test func `content is shared and not copied`() throws {
        let body = try MultipartFormData(sending: [Part("d", Data(count: 1 << 20), filename: "a")]).encode()
        let boundary = String(decoding: body.prefix(while: { $0 != 13 }).dropFirst(2), as: UTF8.self)
        let form = try MultipartFormData(parsing: body, contentType: "multipart/form-data; boundary=\(boundary)")
        let data = try decoder.decode(D<Data>.self, from: form).d
        let isInside = body.withUnsafeBytes { whole in
            data.withUnsafeBytes { part in
                guard let start = whole.baseAddress, let place = part.baseAddress else { return false }
                return place >= start && place + part.count <= start + whole.count
            }
        }
        #expect(isInside && data.count == 1 << 20)
    }

    @Test(arguments: ["a[b", "a]", "[x]", "a[b]c", "[]", "", "a[b]]", "a[[b]]", "]", "[", "[]a", "a]b[c]"])
    func `a name of another form is one key`(name: String) throws {
        #expect(try decoder.decode([String: Int].self, Part(name, Data("1".utf8))) == [name: 1])
        #expect(try dots.decode([String: Int].self, Part(name, Data("1".utf8))) == [name: 1])
    }

    @Test(arguments: [".a", "a.", "a..b", "a[x]", "a.[0]", "a[0]b", "a[0x]", "a.b]"])
    func `with dots, a name of another form is one key`(name: String) throws {
        #expect(try dots.decode([String: Int].self, Part(name, Data("1".utf8))) == [name: 1])
    }

    @Test func `keys stand in brackets or after dots`() throws {
        #expect(try decoder.decode(D<[String: [[Int]]]>.self, "d[a.b][0][]=1").d == ["a.b": [[1]]])
        #expect(try dots.decode(D<[String: [[Int]]]>.self, "d.a[0][]=1").d == ["a": [[1]]])
        #expect(try dots.decode(D<[Int]>.self, "d.1=2", "d[0]=1").d == [1, 2])
    }

    @Test func `brackets without an index stand only at the end`() throws {
        for name in ["d[][a]", "d[][]", "d[][0]"] {
            let failure = Failure(.dataCorrupted, ["d"], .ambiguousArray)
            #expect(Failure.of { try decoder.decode(D<Int>.self, Part(name, Data())) } == failure)
            #expect(Failure.of { try decoder.decode(D<[Int]?>.self, Part(name, Data())) } == failure)
            #expect(Failure.of { try decoder.decode(D<[String: Int]>.self, Part(name, Data())) } == failure)
            #expect(throws: Never.self) { try decoder.decode(Opt.self, Part(name, Data())) }
        }
        let failure = Failure(.dataCorrupted, ["d", "a"], .ambiguousArray)
        #expect(Failure.of { try decoder.decode(D<[String: [Int]]>.self, "d[a][][b]=1") } == failure)
        #expect(Failure.of { try dots.decode(D<Int>.self, "d[].a=1") }?.code == .ambiguousArray)
    }

    private struct Person: Decodable, Equatable {
        var name: String?
        var tags: [String]?
    }

    private struct Team: Decodable, Equatable {
        var users: [Person] = []
        var lead: Person?
    }

    private func malformed(_ keys: String...) -> Failure { Failure(.dataCorrupted, keys, .malformedName) }

    private static let otherStyles: [(decoder: FormDataDecoder, names: [String])] = {
        let dotted = ["d[-1].name", "d[x].name", "d[ 0].name", "d[1.5].name", "d[+1]", "d[a][0]", "d[0x]y", "d[x]"]
        let both = ["d[0]name", "d[0", "d]", "d[a]b[c]", "d[[0]]", "d]["]
        let belowKeys = ["d.a[x]", "d.a[0]b", "d.[0]"]
        let joined = ["d[0]", "d[]", "d[0][name]", "d[0].name"]
        return [
            (FormDataDecoder(), both + ["d[0].name", "d[0].tags[0]", "d[].name"]),
            (options(FormDataDecoder()) { $0.keyPathEncoding = .dots }, both + dotted + belowKeys),
            (options(FormDataDecoder()) { $0.keyPathEncoding = .json }, both + joined),
        ]
    }()

    @Test func `a name of another style is never an empty array`() throws {
        enum Choice: Decodable, Equatable { case one(name: String) }
        for (decoder, names) in Self.otherStyles {
            for name in names {
                let part = Part(name, Data("A".utf8))
                #expect(Failure.of { try decoder.decode(D<[Person]>.self, part) } == malformed("d"), "\(name)")
                #expect(Failure.of { try decoder.decode(D<[Person]?>.self, part) } == malformed("d"), "\(name)")
                #expect(Failure.of { try decoder.decode(D<[FormFile]>.self, part) } == malformed("d"), "\(name)")
                #expect(Failure.of { try decoder.decode(D<Person>.self, part) } == malformed("d"), "\(name)")
                #expect(Failure.of { try decoder.decode(D<Person?>.self, part) } == malformed("d"), "\(name)")
                #expect(Failure.of { try decoder.decode(D<Choice?>.self, part) } == malformed("d"), "\(name)")
                #expect(Failure.of { try decoder.decode(D<[String: Int]>.self, part) } == malformed("d"), "\(name)")
                // It is one key, whole.
                #expect(try decoder.decode([String: String].self, part, "d=1") == [name: "A", "d": "1"], "\(name)")
                #expect(try decoder.decode(Opt.self, part) == Opt(), "\(name)")
                let strict = options(decoder) { $0.unknownNames = .reject }
                let unknown = Failure(.dataCorrupted, [name], .unknownName)
                #expect(Failure.of { try strict.decode(D<Int>.self, "d=1", part) } == unknown, "\(name)")
            }
        }
    }

    @Test func `a name of another style is refused whatever else has its key`() throws {
        let styles: [(FormDataDecoder, [Part])] = [
            (decoder, ["d[0][name]=B", "d[a]=1", "d=1"]), (dots, ["d[0].name=B", "d.a=1", "d=1"]),
        ]
        for (decoder, others) in styles {
            for name in ["d[0]name", "d[0", "d]"] {
                for other in others {
                    let parts = [Part(name, Data("A".utf8)), other]
                    for (first, second) in [(parts[0], parts[1]), (parts[1], parts[0])] {
                        let failure = Failure.of { try decoder.decode(D<[Person]>.self, first, second) }
                        #expect(failure == malformed("d"))
                        #expect(failure?.cause?.partName == name)
                        #expect(failure?.cause?.partIndex == (first.name == name ? 0 : 1))
                        #expect(Failure.of { try decoder.decode(D<[String: Int]>.self, first, second) } == failure)
                    }
                }
            }
        }
    }

    /// A type that asks for a single value, and does not say so.
    private struct Single<Value: Decodable>: Decodable {
        var value: Value
        init(from decoder: any Decoder) throws {
            value = try decoder.singleValueContainer().decode(Value.self)
        }
    }

    @Test func `a name of another style is not lost beside an empty part`() throws {
        enum Choice: Decodable { case one(name: String) }
        // In JSON's style any name is well-formed, and so may be a key of its own.
        for (decoder, names) in Self.otherStyles.dropLast() {
            for name in names where name.contains("[") || name.contains("]") {
                let other = Part(name, Data("A".utf8))
                for empty in ["d=", Part("d", Data(), filename: "")] {
                    for parts in [[other, empty], [empty, other]] {
                        let form = MultipartFormData(sending: parts)
                        func failure<T: Decodable>(_ type: T.Type) -> Failure? {
                            Failure.of { try decoder.decode(D<T?>.self, from: form) }
                        }
                        #expect(failure([Person].self) == malformed("d"), "\(name)")
                        #expect(failure(Set<Int>.self) == malformed("d"), "\(name)")
                        #expect(failure([FormFile].self) == malformed("d"), "\(name)")
                        #expect(failure([String: Int].self) == malformed("d"), "\(name)")
                        #expect(failure(Person.self) == malformed("d"), "\(name)")
                        #expect(failure(Choice.self) == malformed("d"), "\(name)")
                        #expect(failure(Optional<Person>.self) == malformed("d"), "\(name)")
                        #expect(try decoder.decode(D<Int?>.self, from: form).d == nil, "\(name)")
                        #expect(try decoder.decode(D<FormFile?>.self, from: form).d == nil, "\(name)")
                        #expect(try decoder.decode(D<FormJSON<Int>?>.self, from: form).d == nil, "\(name)")
                        // A type that is neither a leaf nor a part type is decoded.
                        #expect(failure(Single<Int>.self) != nil, "\(name)")
                    }
                }
            }
        }
    }

    @Test func `of several names of another style an error names the first`() throws {
        for names in [["d[0]name", "d[0"], ["d[0", "d[0]name"], ["d]", "d[1", "d[0]name"]] {
            let form = MultipartFormData(sending: names.map { Part($0, Data("A".utf8)) })
            let cause = try #require(Failure.of { try decoder.decode(D<[Person]>.self, from: form) }?.cause)
            #expect(cause.partName == names[0])
            #expect(cause.partIndex == 0)
        }
    }

    @Test func `a leaf or a part type does not see names of another style`() throws {
        for (decoder, names) in Self.otherStyles {
            for part in (names + ["d."]).map({ Part($0, Data("A".utf8)) }) {
                #expect(try decoder.decode(D<Int>.self, part, "d=1").d == 1)
                #expect(try decoder.decode(D<Int?>.self, part).d == nil)
                #expect(try decoder.decode(D<UUID?>.self, part).d == nil)
                #expect(try decoder.decode(D<FormFile?>.self, part).d == nil)
                #expect(try decoder.decode(D<BodyPart?>.self, part).d == nil)
                #expect(try decoder.decode(D<FormJSON<Int>?>.self, part).d == nil)
                let unchecked = options(decoder) { $0.absentBoolsAreFalse = true }
                #expect(try unchecked.decode(D<Bool>.self, part).d == false)
                let missing = Failure(.keyNotFound("d"), [], .missingValue)
                #expect(Failure.of { try decoder.decode(D<Int>.self, part) } == missing)
                #expect(Failure.of { try decoder.decode(D<FormFile>.self, part) } == missing)
            }
        }
    }

    @Test
    func `a raw value is nil beside names of another style, as an image input sends, and a type of its own is not`()
        throws
    {
        enum Size: String, Decodable { case small }
        let missing = Failure(.keyNotFound("d"), [], .missingValue)
        for (decoder, names) in Self.otherStyles.dropLast() {
            for part in names.map({ Part($0, Data("A".utf8)) }) {
                #expect(try decoder.decode(D<Size?>.self, part).d == nil)
                #expect(Failure.of { try decoder.decode(D<Size>.self, part) } == missing)
                #expect(Failure.of { try decoder.decode(D<Single<Int>?>.self, part) } == missing)
                #expect(try decoder.decode(D<Size?>.self, part, "d=small").d == .small)
            }
        }
    }

    @Test func `a container contains a key that names of another style begin with`() throws {
        /// The keys that a form contains.
        struct Contained: Decodable {
            var keys: [String]

            init(from decoder: any Decoder) throws {
                let root = try decoder.container(keyedBy: NodeView.Key.self)
                keys = ["a", "b", "c"].filter { root.contains(NodeView.Key(stringValue: $0)) }
            }
        }
        let decoder = FormDataDecoder()
        #expect(try decoder.decode(Contained.self, "a.x=1", "b]=1").keys == ["a", "b"])
        #expect(try decoder.decode(Contained.self, "a[x.y]=1", "x[a.b]=1").keys == ["a"])
    }

    @Test func `a key that the style would split is refused, and never absent`() throws {
        struct Renamed: Codable, Equatable {
            enum CodingKeys: String, CodingKey {
                case tags = "tags[]"
                case street = "address[street]"
            }

            var tags: [String]
            var street: String?
        }
        struct Dotted: Codable, Equatable {
            enum CodingKeys: String, CodingKey { case value = "a.b" }
            var value: Int?
        }
        struct Whole: Decodable {
            enum CodingKeys: String, CodingKey {
                case open = "a[b"
                case dots = "items[0].id"
            }

            var open: Int
            var dots: Int
        }
        let (plain, dots) = (FormDataDecoder(), options(FormDataDecoder()) { $0.keyPathEncoding = .dots })
        let json = options(FormDataDecoder()) { $0.keyPathEncoding = .json }
        let refused = Failure(.dataCorrupted, ["tags[]"], .invalidKey)
        #expect(Failure.of { try plain.decode(Renamed.self, "tags[]=a", "address[street]=x") } == refused)
        #expect(Failure.of { try plain.decode(Renamed.self) } == refused)
        #expect(Failure.of { try plain.decode(Renamed.self) }?.cause?.httpStatus == 500)
        let street = Failure.of { try plain.decode([String: Renamed].self, "k[tags]=a", "k[address][street]=x") }
        #expect(street == Failure(.dataCorrupted, ["k", "tags[]"], .invalidKey))
        #expect(Failure.of { try dots.decode(Dotted.self, "a.b=1") } == Failure(.dataCorrupted, ["a.b"], .invalidKey))
        #expect(try plain.decode(Dotted.self, "a.b=1") == Dotted(value: 1))
        #expect(try json.decode(Renamed.self, #"tags[]=["a"]"#) == Renamed(tags: ["a"], street: nil))
        // A name that is not of the style is one key.
        let whole = try plain.decode(Whole.self, "a[b=1", "items[0].id=2")
        #expect(whole.open == 1 && whole.dots == 2)
        // The encoder refuses the same keys.
        let encoded = Failure.of { try FormDataEncoder().encode(Renamed(tags: ["a"], street: nil)) }
        #expect(encoded == Failure(.invalidValue, ["tags[]"], .invalidKey))
    }

    @Test func `two names that are one key of a dictionary are refused in these words`() throws {
        let failure = Failure.of { try FormDataDecoder().decode(D<[Int: String]>.self, "d[007]=a", "d[7]=b") }
        #expect(failure?.code == .duplicateName && failure?.cause?.partName == "d[7]")
        #expect(failure?.text == "\"d[7]\": another name is the same key of the dictionary")
    }

    @Test func `a name with dots and no bracket counts if nothing else has its key`() throws {
        for name in ["d.0.name", "d.name", "d..", "d."] {
            let part = Part(name, Data("A".utf8))
            let failure = Failure.of { try decoder.decode(D<[Person]>.self, part, part) }
            #expect(failure == malformed("d") && failure?.cause?.partName == name && failure?.cause?.partIndex == 0)
            #expect(Failure.of { try decoder.decode(D<Person?>.self, part) } == malformed("d"))
            #expect(try decoder.decode(D<[Person]>.self, part, "d[0][name]=B").d == [Person(name: "B", tags: nil)])
            #expect(try decoder.decode(D<[Person]>.self, "d[0][name]=B", part).d == [Person(name: "B", tags: nil)])
            #expect(try decoder.decode(D<[String: Int]>.self, part, "d[a]=1").d == ["a": 1])
            #expect(try decoder.decode([String: String].self, part) == [name: "A"])
        }
        #expect(Failure.of { try dots.decode(D<[Person]>.self, "d..name=A") } == malformed("d"))
        // An error of another part names that one.
        let cause = Failure.of { try decoder.decode(D<Int>.self, "d.name=A", "d[a]=1") }?.cause
        #expect(cause?.code == .expectedValue && cause?.partIndex == 1)
    }

    @Test func `where values are JSON, a name that joins keys is never an empty value`() throws {
        let json = options(decoder) { $0.keyPathEncoding = .json }
        for name in ["d.0.name", "d.name", "d.", "d[0]", "d]"] {
            let part = Part(name, Data("A".utf8))
            #expect(Failure.of { try json.decode(D<[Person]>.self, part) } == malformed("d"), "\(name)")
            #expect(Failure.of { try json.decode(D<Person?>.self, part) } == malformed("d"), "\(name)")
            #expect(try json.decode(D<[Person]>.self, part, "d=[]").d.isEmpty, "\(name)")
            #expect(try json.decode([String: String].self, part) == [name: "A"], "\(name)")
        }
    }

    @Test func `a name with a dot alone hides none of another style, and the first of several is named`() throws {
        for parts in [["d.x=1", "d[0]y=2", "d[0][name]=B"], ["d[0][name]=B", "d.x=1", "d[0]y=2"]] as [[Part]] {
            let failure = Failure.of { try decoder.decode(D<[Person]>.self, from: MultipartFormData(sending: parts)) }
            #expect(failure == malformed("d") && failure?.cause?.partName == "d[0]y")
        }
        let dotted = Failure.of { try decoder.decode(D<[Person]>.self, "d.x=1", "d.y=2") }
        #expect(dotted == malformed("d") && dotted?.cause?.partName == "d.x" && dotted?.cause?.partIndex == 0)
    }

    @Test func `an ambiguous array is told before a name of another style, and that before all else`() {
        for parts in [["d[]x=1", "d[][a]=2"], ["d[][a]=2", "d[]x=1", "d=3"]] as [[Part]] {
            let form = MultipartFormData(sending: parts)
            let failure = Failure(.dataCorrupted, ["d"], .ambiguousArray)
            #expect(Failure.of { try decoder.decode(D<[Person]>.self, from: form) } == failure)
            #expect(Failure.of { try decoder.decode(D<Person?>.self, from: form) } == failure)
        }
        #expect(Failure.of { try decoder.decode(D<[Person]>.self, "d=1", "d[x]=2", "d]=3") } == malformed("d"))
        #expect(Failure.of { try decoder.decode(D<Person>.self, "d=1", "d[name]=2", "d]=3") } == malformed("d"))
    }

    @Test func `an error of a key names its part, not one of another style before it`() {
        let cause = Failure.of { try decoder.decode(D<Int>.self, "d]=1", "d=x") }?.cause
        #expect(cause?.code == .invalidValue && cause?.partName == "d" && cause?.partIndex == 1)
        let appended = Failure.of { try decoder.decode(D<Int>.self, "d[0]x=1", "d[]=x") }?.cause
        #expect(appended?.code == .expectedValue && appended?.partName == "d" && appended?.partIndex == 1)
    }

    @Test func `a part without a name belongs to no key`() throws {
        let body = """
            --b\r
            Content-Disposition: form-data\r
            \r
            1\r
            --b\r
            Content-Disposition: form-data; name=""\r
            \r
            2\r
            --b--\r

            """
        let contentType = "multipart/form-data; boundary=b"
        let values = try decoder.decode([String: Int].self, from: Data(body.utf8), contentType: contentType)
        #expect(values == ["": 2])
    }

    @Test func `a name of another style belongs to a key of the root`() throws {
        #expect(Failure.of { try dots.decode(D<Team>.self, "d.users[-1].name=A") } == malformed("d"))
        #expect(Failure.of { try dots.decode(D<Team>.self, "d.lead.name=B", "d.users[-1].name=A") } == malformed("d"))
        #expect(Failure.of { try dots.decode(Team.self, "users[-1].name=A") } == malformed("users"))
        #expect(Failure.of { try decoder.decode(Team.self, "lead[name].first=A") } == malformed("lead"))
        #expect(try decoder.decode(D<[String: Int]>.self, "d[-1]=1").d == ["-1": 1])
        let long = "d" + String(repeating: ".a", count: 1000) + "[x]"
        #expect(try dots.decode([String: Int].self, Part(long, Data("1".utf8))) == [long: 1])
        #expect(Failure.of { try dots.decode(D<[Person]>.self, Part(long, Data("1".utf8))) } == malformed("d"))
        // A key with a dot, and one without a character, which no name marks.
        #expect(Failure.of { try decoder.decode([String: [Int]].self, "a.b[0]x=1", "a.b[0]=1") } == malformed("a.b"))
        #expect(try decoder.decode([String: [Int]].self, "[x]=1", "=2") == ["[x]": [1], "": [2]])
    }

    @Test func `a name marks the text before its first dot and that before its first bracket`() throws {
        struct Order: Decodable { var items: [Item]? }
        struct Shop: Decodable { var order: Order? }
        for name in ["order.items[0].id", "order.items[0]", "order.items.0.id", "order.items[0][id]"] {
            #expect(Failure.of { try decoder.decode(Shop.self, Part(name, Data())) } == malformed("order"), "\(name)")
        }
        // What has a key of its own is no other's.
        #expect(try decoder.decode([String: [Int]].self, "order.items[0]=1") == ["order.items": [1]])
        #expect(Failure.of { try decoder.decode(D<[Item]>.self, "d.0.id=1") } == malformed("d"))
    }

    @Test func `a marked key is there`() throws {
        struct Asking: Decodable {
            enum Key: String, CodingKey { case order, users, plain, none }
            var found: [Bool]
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                found = [Key.order, .users, .plain, .none].map(container.contains)
            }
        }
        let found = try decoder.decode(Asking.self, "order.id=1", "users[-1].name=a", "plain=").found
        #expect(found == [true, true, true, false])
    }

    @Test func `names are taken verbatim`() throws {
        let form = MultipartFormData(sending: ["a%5Bb%5D=1", "a\\=2", "a+b=3"])
        #expect(try decoder.decode([String: Int].self, from: form) == ["a%5Bb%5D": 1, "a\\": 2, "a+b": 3])
    }

    @Test func `the names of all forms make the tree of the naive reference`() throws {
        var generator = SeededGenerator(seed: 14)
        let pieces = ["a", "b", "[", "]", "[]", "[0]", "[1]", "[a]", "[-1]", ".", "0", "é"]
        for _ in 0..<300 {
            var input: [UInt8] = [.random(in: 0...255, using: &generator), .random(in: 0...255, using: &generator)]
            for _ in 0..<Int.random(in: 0..<6, using: &generator) {
                let name = (0..<Int.random(in: 0..<5, using: &generator)).map { _ in
                    pieces.randomElement(using: &generator) ?? ""
                }.joined()
                let content = ["", "1", "null", "x"].randomElement(using: &generator) ?? ""
                input.append(.random(in: 0..<4, using: &generator))
                for text in [name, content] { input += [UInt8(text.utf8.count)] + Array(text.utf8) }
            }
            try FuzzTarget.coding.check(input)
        }
    }
}
