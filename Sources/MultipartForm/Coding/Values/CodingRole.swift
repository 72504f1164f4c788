internal import Foundation

/// What the coders know of a type.
enum CodingRole {
    case leaf(any FormLeaf.Type)
    /// A type that is made from a part as it came.
    case part(any FormPartDecodable.Type)
    /// An optional of a type.
    case optional(Any.Type)
    /// A dictionary, and how it converts a coding key to its own; nil if to a string.
    case dictionary(identity: ((any CodingKey) -> AnyHashable?)?)
    /// Another collection of the standard library.
    case collection
    /// A UUID, which Foundation decodes from the beginning of a text.
    case identifier
    /// Any other type, which codes itself.
    case ordinary

    init(_ type: Any.Type) {
        if let type = type as? any FormPartDecodable.Type {
            self = .part(type)
        } else {
            self = (type as? any HasCodingRole.Type)?.codingRole ?? .ordinary
        }
    }

    /// Whether such a value counts as a step of depth when it replaces another in a single-value container: without that,
    /// a type that contains itself would never end. A collection's elements are steps themselves.
    var isStep: Bool {
        switch self {
        case .optional, .ordinary: true
        case .leaf, .part, .dictionary, .collection, .identifier: false
        }
    }
}

/// A type that the coders treat specially.
protocol HasCodingRole {
    static var codingRole: CodingRole { get }
}

/// An optional of any type.
protocol OptionalValue {}

extension Optional: OptionalValue {}

extension Optional: HasCodingRole {
    static var codingRole: CodingRole { .optional(Wrapped.self) }
}

extension Dictionary: HasCodingRole {
    static var codingRole: CodingRole {
        if Key.self == String.self { return .dictionary(identity: nil) }
        if Key.self == Int.self { return .dictionary { $0.intValue } }
        guard #available(macOS 12.3, iOS 15.4, tvOS 15.4, watchOS 8.5, visionOS 1, *),
            let type = Key.self as? any CodingKeyRepresentable.Type
        else { return .dictionary(identity: nil) }
        return .dictionary { type.init(codingKey: $0) as? AnyHashable }
    }
}

extension Array: HasCodingRole {
    static var codingRole: CodingRole { .collection }
}

extension ArraySlice: HasCodingRole {
    static var codingRole: CodingRole { .collection }
}

extension ContiguousArray: HasCodingRole {
    static var codingRole: CodingRole { .collection }
}

extension Set: HasCodingRole {
    static var codingRole: CodingRole { .collection }
}

extension UUID: HasCodingRole {
    static var codingRole: CodingRole { .identifier }
}
