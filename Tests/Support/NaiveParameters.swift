/// The parameters of a header field in strict mode, read from left to right: the first mistake is the error.
struct NaiveParameters {
    typealias Failure = NaiveParser.Failure

    /// A parameter with its name in lower case, and where the name stands; an empty one has no name.
    struct Parameter {
        let name: String
        let place: Range<Int>
        let value: [UInt8]
        let isQuoted: Bool
    }

    private var rest: ArraySlice<UInt8>
    private let malformed: Failure
    private let backslash: Failure

    /// Begins behind a type, with the codes of the errors.
    init(_ rest: ArraySlice<UInt8>, malformed: String, backslash: String) {
        self.rest = rest
        self.malformed = Failure(code: malformed)
        self.backslash = Failure(code: backslash)
    }

    /// The parameter after the next semicolon; nil after the last.
    mutating func next() throws(Failure) -> Parameter? {
        skipWhitespace()
        guard let byte = rest.popFirst() else { return nil }
        guard byte == 59 else { throw malformed }
        skipWhitespace()
        let start = rest.startIndex
        guard let first = rest.first, first != 59 else {
            return Parameter(name: "", place: start..<start, value: [], isQuoted: false)
        }
        let name = String(decoding: token(), as: UTF8.self).lowercased()
        let place = start..<rest.startIndex
        guard !name.isEmpty, rest.popFirst() == 61, rest.first != 32, rest.first != 9 else { throw malformed }
        guard rest.first == 34 else { return Parameter(name: name, place: place, value: token(), isQuoted: false) }
        rest.removeFirst()
        guard let end = rest.firstIndex(where: { $0 == 34 || $0 == 92 }) else { throw malformed }
        guard rest[end] == 34 else { throw backslash }
        let value = Array(rest[..<end])
        rest = rest[(end + 1)...]
        return Parameter(name: name, place: place, value: value, isQuoted: true)
    }

    private mutating func skipWhitespace() {
        rest = rest.drop { $0 == 32 || $0 == 9 }
    }

    private mutating func token() -> [UInt8] {
        let token = rest.prefix { NaiveHeaders.isToken([$0]) }
        rest = rest[token.endIndex...]
        return Array(token)
    }
}
