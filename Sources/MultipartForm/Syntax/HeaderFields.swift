/// The header fields of a part, in order; repeated names are kept.
///
/// Stores the received bytes and decodes text when it is requested. Bytes that are not UTF-8 then become U+FFFD, one
/// for each maximal subpart. Names are compared ignoring letter case.
public struct HeaderFields: Sendable {
    /// The fields, and any other bytes of the section that they were received in.
    package var storage: HeaderFieldStorage

    package init() {
        storage = HeaderFieldStorage()
    }

    /// Creates a collection of the fields of a sequence, such as those of a framework's own type.
    ///
    /// - Precondition: The fields are shorter than 4 GiB in total.
    public init(_ fields: some Sequence<HeaderField>) {
        self.init()
        for field in fields { append(field) }
    }

    init(_ bytes: Span<UInt8>, _ fields: Span<FieldRanges>, _ layout: SectionLayout?) {
        self.init()
        storage.replace(with: bytes, fields, layout)
    }

    /// Creates the fields of a whole header section in canonical lines (``SectionLayout/Lines/canonical``).
    init(canonical section: Span<UInt8>, _ layout: SectionLayout?) {
        var fields: ContiguousArray<FieldRanges> = []
        var line = 0
        // Each pass reads one line.
        while line < section.count, !ASCII.isLineBreak(section, at: line) {
            let colon = ASCII.firstOffset(of: ASCII.colon, in: section, from: line)
            let end = ASCII.endOfText(section, from: colon, to: section.count)
            fields.append(
                FieldRanges(name: line..<colon, value: ASCII.trimmingWhitespace(section, colon + 1..<end))
            )
            line = end + 2
        }
        self.init(section, fields.span, layout)
    }

    /// Appends a field; fields with the same name are kept.
    ///
    /// - Precondition: The fields are shorter than 4 GiB in total.
    /// - Complexity: O(*n*) in the length of the field, amortized.
    public mutating func append(_ field: HeaderField) {
        storage.append(name: ContiguousArray(field.name.utf8).span, value: ContiguousArray(field.value.utf8).span)
    }

    /// Removes all fields with a name, letter case ignored.
    private mutating func removeAll(named name: String) {
        var bytes: ContiguousArray<UInt8> = []
        var kept: ContiguousArray<FieldRanges> = []
        var moved: ContiguousArray<FieldRanges> = []
        storage.read { fields, old in
            for index in fields.indices where !ASCII.matches(old, fields[index].name, ignoringCaseOf: name) {
                let field = fields[index]
                let (start, valueStart) = (bytes.count, bytes.count + field.name.count)
                bytes.append(copying: old.extracting(field.name))
                bytes.append(copying: old.extracting(field.value))
                kept.append(field)
                moved.append(FieldRanges(name: start..<valueStart, value: valueStart..<bytes.count))
            }
        }
        guard kept.count < count else { return }
        // The other fields of a received part are still sent unchanged. So the layout is kept, except if it describes
        // the removed field.
        let properties = ["content-disposition", "content-type"]
        let isProperty = properties.contains { $0.utf8.elementsEqual(name.lowercased().utf8) }
        let layout = isProperty ? nil : storage.layout?.moved(from: kept.span, to: moved, lines: .raw)
        storage.replace(with: bytes.span, moved.span, layout)
    }

    /// The value of the last field with a name, letter case ignored; nil if there is none. The Fetch standard also
    /// takes the last Content-Type.
    ///
    /// Setting a value leaves one field with that name, in place of the first one, or at the end if there was none.
    /// Setting nil removes all of them.
    ///
    /// - Parameter name: The field's name.
    /// - Complexity: O(*n*) in the number of fields; setting it, in the length of all fields.
    public subscript(name: String) -> String? {
        get { last(where: { ASCII.matches($1, $0.name, ignoringCaseOf: name) }, { String(repairing: $0) }) }
        set {
            guard let newValue else { return removeAll(named: name) }
            replaceAll(named: name, by: newValue)
        }
    }

    /// The number of fields with a name, ignoring letter case.
    func count(named name: String) -> Int {
        storage.read { fields, bytes in
            fields.indices.count { ASCII.matches(bytes, fields[$0].name, ignoringCaseOf: name) }
        }
    }

    /// The received bytes of the value of the last field with a name, letter case ignored; nil if there is none.
    package func bytes(named name: String) -> [UInt8]? {
        last(where: { ASCII.matches($1, $0.name, ignoringCaseOf: name) }, { Array(copying: $0) })
    }

    /// Calls `body` with the value of the last field for which `isMatch` is true; nil if there is none.
    func last<Result>(where isMatch: (FieldRanges, Span<UInt8>) -> Bool, _ body: (Span<UInt8>) -> Result) -> Result? {
        storage.read { fields, bytes in
            fields.indices.last { isMatch(fields[$0], bytes) }
                .map { body(bytes.extracting(fields[$0].value)) }
        }
    }

    private mutating func replaceAll(named name: String, by value: String) {
        var replacement = [HeaderField(name: name, value: value)]
        var result = HeaderFields()
        storage.read { fields, bytes in
            for index in fields.indices {
                if !ASCII.matches(bytes, fields[index].name, ignoringCaseOf: name) {
                    result.storage.append(
                        name: bytes.extracting(fields[index].name),
                        value: bytes.extracting(fields[index].value)
                    )
                } else if let field = replacement.popLast() {
                    result.append(field)
                }
            }
        }
        for field in replacement { result.append(field) }
        self = result
    }
}

extension HeaderFields: RandomAccessCollection {
    /// The index of the first field.
    public var startIndex: Int { 0 }

    /// The index after the last field.
    public var endIndex: Int { storage.fieldCount }

    /// The field at an index.
    ///
    /// - Complexity: O(*n*) in the length of the field.
    public subscript(position: Int) -> HeaderField {
        storage.read { fields, bytes in
            HeaderField(
                name: String(repairing: bytes.extracting(fields[position].name)),
                value: String(repairing: bytes.extracting(fields[position].value))
            )
        }
    }
}

extension HeaderFields: Hashable {
    /// Whether two collections have the same fields in the same order, byte for byte.
    public static func == (left: HeaderFields, right: HeaderFields) -> Bool {
        left.storage.read { fields, bytes in
            right.storage.read { otherFields, otherBytes in
                guard fields.count == otherFields.count else { return false }
                for index in fields.indices {
                    let (field, other) = (fields[index], otherFields[index])
                    guard bytes.extracting(field.name).equals(otherBytes.extracting(other.name)),
                        bytes.extracting(field.value).equals(otherBytes.extracting(other.value))
                    else { return false }
                }
                return true
            }
        }
    }

    /// Hashes the fields' bytes.
    public func hash(into hasher: inout Hasher) {
        storage.read { fields, bytes in
            hasher.combine(fields.count)
            for index in fields.indices {
                bytes.extracting(fields[index].name).hash(into: &hasher)
                bytes.extracting(fields[index].value).hash(into: &hasher)
            }
        }
    }
}

extension HeaderFields: ExpressibleByDictionaryLiteral, CustomStringConvertible {
    /// Creates a collection from names and values, in the order written; for the fields of a new part.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { HeaderField(name: $0.0, value: $0.1) })
    }

    /// One line per field, for a log; characters that a terminal may obey are escaped.
    public var description: String {
        map { "\($0.name): \($0.value)".printable(upTo: .max, escapesQuotes: false) }.joined(separator: "\n")
    }
}
