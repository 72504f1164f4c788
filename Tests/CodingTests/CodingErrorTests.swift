import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Wrong forms, and what each becomes: a status, a code, and a message for the client that names the field.
@Suite struct CodingErrorTests {
    /// A form that does not fit a type.
    struct WrongForm: CustomTestStringConvertible {
        let parts: [Part]
        let code: MultipartError.Code
        /// The name that the error has; nil if it concerns no name.
        let name: String?
        var status = 400
        var limit: Int?
        /// The coding path; nil for the keys of the name.
        var path: [String]?
        var decoder = FormDataDecoder()
        let decode: @Sendable (FormDataDecoder, MultipartFormData) throws -> Void

        init<T: Decodable & SendableMetatype>(
            _ type: T.Type,
            _ parts: [Part],
            _ code: MultipartError.Code,
            _ name: String?,
            _ status: Int = 400,
            limit: Int? = nil,
            path: [String]? = nil,
            change: (inout FormDataDecoder) -> Void = { _ in }
        ) {
            (self.parts, self.code, self.name, self.status, self.limit) = (parts, code, name, status, limit)
            self.path = path
            change(&decoder)
            decode = { _ = try $0.decode(type, from: $1) }
        }

        var testDescription: String { "\(parts)" }

        /// The error as its kind, its path and its code.
        var failure: Failure {
            let keys = path ?? name?.split { "[].".contains($0) }.map(String.init) ?? []
            switch code {
            case .missingValue: return Failure(.keyNotFound(keys.last ?? ""), keys.dropLast(), code)
            case .emptyValue, .noFile: return Failure(.valueNotFound, keys, code)
            case .expectedValue, .expectedKeys, .expectedArray, .expectedFile, .unexpectedFile, .expectedJSON:
                return Failure(.typeMismatch, keys, code)
            default: return Failure(.dataCorrupted, keys, code)
            }
        }

        func error(_ form: MultipartFormData) throws -> any Error {
            try #require(throws: (any Error).self) { try decode(decoder, form) }
        }
    }

    enum Level: Int, Codable { case low = 1, high }

    /// Refuses a value with a `DecodingError` of its own.
    struct Even: Decodable {
        enum Place: Sendable { case own, none, key, container }
        static let place = CodingUserInfoKey.named("place")

