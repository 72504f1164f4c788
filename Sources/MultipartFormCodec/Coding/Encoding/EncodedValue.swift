/// An encoded value whose parts do not have names yet.
enum EncodedValue {
    /// No part. The value is nil and the option `nilEncoding` is `.dropKey`, or the value has encoded nothing.
    case nothing
    case single(EncodedPart)
    case container(EncodedNode)
    /// A value within JSON. `JSONEncoder` encodes the value when the JSON is written.
    indirect case unencoded(any Encodable)

    /// The value `null` in JSON.
    static var null: EncodedValue { .unencoded(Bool?.none) }

    /// The value without containers that hold nothing or a single value.
    ///
    /// Each encoder collects its output in a `.container`. If the encoder has encoded a single value, `resolved` is
    /// this value. If the encoder has encoded nothing, `resolved` is `.nothing`. The result is final after all nested
    /// encoders have finished.
    var resolved: EncodedValue {
        guard case .container(let node) = self else { return self }
        return switch node.kind {
        case .nothing: .nothing
        case .single: node.members[0].value.resolved
        case .keyed, .array: self
        }
    }
}
