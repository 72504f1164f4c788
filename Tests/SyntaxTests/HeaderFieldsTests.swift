import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite struct HeaderFieldsTests {
    private let fields: HeaderFields = ["X-A": "1", "Content-Type": "text/plain", "x-a": "2"]

    @Test func `names are compared without case, and repeated ones are kept`() {
        #expect(fields["X-A"] == "2")
        #expect(fields["content-TYPE"] == "text/plain")
        #expect(fields["X"] == nil)
        #expect(fields.filter { $0.name.lowercased() == "x-a" }.map(\.value) == ["1", "2"])
        #expect(fields.map(\.name) == ["X-A", "Content-Type", "x-a"])
    }

    @Test func `setting a field leaves one, in the place of the first`() {
        var fields = fields
        fields["x-a"] = "3"
        #expect(fields.map { "\($0.name)=\($0.value)" } == ["x-a=3", "Content-Type=text/plain"])
        fields["New"] = "4"
        #expect(fields.map(\.name) == ["x-a", "Content-Type", "New"])
        fields["X-A"] = nil
        #expect(fields.map(\.name) == ["Content-Type", "New"])
        fields["content-type"] = nil
        fields["none"] = nil
        #expect(fields == ["New": "4"])
    }

    @Test func `copies are independent, and invalid UTF-8 stays when fields are removed`() throws {
        let message = [UInt8]("--b\r\nX: 1\r\nY: a".utf8) + [0xFF] + [UInt8]("\r\n\r\n\r\n--b--".utf8)
        var parser = MultipartParser(boundary: "b")
        parser.append(Data(message))
        guard case .part(let headers) = try parser.next() else { return }
        var changed = headers
        changed["X"] = nil
        changed.append(HeaderField(name: "Content-Disposition", value: "form-data; name=z"))
        #expect(headers.map(\.name) == ["X", "Y"] && headers.name == nil)
        #expect(changed.map(\.name) == ["Y", "Content-Disposition"] && changed.name == "z")
        #expect(changed.bytes(named: "y") == [97, 0xFF])
    }

    @Test func `thousands of fields are appended, each as it is`() {
        var fields = HeaderFields()
        var copies: [HeaderFields] = []
        for index in 0..<2000 {
            if index.isMultiple(of: 500) { copies.append(fields) }
            fields.append(HeaderField(name: "X-\(index)", value: String(repeating: "v", count: index % 50)))
        }
        #expect(fields.count == 2000)
        for (index, field) in fields.enumerated() {
            guard field == HeaderField(name: "X-\(index)", value: String(repeating: "v", count: index % 50)) else {
                Issue.record("field \(index)")
                break
            }
        }
        #expect(copies.map(\.count) == [0, 500, 1000, 1500])
    }

    @Test func `fields are equal by their bytes in order`() {
        #expect(fields == HeaderFields(Array(fields)))
        #expect(fields.hashValue == HeaderFields(Array(fields)).hashValue)
        #expect(fields != HeaderFields(fields.reversed()))
        #expect(
            HeaderFields([HeaderField(name: "a", value: "bc")]) != HeaderFields([HeaderField(name: "ab", value: "c")])
        )
    }

    @Test func `invalid UTF-8 stays available`() throws {
        let boundary = Boundary("b")
        let message = Data("--b\r\nX-A: a".utf8) + [0xFF] + Data("\r\n\r\n\r\n--b--".utf8)
        var headers: HeaderFields?
        var parser = MultipartParser(boundary: boundary)
        try parser.parse(message.span) { event, _ in
            if case .part(let fields) = event { headers = fields }
        }
        #expect(headers?["x-a"] == "a\u{FFFD}")
        #expect(headers?.bytes(named: "X-A") == [97, 0xFF])
    }

    @Test func `fields made by hand have a name and a file name`() {
        let headers: HeaderFields = ["Content-Disposition": "form-data; name=\"a\\\"b\"; filename*=utf-8''%C3%A9"]
        #expect(headers.name == "a\"b")
        #expect(headers.filename == "\u{E9}")
        #expect(headers.contentType == nil)
        #expect(HeaderFields().contentDisposition == nil)
    }

    private func texts(_ fields: HeaderFields) -> [String] { fields.map { "\($0.name)=\($0.value)" } }

    @Test func `fields are a collection in the order of their arrival`() {
        #expect(fields.startIndex == 0 && fields.endIndex == 3 && fields.count == 3)
        #expect(fields[0] == HeaderField(name: "X-A", value: "1"))
        #expect(fields[2] == HeaderField(name: "x-a", value: "2"))
        #expect(texts(fields) == ["X-A=1", "Content-Type=text/plain", "x-a=2"])
        #expect(texts(HeaderFields(fields.reversed())) == ["x-a=2", "Content-Type=text/plain", "X-A=1"])
        #expect(HeaderFields().isEmpty && HeaderFields([]).isEmpty && ([:] as HeaderFields).isEmpty)
    }

    @Test func `fields of a dictionary are sorted by name`() {
        let dictionary = ["X-C": "3", "X-A": "1", "x-a": "4", "X-B": "2", "": ""]
        #expect(texts(HeaderFields(dictionary)) == ["=", "X-A=1", "X-B=2", "X-C=3", "x-a=4"])
        #expect(HeaderFields([:] as [String: String]).isEmpty)
    }

    @Test func `fields of a sequence are appended`() {
        var fields = fields
        for field in ["X-B": "3", "X-A": "4"] as HeaderFields { fields.append(field) }
        #expect(texts(fields) == ["X-A=1", "Content-Type=text/plain", "x-a=2", "X-B=3", "X-A=4"])
        #expect(fields["x-a"] == "4")
    }

    @Test func `a name is looked up whole, and only letters of ASCII have a case`() {
        let fields: HeaderFields = ["X-AB": "1", "X[": "2", "X-K": "3", "": "4", "X-\u{C9}": "5"]
        for (name, value) in [
            ("x-ab", "1"), ("X-Ab", "1"), ("X-A", nil), ("X-ABC", nil), ("X[", "2"), ("X{", nil), ("X-\u{212A}", nil),
            ("", "4"), ("x-\u{C9}", "5"), ("x-\u{E9}", nil), ("X@", nil), ("-AB", nil),
        ] as [(String, String?)] {
            #expect(fields[name] == value, "\(name)")
            #expect(fields.bytes(named: name) == value.map { Array($0.utf8) }, "\(name)")
        }
    }

    @Test func `the last field with a name counts`() {
        #expect(fields["x-A"] == "2" && fields.bytes(named: "x-A") == [0x32])
        let headers: HeaderFields = ["content-type": "a/b", "CONTENT-TYPE": "c/d", "Content-Type": "e/f", "X": "g/h"]
        #expect(headers["Content-Type"] == "e/f" && headers.contentType == "e/f")
    }

    @Test func `setting a field keeps the bytes and the places of the others`() {
        var fields: HeaderFields = ["A": "1", "X": "2", "B": "3", "x": "4", "C": "5", "X": "6"]
        fields["x"] = "7"
        #expect(texts(fields) == ["A=1", "x=7", "B=3", "C=5"])
        fields["D"] = ""
        #expect(texts(fields) == ["A=1", "x=7", "B=3", "C=5", "D="])
        fields["a"] = nil
        fields["none"] = nil
        #expect(texts(fields) == ["x=7", "B=3", "C=5", "D="])
        fields["d"] = nil
        #expect(texts(fields) == ["x=7", "B=3", "C=5"])
    }

    @Test func `a copy is not changed with the original`() {
        var original = HeaderFields()
        var copies: [HeaderFields] = []
        for index in 0..<10 {
            copies.append(original)
            original.append(HeaderField(name: "X", value: "\(index)"))
        }
        for (index, copy) in copies.enumerated() {
            var changed = copy
            changed.append(HeaderField(name: "Y", value: "y"))
            #expect(changed.map(\.value) == (0..<index).map { "\($0)" } + ["y"], "\(index)")
            #expect(copy.map(\.value) == (0..<index).map { "\($0)" }, "\(index)")
        }
        #expect(original.map(\.value) == (0..<10).map { "\($0)" })
    }

    @Test func `fields of any length are kept as they are`() {
        var fields = HeaderFields()
        var expected: [HeaderField] = []
        for length in [0, 1, 15, 16, 17, 31, 100, 1000, 10_000, 3] {
            let field = HeaderField(
                name: String(repeating: "n", count: length),
                value: String(repeating: "v", count: length * 2 + 1)
            )
            fields.append(field)
            expected.append(field)
            #expect(Array(fields) == expected, "\(length)")
        }
    }

    @Test func `collections differ in each name, value, place and number`() {
        let fields: HeaderFields = ["a": "b", "c": "d"]
        #expect(
            fields == ["a": "b", "c": "d"] && fields.hashValue == (["a": "b", "c": "d"] as HeaderFields).hashValue
        )
        let others: [HeaderFields] = [
            ["a": "b"], ["a": "b", "c": "d", "": ""], ["A": "b", "c": "d"], ["a": "b", "c": "e"], ["c": "d", "a": "b"],
            ["a": "bc", "": "d"], ["ab": "", "c": "d"], [:],
        ]
        for other in others {
            #expect(fields != other && other != fields, "\(other)")
            #expect(fields.hashValue != other.hashValue, "\(other)")
        }
    }

    @Test func `a description has a line for each field`() {
        let fields: HeaderFields = ["X": "a\"b", "Y": "\u{1B}[0m\r\nZ: 1"]
        #expect(fields.description == "X: a\"b\nY: \\u{1B}[0m\\r\\nZ: 1")
        #expect(HeaderFields().description == "")
    }

    @Test func `the ranges of names and values are those of the bytes`() {
        fields.storage.read { ranges, bytes in
            #expect(ranges.count == 3)
            for index in ranges.indices {
                #expect(String(repairing: bytes.extracting(ranges[index].name)) == fields[index].name)
                #expect(String(repairing: bytes.extracting(ranges[index].value)) == fields[index].value)
            }
        }
    }
}
