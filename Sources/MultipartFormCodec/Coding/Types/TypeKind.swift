#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// The kinds of types, and what the coders do with the values of each kind.
//
// A form is a flat list of parts with names. The decoder turns the names into a tree of keys (`NameTree`). The decoded
// type decides whether a node of the tree is a value, a container with keys or an array. The encoder turns a value into
// a tree of texts and parts (`EncodedNode`). `PartWriter` then makes the names and writes the parts. If a value is one
// part, such as a text or a file, the coders do not call its `Codable` methods. The folders `Decoding` and `Encoding`
// do not use each other.
//
// The first table shows what a value of each kind of type (`TypeKind`) is in a form:
//
//     leaf: text, number, date, URL, …     one part with the text or the bytes (`SinglePartValue`)
//     part type: FormFile, FormJSON,       one part, which the type makes and reads
//       BodyPart, FormPartEncodable, …
//     optional                             nil, or the wrapped value
//     array, set                           elements
//     dictionary                           keys, which `keyEncoding` does not change
//     any other type                       what its `Codable` methods encode and decode
//
// The second table shows what the decoder reads from a node of the tree of names (`ReceivedForm+Shapes`). The columns
// are for three groups of types: leaf or part types, types with keys, and types with elements. The first row that
// applies decides. A result with a hyphen, such as `missing-value`, is the code of an error.
//
// - A value of a node is a part with the node's name, such as `a`.
// - `name[]` is a part with the node's name followed by `[]`, such as `a[]`.
// - A child of a node is a node for the next key, such as `a[b]`.
// - A name in another style is a name such as `a.b` if `keyPathEncoding` is `.brackets`.
//
//     the node has                   a leaf or part       keys              elements
//     [] before the end of a name    ambiguous-array      ambiguous-array   ambiguous-array
//     a name in another style        (does not apply)     malformed-name    malformed-name
//     nothing                        missing-value        no keys           no elements
//     only one value                 the value            expected-keys     one element
//     only several values            duplicate-name *     expected-keys     the elements
//     only `name[]`                  expected-value       expected-keys     the elements
//     only values and `name[]`       expected-value       expected-keys     mixed-shapes
//     only children                  expected-value       the keys          the elements **
//     anything else                  expected-value       mixed-shapes      mixed-shapes
//
//  * If `duplicates` is `.first` or `.last`, the result is the value that `duplicates` chooses.
// ** If a key is not an index, the result is expected-array. If an index is missing, the result is sparse-array.
//
// Empty file inputs are not elements of an array. An element that comes from a value or from `name[]` is one part. If
// its type has keys, the result is expected-keys. If its type has elements, the result is expected-array.
//
// The third table shows when an optional is nil (`ReceivedForm.isNil`). If the node has several values, the table is
// for the value that `duplicates` chooses.
//
//     the node has                   the optional is nil
//     nothing                        always
//     only an empty file input       always
//     only an empty field            unless the type is String, or nilDecoding is .absence
//     only a field with `null`       if keyPathEncoding is .json
//     anything else                  never
//
// Exceptions: an optional is not nil if it is the decoded value itself, or if its type has keys or elements and the
// node has a name in another style.

/// The kind to which a type belongs, such as `array`. The kind decides how the coders treat values of the type.
enum TypeKind {
    /// A text, a number, or another value that is one part.
    case leaf(any SinglePartValue.Type)
    /// A type that makes its own part, or is created from a part.
    case part(Any.Type)
    case optional(Any.Type)
    case dictionary(any DictionaryType.Type)
    /// An array, an array slice, a contiguous array or a set. The associated value is the type of the elements.
    case array(Any.Type)
    /// Any other type, with its own `Codable` methods.
    case other

    /// Determines how the encoder treats values of a type.
    init(encoding type: Any.Type) {
        if let known = type as? any HasTypeKind.Type {
            self = known.typeKind
        } else {
            self = type is any FormPartEncodable.Type && Self.mayBePart(type) ? .part(type) : .other
        }
    }

    /// Determines how the decoder treats values of a type.
    init(decoding type: Any.Type) {
        if let known = type as? any HasTypeKind.Type {
            self = known.typeKind
        } else {
            self = type is any FormPartDecodable.Type && Self.mayBePart(type) ? .part(type) : .other
        }
    }

    /// Whether the coders use a type's conformance to ``FormPartEncodable`` or ``FormPartDecodable``.
    ///
    /// False for types in the standard library. Otherwise, a module that conforms `Range`, for instance, would change
    /// the forms of all other modules in the program. For the same reason, the coders ignore the conformance of a type
    /// with a ``HasTypeKind/typeKind``.
    private static func mayBePart(_ type: Any.Type) -> Bool { !String(reflecting: type).hasPrefix("Swift.") }
}

extension TypeKind {
    /// Whether the type is a leaf or a part type, so that each value is one part.
    var isOnePart: Bool {
        switch self {
        case .leaf, .part: true
        case .optional, .dictionary, .array, .other: false
        }
    }

    /// Whether a value of the type adds a level of depth if another type codes the value in a single-value container.
    /// Without these levels, a type that contains itself in this way would recurse forever. With them, the type exceeds
    /// the depth limit.
    ///
    /// An optional adds no level, but its wrapped value may add one. A collection adds no level, because each of its
    /// elements adds one.
    var countsInPlace: Bool {
        switch self {
        case .other: true
        case .leaf, .part, .optional, .dictionary, .array: false
        }
    }
}

extension TypeKind {
    /// Whether the type to decode is a file or an optional file.
    var expectsFile: Bool {
        switch self {
        case .part(let type): (type as? any FormPartDecodable.Type)?.requiresFile == true
        case .optional(let type): TypeKind(decoding: type).expectsFile
        case .leaf, .dictionary, .array, .other: false
        }
    }

    /// Whether the type is an array of part types, or of optional part types. In a form, such an array is never JSON,
    /// because each element is a part.
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

/// A type that declares its own kind.
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

/// A dictionary with any types of keys and values.
protocol DictionaryType: HasTypeKind {
    /// Returns the dictionary key that a coding key stands for. In `[Int: String]`, for instance, the coding keys `1`
    /// and `01` both stand for 1.
    ///
    /// Returns nil if the dictionary's keys are strings, or if the coding key stands for no dictionary key, such as `a`
    /// in `[Int: String]`.
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

/// A decoder that records which type of coding keys a type requests, and then fails. The standard library codes
/// dictionaries with a type of coding keys that is not public. The coders use the probe to identify this type.
final class KeyTypeProbe: Decoder {
    private struct Found: Error {}

    /// The type of coding keys that the standard library uses for dictionaries.
    private static let dictionaryKeys: ObjectIdentifier? = {
        let probe = KeyTypeProbe()
        _ = try? [String: String](from: probe)
        return probe.keyType
    }()

    private var keyType: ObjectIdentifier?
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    private init() {}

    /// Whether `keys` is the type of coding keys that the standard library uses for dictionaries.
    static func isDictionary(_ keys: Any.Type) -> Bool { ObjectIdentifier(keys) == dictionaryKeys }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        keyType = ObjectIdentifier(type)
        throw Found()
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Found() }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Found() }
}