        init(from decoder: any Decoder) throws {
            let text = "secret is odd"
            switch decoder.userInfo[Self.place] as? Place ?? .own {
            case .own: throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: text))
            case .none: throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: text))
            case .key:
                let container = try decoder.container(keyedBy: TestKey.self)
                throw DecodingError.dataCorruptedError(forKey: "x", in: container, debugDescription: text)
            case .container:
                var container = try decoder.unkeyedContainer()
                _ = try container.decode(String.self)
                throw DecodingError.dataCorruptedError(in: container, debugDescription: text)
            }
        }
    }

    struct TestKey: CodingKey, ExpressibleByStringLiteral {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringLiteral text: String) { stringValue = text }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// A part type that refuses its part.
    struct Picky: FormPartDecodable, FormPartOnly {
        static var requiresFile: Bool { false }

        init(formPart: BodyPart) throws {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "secret"))
        }
    }

    /// Requests containers of a field's JSON.
    struct Inner: Decodable {
        let number: Double

        init(from decoder: any Decoder) throws {
            let root = try decoder.container(keyedBy: TestKey.self)
            let json = try root.nestedContainer(keyedBy: TestKey.self, forKey: "d")
            var list = try json.nestedUnkeyedContainer(forKey: "list")
            number = try list.decode(Double.self)
        }
    }

    struct Snake: Decodable {
        struct Home: Decodable { var favouriteColor: Color }
        var theHome: Home
    }

    private static func place(_ place: Even.Place) -> (inout FormDataDecoder) -> Void {
        { $0.userInfo[Even.place] = place }
    }

    private static func dots(_ decoder: inout FormDataDecoder) { decoder.keyPathEncoding = .dots }
    private static func json(_ decoder: inout FormDataDecoder) { decoder.keyPathEncoding = .json }

    private static let file = Part("d", Data("secret".utf8), filename: "secret.txt")
    private static let list = ["d", "list", "Index 0"]
    private static let noFile = Part("d", Data(), filename: "")

    // Not stored: a leak checker does not find what a global's `Data` holds.
    static var wrongForms: [WrongForm] {
        [
            // Enums.
            WrongForm(D<Color>.self, ["d=secret"], .invalidValue, "d"),
            WrongForm(D<Color>.self, ["d="], .invalidValue, "d"),
            WrongForm(D<Color?>.self, ["d=secret"], .invalidValue, "d"),
            WrongForm(D<Level>.self, ["d=33"], .invalidValue, "d"),
            WrongForm(D<Level>.self, ["d=secret"], .invalidValue, "d"),
            WrongForm(D<[Color]>.self, ["d[]=red", "d[]=secret"], .invalidValue, "d[]", path: ["d", "1"]),
            WrongForm(D<[Color]>.self, ["d[0]=red", "d[1]=secret"], .invalidValue, "d[1]"),
            WrongForm(D<[Level]>.self, ["d=1", "d=secret"], .invalidValue, "d", path: ["d", "1"]),
            WrongForm(D<[String: Color]>.self, ["d[k]=secret"], .invalidValue, "d[k]"),
            WrongForm(D<[String: [Color]]>.self, ["d[k][]=secret"], .invalidValue, "d[k][]", path: ["d", "k", "0"]),
            WrongForm(D<Shape>.self, ["d[secret][x]=1"], .invalidValue, "d"),
            WrongForm(D<Shape>.self, ["d[circle][radius]=secret"], .invalidValue, "d[circle][radius]"),
            WrongForm(D<Color>.self, [], .missingValue, "d"),
            WrongForm(D<D<Color>>.self, ["d.d=secret"], .invalidValue, "d.d", change: dots),
            WrongForm(D<Color>.self, ["d=secret"], .invalidValue, "d", change: json),
            WrongForm(D<[Color]>.self, [#"d=["secret"]"#], .invalidValue, "d", change: json),
            WrongForm(D<D<Level>>.self, [#"d={"d":33}"#], .invalidValue, "d", change: json),
            WrongForm(
                Snake.self,
                ["the_home[favourite_color]=secret"],
                .invalidValue,
                "the_home[favourite_color]",
                path: ["theHome", "favouriteColor"]
            ) { $0.keyEncoding = .convertToSnakeCase },
            // Errors of a type's own.
            WrongForm(D<Even>.self, ["d=secret"], .invalidValue, "d", change: place(.own)),
            WrongForm(D<Even>.self, ["d=secret"], .invalidValue, "d", change: place(.none)),
            WrongForm(D<Even>.self, ["d[x]=secret"], .invalidValue, "d[x]", change: place(.key)),
            WrongForm(D<Even>.self, ["d[y]=secret"], .invalidValue, "d[x]", change: place(.key)),
            WrongForm(
                D<Even>.self,
                ["d[]=secret", "d[]=b"],
                .invalidValue,
                "d",
                path: ["d", "Index 1"],
                change: place(.container)
            ),
            WrongForm(D<[Even]>.self, ["d[0]=secret"], .invalidValue, "d[0]", change: place(.none)),
            WrongForm(D<Even>.self, ["d=secret"], .invalidValue, "d") {
                json(&$0); place(.none)(&$0)
            },
            WrongForm(D<Picky>.self, ["d=secret"], .invalidValue, "d"),
            WrongForm(D<Picky>.self, ["d=secret"], .invalidValue, "d", change: json),
            // JSON.
            WrongForm(D<FormJSON<Item>>.self, [#"d={"id":"secret"}"#], .invalidValue, "d"),
            WrongForm(D<FormJSON<Item>>.self, ["d=secret"], .invalidValue, "d"),
            WrongForm(Inner.self, [#"d={"list":["secret"]}"#], .invalidValue, "d", path: list, change: json),
            WrongForm(Inner.self, [#"d={"list":[1e999]}"#], .invalidValue, "d", change: json),
            WrongForm(Inner.self, [#"d={"list":7}"#], .invalidValue, "d", path: ["d", "list"], change: json),
            WrongForm(Inner.self, ["d={}"], .invalidValue, "d", change: json),
            WrongForm(Inner.self, ["d=secret"], .invalidValue, "d", change: json),
            // Shapes, files and text.
            WrongForm(D<Int>.self, ["d=secret"], .invalidValue, "d"),
            WrongForm(D<Int8>.self, ["d=300"], .invalidValue, "d"),
            WrongForm(D<Int>.self, ["d="], .emptyValue, "d"),
            WrongForm(D<Int>.self, ["d[secret]=1"], .expectedValue, "d"),
            WrongForm(Cart.self, ["items[0][id]=1", "items[0][qty]=secret"], .invalidValue, "items[0][qty]"),
            WrongForm(Cart.self, ["items[0][id]=1"], .missingValue, "items[0][qty]"),
            WrongForm(Tags.self, ["tags[0]=secret", "tags[2]=b"], .sparseArray, "tags"),
            WrongForm(Home.self, ["address=secret"], .expectedKeys, "address"),
            WrongForm(D<String>.self, ["d=secret", "d=b"], .duplicateName, "d"),
            WrongForm(D<String>.self, [file], .unexpectedFile, "d"),
            WrongForm(D<FormFile>.self, ["d=secret"], .expectedFile, "d"),
            WrongForm(D<FormFile?>.self, ["d=secret"], .expectedFile, "d"),
            WrongForm(D<FormFile>.self, [noFile], .noFile, "d"), WrongForm(D<Data>.self, [noFile], .noFile, "d"),
            WrongForm(D<FormJSON<Int>>.self, [noFile], .noFile, "d"),
            WrongForm(D<String>.self, [noFile], .unexpectedFile, "d"),
            WrongForm(D<Int?>.self, [file], .unexpectedFile, "d"),
            WrongForm(D<String>.self, [Part("d", Data([0xFF]))], .invalidText, "d"),
            WrongForm(D<Int>.self, [Part("d", Data([0xFF]))], .invalidText, "d"),
            WrongForm(D<Decimal>.self, ["d=12abc"], .invalidValue, "d"),
            WrongForm(D<FormJSON<Item>>.self, [#"d={"id":1}"#], .invalidValue, "d"),
            WrongForm(
                D<FormJSON<[Int]>>.self,
                [Part("d", Data("{}".utf8), contentType: "text/html")],
                .expectedJSON,
                "d"
            ),
            WrongForm(Opt.self, ["n=abc"], .invalidValue, "n"), WrongForm(D<Date>.self, ["d="], .emptyValue, "d"),
            WrongForm(D<URL>.self, ["d="], .emptyValue, "d"), WrongForm(D<Decimal>.self, ["d="], .emptyValue, "d"),
            WrongForm(User.self, ["name=A", "admin=1"], .missingValue, "age"),
            WrongForm(User.self, ["name[]=x"], .expectedValue, "name"),
            WrongForm([String: String].self, ["x[not-present]=foo"], .expectedValue, "x"),
            WrongForm(Home.self, ["address=x", "address[street]=y", "address[zip]=1"], .mixedShapes, "address"),
            WrongForm(Tags.self, ["tags[1]=a"], .sparseArray, "tags"),
            WrongForm(Tags.self, ["tags[x]=a"], .expectedArray, "tags"),
            WrongForm(Tags.self, ["tags[00]=a"], .expectedArray, "tags"),
            WrongForm(Tags.self, ["tags=a", "tags[]=b"], .mixedShapes, "tags"),
            WrongForm(Tags.self, ["tags[0]=a", "tags[]=b"], .mixedShapes, "tags"),
            WrongForm(Cart.self, ["items[][id]=1", "items[][qty]=2"], .ambiguousArray, "items"),
            WrongForm(D<Int?>.self, ["d[][id]=1", "d=1"], .ambiguousArray, "d"),
            WrongForm(D<Int>.self, ["d=1", "x[y]=1"], .unknownName, "x[y]") { $0.unknownNames = .reject },
            WrongForm(D<Int>.self, ["d=1", "x=secret"], .unknownName, "x") { $0.unknownNames = .reject },
            // Limits.
            WrongForm(D<String>.self, ["d=secret"], .valueTooLong, "d", 413, limit: 5) { $0.maxValueBytes = 5 },
            WrongForm(D<String>.self, ["d=1", "e=2"], .tooManyParts, nil, 413, limit: 1) { $0.maxParts = 1 },
            WrongForm(D<String>.self, ["dddd=secret"], .nameTooLong, "dddd", 413, limit: 3, path: []) {
                $0.maxNameBytes = 3
            },
            WrongForm(D<String>.self, ["d[a][b]=secret"], .tooDeep, "d[a][b]", 413, limit: 2, path: ["d", "a"]) {
                $0.maxDepth = 2
            },
        ]
    }

    @Test(arguments: wrongForms)
    func `a wrong form has a status, a code and a message that names the field`(_ wrong: WrongForm) throws {
        let made = MultipartFormData(sending: wrong.parts)
        for form in [made, try made.received] {
            let thrown = try wrong.error(form)
            let failure = Failure(thrown)
            #expect(failure.path == wrong.failure.path, "\(failure)")
            // An error that a type throws itself has any kind.
            #expect(thrown is DecodingError && (failure == wrong.failure || wrong.code == .invalidValue), "\(failure)")
            let error = try #require(MultipartError(thrown))
            #expect(error.code == wrong.code && error.partName == wrong.name && error.httpStatus == wrong.status)
            #expect(error.limit == wrong.limit)
            let limit = wrong.limit.map { " (limit \($0))" } ?? ""
            #expect(error.clientMessage == "\(wrong.code)\(wrong.name.map { " \"\($0)\"" } ?? "")\(limit)")
            // The value is in neither text: that of the log may be shown to people, too.
            #expect(!error.description.contains("secret"), "\(error)")
        }
    }

    @Test func `the coding path is whole, and begins with the type's`() throws {
        for (place, parts, path) in [
            (Even.Place.own, ["d=1"], ["d"]), (.none, ["d=1"], ["d"]), (.key, ["d[x]=1"], ["d", "x"]),
            (.container, ["d[]=1", "d[]=2"], ["d", "Index 1"]),
        ] as [(Even.Place, [Part], [String])] {
            let decoder = options(FormDataDecoder(), Self.place(place))
            let failure = Failure.of { try decoder.decode(D<Even>.self, from: MultipartFormData(sending: parts)) }
            #expect(failure?.kind == .dataCorrupted && failure?.path == path)
            // The standard library's and a type's own text may contain the value. It stays where it was.
            #expect(failure?.text == "secret is odd" && failure?.cause?.underlyingError is DecodingError)
        }
        let inner = Failure.of { try options(FormDataDecoder(), Self.json).decode(Inner.self, #"d={"list":["x"]}"#) }
        #expect(inner?.kind == .typeMismatch && inner?.path == ["d", "list", "Index 0"])
    }

    @Test func `an error that is not of a coder is not changed`() throws {
        struct Other: Error {}
        struct Throwing: Codable {
            init() {}
            init(from decoder: any Decoder) throws { throw Other() }
            func encode(to encoder: any Encoder) throws { throw Other() }
        }
        for style in [FormKeyPathEncoding.brackets, .dots, .json] {
            let decoder = options(FormDataDecoder()) { $0.keyPathEncoding = style }
            let encoder = options(FormDataEncoder()) { $0.keyPathEncoding = style }
            #expect(throws: Other.self) { try decoder.decode(D<Throwing>.self, "d=1") }
            #expect(throws: Other.self) { try encoder.encode(D(d: Throwing())) }
        }
        #expect(MultipartError(Other()) == nil)
        #expect(MultipartError(CancellationError()) == nil)
        let error = #expect(throws: DecodingError.self) { try JSONDecoder().decode(Int.self, from: Data("x".utf8)) }
        #expect(error.flatMap { MultipartError($0) } == nil)
        let own = MultipartError(.limitParts, offset: 3)
        #expect(MultipartError(own) == own)
    }

    struct Unwilling: Encodable {
        var keys: [TestKey] = []

        func encode(to encoder: any Encoder) throws {
            let path = keys.isEmpty ? encoder.codingPath : keys
            throw EncodingError.invalidValue("secret", .init(codingPath: path, debugDescription: "secret"))
        }
    }

    struct UnwillingPart: FormPartEncodable, FormPartOnly {
        func formPart(named name: String) throws -> BodyPart {
            throw EncodingError.invalidValue("secret", .init(codingPath: [], debugDescription: "secret"))
        }
    }

    @Test func `an error of a value's own encode(to:) has the name`() throws {
        func failure(_ value: some Encodable, _ style: FormKeyPathEncoding = .brackets) -> Failure? {
            Failure.of { try options(FormDataEncoder()) { $0.keyPathEncoding = style }.encode(value) }
        }
        for (failure, path, name) in [
            (failure(D(d: Unwilling())), ["d"], "d"),
            (failure(D(d: [Unwilling()])), ["d", "0"], "d[0]"),
            (failure(D(d: ["k": Unwilling(keys: ["x"])])), ["d", "k", "x"], "d[k][x]"),
            (failure(D(d: D(d: Unwilling())), .dots), ["d", "d"], "d.d"),
            (failure(D(d: Unwilling()), .json), ["d"], "d"),
            (failure(D(d: UnwillingPart())), ["d"], "d"),
            (failure(D(d: [UnwillingPart()])), ["d", "0"], "d[0]"),
        ] {
            #expect(failure?.kind == .invalidValue && failure?.path == path)
            let error = try #require(failure?.cause)
            #expect(error.code == .unencodable && error.partName == name && error.httpStatus == 500)
            #expect(error.clientMessage == nil && !error.description.contains("secret"))
        }
    }

    @Test func `a value that is too deep to be encoded is the program's fault`() {
        let encoder = options(FormDataEncoder()) { $0.maxDepth = 1 }
        let error = Failure.of { try encoder.encode(Home(address: Address(street: "", zip: ""))) }?.cause
        #expect(error?.code == .tooDeep && error?.limit == 1 && error?.httpStatus == 500 && error?.clientMessage == nil)
    }

    @Test func `a part that cannot be read has the status of its error`() throws {
        let directory = try TemporaryDirectory()
        let url = directory.url.appendingPathComponent("a")
        try Data("x".utf8).write(to: url)
        let form = try FormDataEncoder().encode(D(d: FormFile(contentsOf: url)))
        try FileManager.default.removeItem(at: url)
        let error = Failure.of { try FormDataDecoder().decode(D<Data>.self, from: form) }?.cause
        #expect(error?.code == .unreadablePart && error?.httpStatus == 500 && error?.clientMessage == nil)
    }

    @Test func `a code can be caught, that of a coder's error too`() throws {
        func caught(_ call: () throws -> Void) -> String {
            do {
                try call()
                return "nothing"
            } catch MultipartError.Code.invalidValue {
                return "value"
            } catch MultipartError.Code.unsupportedMediaType {
                return "type"
            } catch {
                return "other"
            }
        }
        #expect(caught { _ = try FormDataDecoder().decode(D<Color>.self, "d=blue") } == "value")
        #expect(caught { _ = try MultipartFormData(parsing: Data(), contentType: nil) } == "type")
        #expect(caught { _ = try FormDataDecoder().decode(D<Color>.self) } == "other")
        #expect(caught { throw CancellationError() } == "other")
    }

    @Test func `a text names the type and what is wrong`() throws {
        let decoder = FormDataDecoder()
        func text(_ call: () throws -> Void) -> String? { Failure.of(call)?.text }
        #expect(text { _ = try decoder.decode(D<Int>.self, "d=x") } == #""d": text is not a valid Int"#)
        #expect(text { _ = try decoder.decode(D<Int>.self, "d=") } == #""d": part is empty, which is not a valid Int"#)
        #expect(text { _ = try decoder.decode(D<Int>.self) } == #""d": no part has the name, and Int is required"#)
        let keys = #""d": name has keys or elements, and String is one value"#
        #expect(text { _ = try decoder.decode(D<String>.self, "d[x]=1") } == keys)
        #expect(text { _ = try FormDataEncoder().encode(1) } == "Int has no keys to name its parts")
        let untyped = D(d: FormFile(Data(), filename: "a", contentType: ""))
        #expect(text { _ = try FormDataEncoder().encode(untyped) } == #""d": media type is empty"#)
        let strict = options(decoder) { $0.unknownNames = .reject }
        let unknown = #""x": type has no key of the name, or the part has no name"#
        #expect(text { _ = try strict.decode(D<Int>.self, "d=1", "x=1") } == unknown)
        let few = options(decoder) { $0.maxParts = 0 }
        #expect(text { _ = try few.decode(D<Int>.self, "d=1") } == "form has more than 0 parts")
        let log = Failure.of { try decoder.decode(D<Int>.self, "d=x") }?.cause?.description
        #expect(log == #"part 0 "d": text is not a valid Int"#)
    }

    @Test func `an index beyond Int is 0 in the path of an unknown name`() throws {
        let strict = options(FormDataDecoder()) { $0.unknownNames = .reject }
        let digits = String(repeating: "9", count: 20)
        let error = #expect(throws: DecodingError.self) {
            try strict.decode(D<Int>.self, "d=1", Part("x[\(digits)]", Data("1".utf8)))
        }
        var path: [any CodingKey] = []
        if case .dataCorrupted(let context)? = error { path = context.codingPath }
        #expect(path.map(\.stringValue) == ["x", digits])
        #expect(path.last?.intValue == 0)
    }

    @Test func `a message for a client has a name that is printable and short, or a number`() {
        let name = "a\u{1B}\"b" + String(repeating: "x", count: 100)
        let error = MultipartError(.invalidValue, isOfForm: true, partIndex: 3, partName: name)
        let shown = "a\\u{1B}\\\"b" + String(repeating: "x", count: 54)
        #expect(error.clientMessage == "invalid-value \"\(shown)\"")
        let unnamed = MultipartError(.unknownName, isOfForm: true, partIndex: 3)
        #expect(unnamed.clientMessage == "unknown-name (part 3)")
        let path = MultipartError(
            .limitPartBytes,
            "a reason",
            offset: 1,
            limit: 5,
            limitName: "disk(upTo:)",
            path: "/a"
        )
        #expect(path.clientMessage == "limit-part-bytes (limit 5)")
        // The message of a part that is sent on is the client's fault.
        let cause = MultipartError(.unexpectedEnd, offset: 9)
        let sent = MultipartError(.inputStreamReadFailed, partIndex: 2, underlyingError: cause)
        #expect(sent.httpStatus == 400 && sent.clientMessage == "unexpected-end")
        #expect(MultipartError(.outputStreamWriteFailed, underlyingError: CancellationError()).clientMessage == nil)
    }
}
