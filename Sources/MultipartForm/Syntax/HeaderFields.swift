/// The header fields of a part, in order; repeated names are kept.
///
/// The bytes are kept as they came, and text is made when it is asked for: bytes that are not UTF-8 then read as
/// U+FFFD, one for each maximal subpart. The codec never trusts a value it does not need.
public struct HeaderFields: Sendable {
    /// What a collection holds; one reference, so that handing a part's headers on costs next to nothing.
    private final class Storage: Sendable {
        let bytes: [UInt8]
        let places: FieldPlaces
        let disposition: DispositionLayout?

        init(bytes: [UInt8], places: FieldPlaces, disposition: DispositionLayout?) {
            self.bytes = bytes
            self.places = places
            self.disposition = disposition
        }

        static let empty = Storage(bytes: [], places: FieldPlaces(), disposition: nil)
    }

    private var storage: Storage

    /// The fields' text, with anything between.
    package var bytes: [UInt8] { storage.bytes }

    /// The fields, in order.
    package var places: FieldPlaces { storage.places }

    /// Where the parts of the Content-Disposition stand, when the parser has read it.
    package var disposition: DispositionLayout? { storage.disposition }

    /// Creates an empty collection.
    public init() {
        storage = .empty
    }

    /// Creates a collection of fields.
    public init(_ fields: some Sequence<HeaderField>) {
        self.init()
        append(contentsOf: fields)
    }

    /// Takes over what the parser has read.
    package init(bytes: [UInt8], places: FieldPlaces, disposition: DispositionLayout?) {
        storage = Storage(bytes: bytes, places: places, disposition: disposition)
    }

    /// Appends a field; fields of the same name stay.
    ///
    /// - Complexity: O(*n*) in the length of all fields.
    public mutating func append(_ field: HeaderField) {
        append(contentsOf: CollectionOfOne(field))
    }

    /// Appends fields; fields of the same name stay.
    ///
    /// - Complexity: O(*n*) in the length of all fields.
    public mutating func append(contentsOf fields: some Sequence<HeaderField>) {
        var bytes = bytes
        var places = places
        for field in fields {
            let start = bytes.count
            bytes.append(contentsOf: field.name.utf8)
            let valueStart = bytes.count
            bytes.append(contentsOf: field.value.utf8)
            places.append(FieldPlaces.Place(name: start..<valueStart, value: valueStart..<bytes.count))
        }
        storage = Storage(bytes: bytes, places: places, disposition: nil)
    }

    /// The value of the first field with a name, letter case ignored; nil if there is none.
    ///
    /// - Parameter name: The field's name.
    public subscript(name: String) -> String? {
        places.first { isNamed($0, name) }.map { text($0.value) }
    }

    /// The values of all fields with a name, letter case ignored, in order.
    public func values(for name: String) -> [String] {
        places.filter { isNamed($0, name) }.map { text($0.value) }
    }

    /// The value's bytes of the first field with a name, letter case ignored: those the text was made of.
    public func bytes(for name: String) -> [UInt8]? {
        places.first { isNamed($0, name) }.map { Array(bytes[$0.value]) }
    }

    /// Whether a field has a name, letter case ignored.
    private func isNamed(_ place: FieldPlaces.Place, _ name: String) -> Bool {
        place.name.count == name.utf8.count
            && zip(bytes[place.name], name.utf8).allSatisfy { ASCII.lowercased($0) == ASCII.lowercased($1) }
    }

    /// The text of a range of ``bytes``.
    package func text(_ range: Range<Int>) -> String {
        String(repairing: bytes[range])
    }

    /// The place of the last field with a name.
    package func lastPlace(_ name: StaticString) -> FieldPlaces.Place? {
        places.last { ASCII.matches(bytes.span, $0.name, name) }
    }
}

extension HeaderFields: RandomAccessCollection {
    /// The index of the first field.
    public var startIndex: Int { 0 }

    /// The index behind the last field.
    public var endIndex: Int { places.count }

    /// The field at an index.
    public subscript(position: Int) -> HeaderField {
        HeaderField(name: text(places[position].name), value: text(places[position].value))
    }
}

extension HeaderFields: Hashable {
    /// Whether two collections have the same fields in the same order, byte for byte.
    public static func == (left: HeaderFields, right: HeaderFields) -> Bool {
        left.places.count == right.places.count
            && zip(left.places, right.places).allSatisfy { mine, other in
                left.bytes[mine.name] == right.bytes[other.name] && left.bytes[mine.value] == right.bytes[other.value]
            }
    }

    /// Hashes the fields' bytes.
    public func hash(into hasher: inout Hasher) {
        for place in places {
            hasher.combine(bytes[place.name])
            hasher.combine(bytes[place.value])
        }
    }
}

extension HeaderFields: ExpressibleByDictionaryLiteral, CustomStringConvertible {
    /// Creates a collection from names and values, in the order written.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { HeaderField(name: $0.0, value: $0.1) })
    }

    /// The fields, a line each.
    public var description: String {
        map { "\($0.name): \($0.value)" }.joined(separator: "\n")
    }
}
