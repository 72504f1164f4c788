/// The elements of an array of a form, in order.
struct UnkeyedDecoding: UnkeyedDecodingContainer {
    private let form: DecodedForm
    private let path: CodingPath?
    private let elements: [DecodedForm.Element]
    private(set) var currentIndex = 0

    init(_ form: DecodedForm, _ path: CodingPath?, _ elements: [DecodedForm.Element]) {
        self.form = form
        self.path = path
        self.elements = elements
    }

    var codingPath: [any CodingKey] { path.keys }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    /// Calls `body` with the next element, and goes on to the one after it unless that fails.
    private mutating func next<T>(_ type: Any.Type, _ body: (DecodedForm.Element) throws -> T) throws -> T {
        guard !isAtEnd else {
            let end = CodingPath(IndexKey(currentIndex), in: path)
            throw form.error(CodingProblem(.missingValue), type, at: end, .absent)
        }
        let element = elements[currentIndex]
        form.markRead(element)
        let result = try body(element)
        currentIndex += 1
        return result
    }

    private mutating func nextDecoded<T>(_ type: Any.Type, _ body: (NodeDecoder) throws -> T) throws -> T {
        let (form, path) = (form, path)
        return try next(type) { try body(NodeDecoder(form, CodingPath($0.key, in: path), $0.place)) }
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd else { return try next(Any?.self) { _ in true } }
        guard form.isNil(elements[currentIndex].place, for: Int.self) else { return false }
        form.markRead(elements[currentIndex])
        currentIndex += 1
        return true
    }

    mutating func decode<T: Decodable & FormLeaf>(_ type: T.Type) throws -> T { try decodeLeaf(type) }

    mutating func decodeLeaf<T: FormLeaf>(_ type: T.Type) throws -> T {
        let (form, path) = (form, path)
        // Only an error needs the path.
        return try next(type) { element in
            try form.read(type, at: CodingPath(element.key, in: path), element.place)
        }
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try nextDecoded(type) { try $0.value(type) }
    }

    mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? { try decodeOptional(type) }

    mutating func decodeOptional<T: Decodable>(_ type: T.Type) throws -> T? {
        guard !isAtEnd else { return nil }
        return try nextDecoded(type) { $0.form.isNil($0.place, for: type) ? nil : try $0.value(type) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try nextDecoded([String: Any].self) { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try nextDecoded([Any].self) { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder {
        try nextDecoded((any Decoder).self) { $0 }
    }
}
