/// An encoded value, before the names of its parts are known.
enum EncodedValue {
    /// No part.
    case nothing
    case single(EncodedPart)
    case container(EncodedNode)
    /// A value within JSON, which the JSON encoder will encode.
    indirect case unencoded(any Encodable)

    /// The value itself, without the node of a nested encoder that encoded a single one.
    var resolved: EncodedValue {
        if case .container(let node) = self { node.value } else { self }
    }
}
