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

    /// Calls `body` with a decoder of the next element, and goes on to the one after it unless that fails.
    private mutating func next<T>(_ type: Any.Type, _ body: (NodeDecoder) throws -> T) throws -> T {
        guard !isAtEnd else {
            let end = CodingPath(index: currentIndex, in: path)
            throw form.error(CodingProblem(.missingValue), type, at: end, .absent)
        }
        let element = elements[currentIndex]
        form.markRead(element)
        let path = CodingPath(element.key, element.key.stringValue, in: path)
        let result = try body(NodeDecoder(form, path, element.place))
        currentIndex += 1
        return result
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd else { return try next(Any?.self) { $0.decodeNil() } }
        guard form.isNil(elements[currentIndex].place, for: Int.self) else { return false }
        form.markRead(elements[currentIndex])
        currentIndex += 1
        return true
    }

    mutating func decode<T: Decodable & FormLeaf>(_ type: T.Type) throws -> T { try decodeLeaf(type) }

    mutating func decodeLeaf<T: FormLeaf>(_ type: T.Type) throws -> T {
        try next(type) { try $0.leaf(type) }
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try next(type) { try $0.value(type) }
    }

    mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? { try decodeOptional(type) }

    mutating func decodeOptional<T: Decodable>(_ type: T.Type) throws -> T? {
        guard !isAtEnd else { return nil }
        return try next(type) { $0.form.isNil($0.place, for: type) ? nil : try $0.value(type) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try next([String: Any].self) { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next([Any].self) { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder {
        try next((any Decoder).self) { $0 }
    }
}
