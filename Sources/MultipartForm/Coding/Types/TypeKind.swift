#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// What the coders do with a value, by its type.
//
// A form is a flat list of names. *Decoding*: the names become a tree once (`NameTree`), and the type that asks decides
// what a node is. *Encoding*: a value becomes a tree of texts and parts (`EncodedNode`), and `PartWriter` makes their
// names when it writes them. Values of one part are handled without their `Codable` methods. The folders `Decoding` and
// `Encoding` do not use each other.
//
// Types (`TypeKind`), in both directions:
//
//     a leaf: text, number, date, URL, …   its text, or its bytes; `SinglePartValue`
//     a part type: FormFile, BodyPart,     makes its own part, and is made from one
//       FormJSON, FormPart…able
//     an optional                          nil, or its value
//     an array, a set                      elements
//     a dictionary                         keys, which are texts and not coding keys
//     any other                            codes itself
//
// What a node, a key in the tree of names, is for the type that requests it (`ReceivedForm+Shapes`). The first row that
// applies decides:
//
//     the node has                 a leaf or part       keys              elements
//     [] before the end of a name  ambiguous-array      ambiguous-array   ambiguous-array
//     a name of another style      -                    malformed-name    malformed-name
//     nothing                      missing-value        no keys           no elements
//     one value                    the value            expected-keys     one element
//     several values               duplicate-name *     expected-keys     the elements
//     only `name[]`                expected-value       expected-keys     the elements
//     only children                expected-value       the keys          indices 0…n-1, else an error
//     two of these                 expected-value       mixed-shapes      mixed-shapes
//
// * Unless `duplicates` takes the first or the last. If several values are the elements of an array, each of them is a
// value without keys and elements.
//
// Empty file inputs are left out of arrays. An optional is nil (`ReceivedForm.isNil`) if the node has nothing, or if
// its one value, or the one that `duplicates` takes, is
//
//     an empty file input
//     an empty text                  unless the type is String, or nilDecoding is .absence
//     `null`                         under .json
//
// For any type but a leaf or a part type, a node with a name of another style is not nil.

/// How the coders treat a type.
enum TypeKind {
    /// A text, a number, or another value that is one part.
    case leaf(any SinglePartValue.Type)
    /// A type that makes its own part, or is made from one.
    case part(Any.Type)
    case optional(Any.Type)
    case dictionary(any DictionaryType.Type)
    /// An array, a set or another collection of the standard library, with the type of its elements.
    case array(Any.Type)
    /// Any other type, which codes itself.
    case other

    /// The kind of a type to encode.
    init(encoding type: Any.Type) {
        if let known = type as? any HasTypeKind.Type {
            self = known.typeKind
        } else {
            self = type is any FormPartEncodable.Type && Self.mayBePart(type) ? .part(type) : .other
        }
    }

    /// The kind of a type to decode.
    init(decoding type: Any.Type) {
        if let known = type as? any HasTypeKind.Type {
            self = known.typeKind
        } else {
            self = type is any FormPartDecodable.Type && Self.mayBePart(type) ? .part(type) : .other
        }
    }

    /// Whether a type's conformance to ``FormPartEncodable`` or ``FormPartDecodable`` counts. It does not count for
    /// types of the standard library, nor for other types whose kind the coders know, because a module that makes such
    /// a type conform would change the forms of all other modules.
    static func mayBePart(_ type: Any.Type) -> Bool {
        !(type is any HasTypeKind.Type) && !String(reflecting: type).hasPrefix("Swift.")
    }
}

extension TypeKind {
    /// Whether a value is one part: a leaf or a part type.
    var isOnePart: Bool {
        switch self {
        case .leaf, .part: true
        case .optional, .dictionary, .array, .other: false
        }
    }

    /// Whether a value counts as a level if another value codes it in place of itself. Such a value must count, because
    /// a type that contains itself would otherwise never end. But for an optional its value counts, and for a
    /// collection its elements.
    var countsInPlace: Bool {
        switch self {
        case .other: true
        case .leaf, .part, .optional, .dictionary, .array: false
        }
    }
}

extension TypeKind {
    /// Whether a value to decode is a file, or an optional of one.
    var expectsFile: Bool {
        switch self {
        case .part(let type): (type as? any FormPartDecodable.Type)?.requiresFile == true
        case .optional(let type): TypeKind(decoding: type).expectsFile
        case .leaf, .dictionary, .array, .other: false
        }
    }

    /// Whether a value to decode is an array of part types, or of optionals of them, which is never JSON.
    var isArrayOfParts: Bool {
        guard case .array(let element) = self else { return false }
        return TypeKind(decoding: element).isPart || TypeKind(encoding: element).isPart
    }

    private var isPart: Bool {
        switch self {
        case .part: true
        case .optional(let type): TypeKind(decoding: type).isPart || TypeKind(encoding: type).isPart
        case .leaf, .dictionary, .array, .other: false
        }
    }
}

/// A type whose kind the coders know.
protocol HasTypeKind {
    static var typeKind: TypeKind { get }
}

extension Optional: HasTypeKind {
    static var typeKind: TypeKind { .optional(Wrapped.self) }
}

extension Array: HasTypeKind {
    static var typeKind: TypeKind { .array(Element.self) }
}

extension ArraySlice: HasTypeKind {
    static var typeKind: TypeKind { .array(Element.self) }
}

extension ContiguousArray: HasTypeKind {
    static var typeKind: TypeKind { .array(Element.self) }
}

extension Set: HasTypeKind {
    static var typeKind: TypeKind { .array(Element.self) }
}

/// A dictionary of any type.
protocol DictionaryType: HasTypeKind {
    /// The value by which a dictionary compares a coding key; nil if it compares the key's text.
    static func identity(of key: any CodingKey) -> AnyHashable?
}

extension Dictionary: DictionaryType {
    static var typeKind: TypeKind { .dictionary(Self.self) }

    static func identity(of key: any CodingKey) -> AnyHashable? {
        if Key.self == String.self { return nil }
        if Key.self == Int.self { return key.intValue }
        guard #available(macOS 12.3, iOS 15.4, tvOS 15.4, watchOS 8.5, visionOS 1, *),
            let type = Key.self as? any CodingKeyRepresentable.Type
        else { return nil }
        return type.init(codingKey: key) as? AnyHashable
    }
}
