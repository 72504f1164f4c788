internal import MultipartFormCodec

/// Checks the boundary of a Content-Type field: the bytes are its value.
enum ContentTypeCheck {
    static func run(_ bytes: [UInt8]) throws {
        let value = String(decoding: bytes, as: UTF8.self)
        let lenient = try boundary(value, .lenient)
        let strict = try boundary(value, .strict)
        guard let lenient else { return try require(strict == nil, "strict mode accepts what lenient mode refuses") }
        try require(strict == nil || strict == lenient, "the modes read different boundaries")
        let again = try Boundary(contentType: lenient.contentType)
        try require(again == lenient, "the boundary differs when it is written and parsed again")
    }

    private static func boundary(_ value: String, _ mode: ParsingMode) throws -> Boundary? {
        let expected = NaiveContentType(value, mode: mode).boundary()
        let read = Result { () throws(MultipartError) in try Boundary(contentType: value, mode: mode) }
        switch (read, expected) {
        case (.success(let boundary), .success(let bytes)) where boundary.bytes == bytes:
            return boundary
        case (.failure(let error), .failure(let failure)) where error.code.description == failure.code:
            return nil
        default:
            throw FuzzTarget.Failure("\(mode): \(read), but the naive parser gives \(expected)")
        }
    }

    static func seeds() throws -> [[UInt8]] {
        try Fixtures.names(in: "conformance/parse").map { name in
            Array(try Fixtures.json(ParseCase.self, "conformance/parse/\(name).json").contentType.utf8)
        }
    }
}
