public import Foundation

/// Where a collected form keeps its contents, and how much it may keep.
///
/// Fields, which have no file name, stay in memory. Files go to disk when they are longer than ``diskThreshold``, or
/// when memory is used up. The limits are inclusive and enforced before anything is kept; those on any one part and
/// on the message are ``Limits/maxPartBytes`` and ``Limits/maxTotalBytes``. Of several limits, the one that the message
/// reaches first is reported.
public struct CollectionOptions: Sendable, Hashable {
    /// The longest content of a part without a file name, in bytes; 1 MiB unless set.
    public var maxFieldBytes: UInt64
    /// The most bytes that the form may take in memory; 16 MiB unless set.
    ///
    /// Each part counts for its content while that is in memory; for its header section and 16 bytes a header field;
    /// and for 512 bytes, or 1024 if its content is on disk. Parts that are skipped do not count.
    public var maxMemoryBytes: UInt64
    /// The longest that the contents on disk may be together, in bytes; 1 GiB unless set.
    public var maxDiskBytes: UInt64
    /// The longest content of a file to keep in memory, in bytes; 64 KiB unless set.
    public var diskThreshold: UInt64
    /// Where to create temporary files; nil, the default, for the system's temporary directory.
    ///
    /// The files are readable by their owner only, and each is removed with the last part that refers to it. What a
    /// process that was killed has left there has a name that begins with `part-`.
    public var directory: URL?

    /// Creates options.
    ///
    /// - Parameters:
    ///   - maxFieldBytes: The longest content of a part without a file name, in bytes.
    ///   - maxMemoryBytes: The most bytes that the form may take in memory, header sections included.
    ///   - maxDiskBytes: The longest that the contents on disk may be together, in bytes.
    ///   - diskThreshold: The longest content of a file to keep in memory, in bytes.
    ///   - directory: Where to create temporary files; nil for the system's temporary directory.
    public init(
        maxFieldBytes: UInt64 = 1 << 20,
        maxMemoryBytes: UInt64 = 16 << 20,
        maxDiskBytes: UInt64 = 1 << 30,
        diskThreshold: UInt64 = 64 << 10,
        directory: URL? = nil
    ) {
        self.maxFieldBytes = maxFieldBytes
        self.maxMemoryBytes = maxMemoryBytes
        self.maxDiskBytes = maxDiskBytes
        self.diskThreshold = diskThreshold
        self.directory = directory
    }

    /// The options unless others are given.
    public static let `default` = CollectionOptions()

    /// What a part counts for beside its content, in bytes: its header section with the places of its fields, and the
    /// part itself with its share of the form. `hostile memory` measures it.
    static func memoryBytes(ofPartWith headers: HeaderFields) -> UInt64 {
        headers.text.read { places, section in
            UInt64(512 + places.count * MemoryLayout<FieldPlace>.stride + section.count)
        }
    }

    /// What the reference to a temporary file counts for, in bytes.
    static let memoryBytesOfFile: UInt64 = 512
}
