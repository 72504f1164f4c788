/// Decodes the elements of an array in order.
///
/// The generic `decode` method for types that conform to `SinglePartValue` implements the protocol's `decode` methods
/// for `Bool`, `String` and numbers of up to 64 bits.
struct FormUnkeyedDecodingContainer: UnkeyedDecodingContainer {
    private let owner: FormNodeDecoder
    private let elements: [ReceivedForm.Element]
    private(set) var currentIndex = 0

    init(_ owner: FormNodeDecoder, _ elements: [ReceivedForm.Element]) {
        self.owner = owner
        self.elements = elements
    }

    private var form: ReceivedForm { owner.form }
    private var path: CodingPath? { owner.path }
    var codingPath: [any CodingKey] { path.keys }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    private func next(_ type: Any.Type) throws -> ReceivedForm.Element {
        guard !isAtEnd else {
            let end = CodingPath(IndexKey(currentIndex), in: path)
            throw form.error(CodingReason(.missingValue), type, at: end, .absent)
        }
        return elements[currentIndex]
    }

    /// Returns a decoder for the next element. Does not increment `currentIndex`.
    ///
    /// Each caller increments `currentIndex` after it has decoded the element. A shared function for both steps would
    /// take a closure, and each level of nesting would then need an additional stack frame.
    private func nextDecoder(_ type: Any.Type) throws -> FormNodeDecoder {
        let element = try next(type)
        return try owner.child(CodingPath(element.key, in: path), element.value)
    }

    mutating func decodeNil() throws -> Bool {
        let value = try next(Any?.self).value
        form.markRead(value, andAppended: true)
        guard form.isNil(value, for: nil) else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<T: Decodable & SinglePartValue>(_ type: T.Type) throws -> T { try decodeLeaf(type) }

    mutating func decodeLeaf<T: SinglePartValue>(_ type: T.Type) throws -> T {
        let element = try next(type)
        let value = try form.decodeLeaf(type, at: CodingPath(element.key, in: path), element.value)
        currentIndex += 1
        return value
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let value = try nextDecoder(type).decoded(type)
        currentIndex += 1
        return value
    }

    mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? { try decodeOptional(type) }

    mutating func decodeOptional<T: Decodable>(_ type: T.Type) throws -> T? {
        guard !isAtEnd else { return nil }
        let value = try nextDecoder(type).decodedOptional(type, inPlace: false)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let container = try nextDecoder([String: Any].self).container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try nextDecoder([Any].self).unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try nextDecoder((any Decoder).self)
        currentIndex += 1
        return decoder
    }
}

// These methods replace default implementations of the standard library:
// - The default `decodeIfPresent` calls `decodeNil`, which does not know the type and by default reads an empty field
//   as nil. For `Bool` and numbers, this is correct. For `String`, an empty field is an empty string.
// - The default `decode` throws for integers of 128 bits.
extension FormUnkeyedDecodingContainer {
    mutating func decodeIfPresent(_ type: String.Type) throws -> String? { try decodeOptional(type) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try decodeLeaf(type) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try decodeLeaf(type) }
}
