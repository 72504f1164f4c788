/// One header field of a part: a name and a value.
public struct HeaderField: Sendable, Hashable {
    /// The field's name as it was sent; comparisons ignore letter case.
    public var name: String

    /// The field's value on one line, without leading or trailing white space.
    public var value: String

    /// Creates a field, to be appended to ``HeaderFields``.
    ///
    /// - Parameters:
    ///   - name: The field's name, a token (RFC 9110 §5.1). The encoder refuses anything else.
    ///   - value: The field's value. The encoder refuses control characters and anything but ASCII.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
