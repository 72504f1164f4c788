/// One header field of a part: a name and a value.
public struct HeaderField: Sendable {
    /// The field's name, in the letter case in which it was sent or set. A lookup in ``HeaderFields`` ignores letter
    /// case, but `==` does not.
    public var name: String

    /// The field's value. A received value is on one line, without leading or trailing white space.
    public var value: String

    /// Creates a field to append to ``HeaderFields``.
    ///
    /// - Parameters:
    ///   - name: The field's name. The encoder refuses a name that is not a token (RFC 9110 §5.1).
    ///   - value: The field's value. The encoder refuses control characters other than HTAB, and characters outside
    ///     ASCII.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

extension HeaderField: Hashable {
    /// Whether two fields have the same name and value, byte for byte in UTF-8.
    public static func == (left: HeaderField, right: HeaderField) -> Bool {
        left.name.utf8.elementsEqual(right.name.utf8) && left.value.utf8.elementsEqual(right.value.utf8)
    }

    /// Hashes the bytes of the name and the value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(Array(name.utf8))
        hasher.combine(Array(value.utf8))
    }
}
