/// An encoded value, before the names of its parts are known.
enum EncodedValue {
    /// No part.
    case nothing
    case single(EncodedPart)
    case container(EncodedNode)
    /// A value within JSON, which the JSON encoder will encode.
    indirect case unencoded(any Encodable)

    /// JSON's null.
    static var null: EncodedValue { .unencoded(Bool?.none) }

    /// The value itself. But if it is the node of a nested encoder that has encoded a single value, this is the single
    /// value.
    var resolved: EncodedValue {
        if case .container(let node) = self { node.value } else { self }
    }
}
