package import MultipartFormCodec

/// A value that takes all parts of a form, whatever their names.
package enum Everything: Decodable {
    case part(BodyPart)
    case list([Everything])
    case table([String: Everything])

    package init(from decoder: any Decoder) throws {
        if let part = try? decoder.singleValueContainer().decode(BodyPart.self) {
            self = .part(part)
        } else if (try? decoder.container(keyedBy: NodeView.Key.self)) != nil {
            self = .table(try [String: Everything](from: decoder))
        } else {
            self = .list(try [Everything](from: decoder))
        }
    }

    /// How many parts it has taken.
    package var count: Int {
        switch self {
        case .part: 1
        case .list(let elements): elements.reduce(0) { $0 + $1.count }
        case .table(let members): members.values.reduce(0) { $0 + $1.count }
        }
    }
}
