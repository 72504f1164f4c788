/// An encoded value whose parts do not have names yet.
enum EncodedValue {
    /// No part. This is nil, unless the option `nilEncoding` creates a part for it.
    case nothing
    case single(EncodedPart)
    case container(EncodedNode)
    /// A value within JSON. `JSONEncoder` encodes the value when the JSON is written.
    indirect case unencoded(any Encodable)

    /// The value `null` in JSON.
    static var null: EncodedValue { .unencoded(Bool?.none) }

    /// The final value, after all nested encoders have finished.
    ///
    /// The value of an encoder is a `.container`. If the encoder encodes a single value, `resolved` is the single
    /// value. If the encoder encodes nothing, `resolved` is `.nothing`.
    var resolved: EncodedValue {
        guard case .container(let node) = self else { return self }
        return switch node.kind {
        case .nothing: .nothing
        case .single: node.members[0].value.resolved
        case .keyed, .array: self
        }
    }
}
