import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// Arrays without elements, and elements without content.
@Suite struct EmptyArrayTests {
    private let writing = options(FormDataEncoder()) { $0.emptyArrayEncoding = .dropValue }

    @Test func `an empty array has no part unless one is wanted`() throws {
        #expect(try FormDataEncoder().parts(Tags(tags: [])).isEmpty)
        #expect(try writing.parts(Tags(tags: [])) == ["tags[]="])
        #expect(try writing.parts(Tags(tags: ["a"])) == ["tags[]=a"])
        #expect(try writing.parts(D<[Int]?>(d: nil)).isEmpty)
        #expect(try writing.parts(D(d: [String: Int]())).isEmpty)
        #expect(try writing.parts(D(d: Set<Int>())) == ["d[]="])
    }

    @Test func `it is named as an element would be`() throws {
        func name(_ encoding: FormDataEncoder.ArrayEncoding, _ value: some Encodable) throws -> [String?] {
            try options(writing) { $0.arrayEncoding = encoding }.encode(value).map(\.name)
        }
        let empty = D(d: [Int]()), nested = D(d: [[1], []]), listed = D(d: [[[Int]]]())
        #expect(try name(.brackets, empty) == ["d[]"])
        #expect(try name(.noBrackets, empty) == ["d"])
        #expect(try name(.indexInBrackets, empty) == ["d[0]"])
        #expect(try name(.custom { "\($0)_\($1)" }, empty) == ["d_0"])
        #expect(try name(.brackets, nested) == ["d[0][]", "d[1][]"])
        #expect(try name(.noBrackets, nested) == ["d[0]", "d[1][0]"])
        #expect(try name(.indexInBrackets, nested) == ["d[0][0]", "d[1][0]"])
        #expect(try name(.brackets, listed) == ["d[]"])
        let members = D(d: D(d: [Int]())), dots = options(writing) { $0.keyPathEncoding = .dots }
        #expect(try name(.brackets, members) == ["d[d][]"])
        #expect(try dots.encode(members).map(\.name) == ["d.d[]"])
        let failure = Failure.of { try name(.custom { _, _ in "" }, empty) }
        #expect(failure == Failure(.invalidValue, ["d"], .invalidKey))
        #expect(failure?.text == "\"\": name is empty")
    }

    @Test func `an element of an array or a dictionary may be an empty array then`() throws {
        #expect(Failure.of { try FormDataEncoder().encode(D(d: [[Int]()])) }?.code == .emptyElement)
        #expect(try writing.parts(D(d: ["a": [Int]()])) == ["d[a][]="])
        struct Container: Encodable {
            enum Key: CodingKey { case list }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                _ = container.nestedUnkeyedContainer(forKey: .list)
            }
        }
        #expect(Failure.of { try FormDataEncoder().encode(Container()) }?.code == .unencodable)
        #expect(try writing.parts(Container()) == ["list[]="])
    }

    @Test func `empty elements are elements`() throws {
        let decoder = FormDataDecoder()
        #expect(try decoder.decode(Tags.self, "tags[]=", "tags[]=a").tags == ["", "a"])
        #expect(Failure.of { try decoder.decode(D<[Int]>.self, "d[]=") }?.code == .emptyValue)
        #expect(try decoder.decode(D<[Int?]>.self, "d[]=", "d[]=1").d == [nil, 1])
        #expect(try decoder.decode(D<[Data]>.self, Part("d[]", Data(), filename: "a")).d == [Data()])
    }
}
