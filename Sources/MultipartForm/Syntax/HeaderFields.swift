/// The header fields of a part, in order; repeated names are kept.
///
/// The bytes are kept as they came, and text is made when it is asked for: bytes that are not UTF-8 then read as
/// U+FFFD, one for each maximal subpart. The codec never trusts a value it does not need.
public struct HeaderFields: Sendable {
    /// The fields, with anything between.
    package var text: FieldText

    /// Creates an empty collection.
    public init() {
        text = FieldText()
    }

    /// Creates a collection of fields, which must be shorter than 4 GiB together.
    public init(_ fields: some Sequence<HeaderField>) {
        self.init()
        append(contentsOf: fields)
    }

    /// Creates a collection of the fields that stand in a text.
    package init(_ text: Span<UInt8>, _ places: Span<FieldPlace>, _ disposition: DispositionLayout? = nil) {
        self.init()
        self.text.replace(with: text, places, disposition)
    }

    /// Appends a field; fields of the same name stay.
    ///
    /// The names and values of a collection must be shorter than 4 GiB together.
    ///
    /// - Complexity: O(*n*) in the length of all fields.
    public mutating func append(_ field: HeaderField) {
        append(contentsOf: CollectionOfOne(field))
    }

    /// Appends fields; fields of the same name stay.
    ///
    /// The names and values of a collection must be shorter than 4 GiB together.
    ///
    /// - Complexity: O(*n*) in the length of all fields.
    public mutating func append(contentsOf fields: some Sequence<HeaderField>) {
        var (places, bytes) = text.read { places, bytes in (Array(copying: places), Array(copying: bytes)) }
        for field in fields {
            let start = bytes.count
            bytes.append(contentsOf: field.name.utf8)
            let valueStart = bytes.count
            bytes.append(contentsOf: field.value.utf8)
            precondition(bytes.count <= UInt32.max, "header fields are shorter than 4 GiB together")
            places.append(FieldPlace(name: start..<valueStart, value: valueStart..<bytes.count))
        }
        text.replace(with: bytes.span, places.span)
    }

    /// The value of the first field with a name, letter case ignored; nil if there is none.
    ///
    /// - Parameter name: The field's name.
    public subscript(name: String) -> String? {
        first(name) { String(repairing: $0) }
    }

    /// The values of all fields with a name, letter case ignored, in order.
    public func values(for name: String) -> [String] {
        text.read { places, bytes in
            places.indices.filter { Self.isNamed(places[$0], name, bytes) }
                .map { String(repairing: bytes.extracting(places[$0].value)) }
        }
    }

    /// The value's bytes of the first field with a name, letter case ignored: those the text was made of.
    public func bytes(for name: String) -> [UInt8]? {
        first(name) { Array(copying: $0) }
    }

    /// What is made of the value of the first field with a name.
    private func first<Result>(_ name: String, _ body: (Span<UInt8>) -> Result) -> Result? {
        text.read { places, bytes in
            places.indices.first { Self.isNamed(places[$0], name, bytes) }
                .map { body(bytes.extracting(places[$0].value)) }
        }
    }

    /// Whether a field has a name, letter case ignored.
    private static func isNamed(_ place: FieldPlace, _ name: String, _ bytes: Span<UInt8>) -> Bool {
        place.name.count == name.utf8.count
            && zip(place.name, name.utf8).allSatisfy { ASCII.lowercased(bytes[$0]) == ASCII.lowercased($1) }
    }
}

extension HeaderFields: RandomAccessCollection {
    /// The index of the first field.
    public var startIndex: Int { 0 }

    /// The index behind the last field.
    public var endIndex: Int { text.placeCount }

    /// The field at an index.
    public subscript(position: Int) -> HeaderField {
        text.read { places, bytes in
            HeaderField(
                name: String(repairing: bytes.extracting(places[position].name)),
                value: String(repairing: bytes.extracting(places[position].value))
            )
        }
    }
}

extension HeaderFields: Hashable {
    /// Whether two collections have the same fields in the same order, byte for byte.
    public static func == (left: HeaderFields, right: HeaderFields) -> Bool {
        left.lines == right.lines
    }

    /// Hashes the fields' bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(lines)
    }

    /// The bytes of each name and each value.
    private var lines: [[UInt8]] {
        text.read { places, bytes in
            places.indices.flatMap {
                [Array(copying: bytes.extracting(places[$0].name)), Array(copying: bytes.extracting(places[$0].value))]
            }
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
