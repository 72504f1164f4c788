public import Foundation

extension MultipartCollector {
    /// How to read a message that is collected, where its content is kept, and how much of it.
    ///
    /// Fields, which have no file name, stay in memory. Files are written to disk when they are longer than
    /// ``diskThreshold``, or when memory is used up. The limits are inclusive and enforced before anything is kept. Of
    /// several limits, the one that the message reaches first is reported.
    public struct Options: Sendable, Hashable {
        /// How to read the message, and the limits on its bytes.
        public var parser: MultipartParser.Options

        /// The longest content of a part without a file name, in bytes, unless its route has a limit; 1 MiB unless set.
        public var maxFieldBytes: UInt64

        /// The most bytes that the form may take in memory; 16 MiB unless set.
        ///
        /// Each part counts for its content while that is in memory; for its header section and 16 bytes a header
        /// field; and for 512 bytes, or 1024 if its content is on disk. Parts that are skipped do not count.
        public var maxMemoryBytes: UInt64

        /// The most bytes of content on disk; 1 GiB unless set.
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
        ///   - parser: How to read the message, and the limits on its bytes.
        ///   - maxFieldBytes: The longest content of a part without a file name, in bytes.
        ///   - maxMemoryBytes: The most bytes that the form may take in memory, header sections included.
        ///   - maxDiskBytes: The most bytes of content on disk.
        ///   - diskThreshold: The longest content of a file to keep in memory, in bytes.
        ///   - directory: Where to create temporary files; nil for the system's temporary directory.
        public init(
            parser: MultipartParser.Options = MultipartParser.Options(),
            maxFieldBytes: UInt64 = 1 << 20,
            maxMemoryBytes: UInt64 = 16 << 20,
            maxDiskBytes: UInt64 = 1 << 30,
            diskThreshold: UInt64 = 64 << 10,
            directory: URL? = nil
        ) {
            self.parser = parser
            self.maxFieldBytes = maxFieldBytes
            self.maxMemoryBytes = maxMemoryBytes
            self.maxDiskBytes = maxDiskBytes
            self.diskThreshold = diskThreshold
            self.directory = directory
        }
    }

    /// What becomes of a part that is collected.
    ///
    /// A route's own limit replaces ``Options/maxFieldBytes``; all other limits hold beside it. A body that exceeds it
    /// is ``MultipartError/Code/limitPartBytes``, with the part's name.
    public struct Route: Sendable, Hashable {
        package enum Kind: Sendable {
            case accept, memory, disk, skip, reject
        }

        package let kind: Kind
        /// The longest content in bytes.
        package var limit: UInt64?

        /// Keep it in memory, or on disk if it is a long file.
        public static let accept = Route(kind: .accept)

        /// Keep it in memory, or on disk if it is a long file, up to a length.
        ///
        /// - Parameter limit: The longest content, in bytes.
        /// - Returns: The route.
        public static func accept(upTo limit: UInt64) -> Route { Route(kind: .accept, limit: limit) }

        /// Keep it in memory, up to a length and within ``Options/maxMemoryBytes``.
        ///
        /// - Parameter limit: The longest content, in bytes.
        /// - Returns: The route.
        public static func memory(upTo limit: UInt64) -> Route { Route(kind: .memory, limit: limit) }

        /// Keep it in a temporary file, however short, up to a length and within ``Options/maxDiskBytes``.
        ///
        /// - Parameter limit: The longest content, in bytes.
        /// - Returns: The route.
        public static func disk(upTo limit: UInt64) -> Route { Route(kind: .disk, limit: limit) }

        /// Read its body and drop it: the form has no such part. It counts for the limits of the parser only.
        public static let skip = Route(kind: .skip)

        /// Fail with ``MultipartError/Code/partRejected``, which a server answers with 400. For another answer throw an
        /// error of your own.
        public static let reject = Route(kind: .reject)
    }
}
