/// What becomes of a part that is collected: a policy's answer to its header fields.
public struct PartRoute: Sendable, Hashable {
    private enum Kind {
        case accept, toMemory, toDisk, skip, reject
    }

    private let kind: Kind

    /// Keep it in memory, or on disk if it is a long file.
    public static let accept = Self(kind: .accept)
    /// Keep it in memory, however long, within ``CollectionOptions/maxMemoryBytes``.
    public static let toMemory = Self(kind: .toMemory)
    /// Keep it in a temporary file, however short.
    public static let toDisk = Self(kind: .toDisk)
    /// Read its body and drop it; the form has no such part. It counts for ``Limits`` only.
    public static let skip = Self(kind: .skip)
    /// Fail with ``MultipartReceivingError/Code/partRejected``.
    public static let reject = Self(kind: .reject)

    /// Tells what becomes of a part by its header fields, before its body has come; may throw an error of its own.
    public typealias Policy = @Sendable (HeaderFields) throws -> PartRoute
}
