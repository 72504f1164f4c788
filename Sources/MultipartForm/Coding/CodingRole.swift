#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// How the coders treat a type.
enum CodingRole {
    case leaf(any FormLeaf.Type)
    /// A type that is made from a part as it came.
    case part(any FormPartDecodable.Type)
    /// An optional of a type.
    case optional(Any.Type)
    /// A dictionary, and how it converts a coding key to its own; nil if to a string.
    case dictionary(identity: ((any CodingKey) -> AnyHashable?)?)
    /// Another collection of the standard library, of elements of a type.
    case collection(Any.Type)
    /// A UUID, which Foundation decodes from the beginning of a text.
    case identifier
    /// Any other type, which codes itself.
    case ordinary

    init(_ type: Any.Type) {
        if let type = type as? any HasCodingRole.Type {
            self = type.codingRole
        } else if let part = type as? any FormPartDecodable.Type, Self.mayBePart(type) {
            self = .part(part)
        } else {
            self = .ordinary
        }
    }

    /// Whether a type may say that it is one part. Any module can make a type of the standard library conform, and
    /// would change the forms of all others.
    static func mayBePart(_ type: Any.Type) -> Bool {
        !(type is any HasCodingRole.Type) && !String(reflecting: type).hasPrefix("Swift.")
    }

    /// Whether such a value has keys or elements, whatever is in it.
    var isCollection: Bool {
        switch self {
        case .dictionary, .collection: true
        case .leaf, .part, .optional, .identifier, .ordinary: false
        }
    }

    /// Whether a value of a type, or of an optional of it, is one part, which has neither keys nor elements. A type
    /// that codes itself by a single-value container is not known to be.
    static func isSingle(_ type: Any.Type) -> Bool {
        switch CodingRole(type) {
        case .leaf, .part, .identifier: true
        case .optional(let wrapped): isSingle(wrapped)
        case .dictionary, .collection: false
        case .ordinary: type is any JSONPart.Type || (type as? any RawRepresentable.Type)?.isSingle == true
        }
    }

    /// Whether such a value is a file, or an optional of one.
    var isFile: Bool {
        switch self {
        case .part(let type): type.requiresFile
        case .optional(let type): CodingRole(type).isFile
        case .leaf, .dictionary, .collection, .identifier, .ordinary: false
        }
    }

    /// Whether such a value counts as a step of depth when it replaces another in a single-value container: without
    /// that, a type that contains itself would never end. A collection's elements are steps themselves.
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

/// A type whose value is JSON in one part.
protocol JSONPart {}

extension RawRepresentable {
    /// Whether the raw value is one part.
    fileprivate static var isSingle: Bool { CodingRole.isSingle(RawValue.self) }
}

/// An optional of any type.
protocol OptionalValue {
    /// Whether the value counts as a step of depth.
    static var isValueStep: Bool { get }

    var isNil: Bool { get }
}

extension Optional: OptionalValue {
    static var isValueStep: Bool { CodingRole(Wrapped.self).isStep }

    /// Whether there is no value, at any depth of optionals.
    var isNil: Bool {
        guard let value = self else { return true }
        return MultipartForm.isNil(value)
    }
}

/// Whether a value is an optional that is nil.
func isNil<T>(_ value: T) -> Bool {
    guard T.self is any OptionalValue.Type, let value = value as? any OptionalValue else { return false }
    return value.isNil
}

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
    static var codingRole: CodingRole { .collection(Element.self) }
}

extension ArraySlice: HasCodingRole {
    static var codingRole: CodingRole { .collection(Element.self) }
}

extension ContiguousArray: HasCodingRole {
    static var codingRole: CodingRole { .collection(Element.self) }
}

extension Set: HasCodingRole {
    static var codingRole: CodingRole { .collection(Element.self) }
}

extension UUID: HasCodingRole {
    static var codingRole: CodingRole { .identifier }
}

extension CodingRole {
    /// The type of the keys with which the standard library encodes and decodes a dictionary; it has no public name.
    static let dictionaryKeys = NestingProbe.keyType(of: [String: String]())
}
