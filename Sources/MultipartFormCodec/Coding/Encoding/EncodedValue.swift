/// An encoded value whose parts do not have names yet.
enum EncodedValue {
    /// No part.
    case nothing
    case single(EncodedPart)
    case container(EncodedNode)
    /// A value within JSON. `JSONEncoder` encodes the value when the JSON is written.
    indirect case unencoded(any Encodable)

    /// The value `null` in JSON.
    static var null: EncodedValue { .unencoded(Bool?.none) }

    /// The final value, after all nested encoders have finished.
    ///
    /// The value of a nested encoder is a `.container` at first. If the encoder encodes a single value, `resolved` is
    /// the single value. If the encoder encodes nothing, `resolved` is `.nothing`.
    var resolved: EncodedValue {
        if case .container(let node) = self { node.value } else { self }
    }
}
