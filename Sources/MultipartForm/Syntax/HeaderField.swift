/// One header field of a part: a name and a value.
public struct HeaderField: Sendable, Hashable {
    /// The field's name as it was sent; names are compared without letter case.
    public var name: String

    /// The field's value, without white space around it, on one line.
    public var value: String

    /// Creates a field.
    ///
    /// - Parameters:
    ///   - name: The field's name, a token (RFC 9110 §5.1). The encoder refuses anything else.
    ///   - value: The field's value. The encoder refuses controls and what is not ASCII.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
