#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Encodes values to forms: the parts of a struct's properties, named as web frameworks read them.
///
/// ```swift
/// struct Order: Encodable {
///     var customer: String
///     var items: [Item]
///     var receipt: FormFile?
/// }
///
/// let form = try FormDataEncoder().encode(order)  // customer, items[0][id], items[0][quantity], …, receipt
/// ```
///
/// Texts, numbers, dates and URLs become fields; ``FormFile`` and `Data` become files; ``FormJSON`` and types that
/// conform to ``FormPartEncodable`` make their own parts. Any other value is encoded by its properties or elements.
/// ``FormDataDecoder`` with the same options returns an equal value.
public struct FormDataEncoder: Sendable {
    /// Whether the keys of each container are sorted by their bytes in UTF-8. By default, only those of a `Dictionary`
    /// are; others keep the order in which the value encodes them.
    public var alphabetizeKeyValuePairs = false

    /// How the elements of an array are named; by default `key[]`. Set what the receiver reads.
    public var arrayEncoding: ArrayEncoding = .brackets

    /// How a `Bool` is written; by default `true` and `false`. Set what the receiver reads.
    public var boolEncoding: BoolEncoding = .literal

    /// How `Data` is written; by default as a file named `blob`. Set what the receiver reads.
    public var dataEncoding: DataEncoding = .file()

    /// How a `Date` is written; by default `2026-11-21T19:00:00Z`. Set what the receiver reads.
    public var dateEncoding: DateEncoding = .iso8601

    /// How an array without elements is written; by default not at all. Set what the receiver reads.
    public var emptyArrayEncoding: EmptyArrayEncoding = .dropKey

    /// How coding keys become names; by default unchanged. The keys of a `Dictionary` are never changed.
    public var keyEncoding: FormKeyEncoding = .useDefaultKeys

    /// How the key of a container and the keys in it are joined; by default `a[b]`. Set what the receiver reads.
    public var keyPathEncoding: FormKeyPathEncoding = .brackets

    /// How nil is written; by default not at all. Set what the receiver reads.
    public var nilEncoding: NilEncoding = .dropKey

    /// Prepares the `JSONEncoder` that each encoding makes for ``FormJSON`` and ``FormKeyPathEncoding/json``: sets its
    /// strategies for dates and keys to what the receiver reads.
    public var configureJSON: @Sendable (JSONEncoder) -> Void = { _ in }

    /// The most steps a value may be nested in: keys, array elements, and values that encode another in their place. 16
    /// by default. Raise it for types that are nested deeper, up to 64: no more fit on a small stack.
    public var maxDepth = 16

    /// What the values may read from their encoder. Within JSON it is the `userInfo` that ``configureJSON`` sets.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates an encoder with the default options; change them before you use it.
    public init() {}

    var depthLimit: Int { min(maxDepth, CodingDepth.ceiling) }
}
