/// The header fields of a part, in order. Several fields may have the same name.
///
/// The collection stores bytes. Each access decodes the bytes as UTF-8, and replaces invalid bytes by U+FFFD (Unicode
/// 16.0 §3.9). A lookup by name ignores letter case, but `==` does not.
public struct HeaderFields: Sendable {
    /// The bytes of all names and values, and the range of each name and each value in these bytes.
    package var storage: HeaderFieldStorage

    package init() {
        storage = HeaderFieldStorage()
    }

    /// Creates a collection from a sequence of fields, for instance to convert the header fields of a framework.
    ///
    /// - Precondition: All fields together are shorter than 4 GiB.
    public init(_ fields: some Sequence<HeaderField>) {
        self.init()
        for field in fields { append(field) }
    }

    /// Creates a collection from a dictionary, for instance from Alamofire's `HTTPHeaders.dictionary` or URLRequest's
    /// `allHTTPHeaderFields`.
    ///
    /// A dictionary has no order, so the fields are sorted by name. In a dictionary literal, the fields keep the
    /// literal's order: see ``init(dictionaryLiteral:)``.
    ///
    /// - Precondition: All fields together are shorter than 4 GiB.
    /// - Complexity: O(*n* log *n*) in the number of fields.
    public init(_ fields: [String: String]) {
        self.init(fields.sorted { $0.key < $1.key }.map { HeaderField(name: $0.key, value: $0.value) })
    }

    init(_ bytes: Span<UInt8>, _ fields: Span<FieldRanges>, _ layout: SectionLayout?) {
        self.init()
        storage.replace(with: bytes, fields, layout)
    }

    /// Parses a whole header section, whose lines must be canonical (``SectionLayout/Lines/canonical``): a token, a
    /// colon, a value and CR LF.
    init(canonical section: Span<UInt8>, _ layout: SectionLayout?) {
        var fields: ContiguousArray<FieldRanges> = []
        var line = 0
        // Parses one line per iteration, and stops at the blank line.
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

    /// Appends a field. Keeps other fields with the same name.
    ///
    /// - Precondition: All fields together are shorter than 4 GiB.
    /// - Complexity: O(*n*) in the length of the field, amortized.
    public mutating func append(_ field: HeaderField) {
        storage.append(name: ContiguousArray(field.name.utf8).span, value: ContiguousArray(field.value.utf8).span)
    }

    /// Removes all fields with a name. Ignores letter case.
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
        // The ranges in the layout are within Content-Disposition and Content-Type. If one of these two fields is
        // removed, the layout is dropped. If another field is removed, the layout is kept, because without a layout,
        // the encoder would write a new Content-Disposition.
        let properties = ["content-disposition", "content-type"]
        let isProperty = properties.contains { $0.utf8.elementsEqual(name.lowercased().utf8) }
        let layout = isProperty ? nil : storage.layout?.moved(from: kept.span, to: moved, lines: .raw)
        storage.replace(with: bytes.span, moved.span, layout)
    }

    /// The value of the last field with a name; nil if no field has the name. The lookup ignores letter case. Like this
    /// subscript, the Fetch standard uses the last of several Content-Type fields.
    ///
    /// Setting a value replaces the first field with the name, and removes the other fields with the name. If no field
    /// has the name, the new field is appended. Setting nil removes all fields with the name.
    ///
    /// - Parameter name: The field's name.
    /// - Complexity: Reading is O(*n*) in the number of fields and the length of the value. Setting is O(*n*) in the
    ///   length of all fields.
    public subscript(name: String) -> String? {
        get { last(where: { ASCII.matches($1, $0.name, ignoringCaseOf: name) }, { String(repairing: $0) }) }
        set {
            guard let newValue else { return removeAll(named: name) }
            replaceAll(named: name, by: newValue)
        }
    }

    /// Returns the number of fields with a name. Ignores letter case.
    func count(named name: String) -> Int {
        storage.read { fields, bytes in
            fields.indices.count { ASCII.matches(bytes, fields[$0].name, ignoringCaseOf: name) }
        }
    }

    /// Returns the value of the last field with a name, as bytes; nil if no field has the name. Ignores letter case.
    package func bytes(named name: String) -> [UInt8]? {
        last(where: { ASCII.matches($1, $0.name, ignoringCaseOf: name) }, { Array(copying: $0) })
    }

    /// Calls `body` with the value of the last field that `isMatch` accepts, and returns the result of `body`. Returns
    /// nil if `isMatch` accepts no field.
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
    /// Returns whether two collections have the same fields in the same order. Compares names and values byte for byte.
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

    /// Hashes the bytes of all names and values.
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
    /// Creates a collection from names and values, in the order of the literal, for instance for a new part.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { HeaderField(name: $0.0, value: $0.1) })
    }

    /// One line for each field, for logs. Unprintable characters are escaped.
    public var description: String {
        map { "\($0.name): \($0.value)".printable(upTo: .max, escapesQuotes: false) }.joined(separator: "\n")
    }
}
