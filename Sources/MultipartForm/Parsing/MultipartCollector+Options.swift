#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// The limits of a collected form, and the routes of its parts.
extension MultipartCollector {
    /// How to parse and keep a message, and the limits on its size.
    ///
    /// Fields, which have no file name, stay in memory. Files are written to disk if they are longer than
    /// ``diskThreshold``, or if memory is used up. All limits are inclusive, and enforced before bytes are kept; a
    /// negative limit counts as 0. If a message exceeds several limits, the error names the limit that it reaches
    /// first.
    public struct Options: Sendable {
        /// How strictly to parse the message, and the limits on its size.
        public var parser: MultipartParser.Options

        /// The maximum length of a part without a file name, in bytes; 1 MiB by default. For a part whose route has a
        /// limit, that limit counts instead. Raise it for long texts.
        public var maxFieldBytes: Int

        /// The maximum number of bytes that the form may take in memory; 16 MiB by default. Lower it to collect many
        /// forms at once.
        ///
        /// Each part counts for its content in memory, its header section as it would be sent, 16 bytes per header
        /// field, and 512 bytes more, or 1024 if its content is on disk. Skipped parts do not count. Collecting itself
        /// takes up to 1 MiB more.
        public var maxMemoryBytes: Int

        /// The maximum number of bytes of content on disk. Nil, the default, means 1 GiB more than the largest limit of
        /// a route. Set it to the disk space that one request may take.
        public var maxDiskBytes: Int?

        /// The maximum length of a file that is kept in memory, in bytes; 64 KiB by default. Raise it if files are
        /// read, not saved.
        public var diskThreshold: Int

        /// Where to create temporary files; nil, the default, for the system's temporary directory.
        ///
        /// The files are readable by their owner only, and each is removed with the last part that refers to it. A
        /// killed process may leave files, whose names begin with `part-`.
        public var temporaryDirectory: URL?

        /// The limits that apply where the program sets none.
        package var defaults = Defaults()

        /// Creates options with the given values, and the defaults for the others.
        public init(
            parser: MultipartParser.Options = MultipartParser.Options(),
            maxFieldBytes: Int = 1 << 20,
            maxMemoryBytes: Int = 16 << 20,
            maxDiskBytes: Int? = nil,
            diskThreshold: Int = 64 << 10,
            temporaryDirectory: URL? = nil
        ) {
            self.parser = parser
            self.maxFieldBytes = maxFieldBytes
            self.maxMemoryBytes = maxMemoryBytes
            self.maxDiskBytes = maxDiskBytes
            self.diskThreshold = diskThreshold
            self.temporaryDirectory = temporaryDirectory
        }

        /// The options with 0 for negative limits.
        var bounded: Options {
            var result = self
            result.maxFieldBytes = max(maxFieldBytes, 0)
            result.maxMemoryBytes = max(maxMemoryBytes, 0)
            result.maxDiskBytes = maxDiskBytes.map { max($0, 0) }
            result.diskThreshold = max(diskThreshold, 0)
            return result
        }
    }

    /// The limits of a form that apply where options set none, and the size of a file's pieces, in bytes. They never
    /// lower a limit that a route states.
    package struct Defaults: Sendable {
        /// The maximum length of a body whose route states no limit.
        package var partBytes = 256 << 20
        /// The maximum length of the message without the routes' limits. The limit in force is this plus the largest
        /// limit of a route so far.
        package var totalBytes = 1 << 30
        /// The maximum length of all content on disk; the largest limit that a route has stated so far is added to it.
        package var diskBytes = 1 << 30
        /// The size of the pieces in which files are written; nil for the sizes of ``PieceWriter``.
        package var pieceBytes: Int?
    }

    /// What to do with a part.
    ///
    /// If a route has a limit, it replaces ``Options/maxFieldBytes``. The defaults of ``Options/maxDiskBytes`` and of
    /// the limits of ``Options/parser`` give way to it, so they never refuse a single part that is as long as its route
    /// allows. If you set one of these yourself, it still applies to all parts. To skip a part above 256 MiB, set
    /// ``MultipartParser/Options/maxPartBytes``. The error of a body that exceeds a limit is
    /// ``MultipartError/Code/limitPartBytes``, with the part's name.
    public struct Route: Sendable, Hashable, CustomStringConvertible {
        package enum Kind: String, Sendable {
            case accept, memory, disk, skip, reject
        }

        package let kind: Kind
        /// The maximum length of the content, in bytes.
        package var limit: Int?
        /// The route as an error names it, such as `disk(upTo:)`.
        var limitName: String { "\(kind.rawValue)(upTo:)" }

        private init(_ kind: Kind, limit: Int? = nil) {
            self.kind = kind
            self.limit = limit.map { max($0, 0) }
        }

        /// Keep the part in memory, or on disk if it is a long file; for parts whose route needs no limit.
        public static let accept = Route(.accept)

        /// Keep the part in memory, up to a length in bytes and within ``Options/maxMemoryBytes``; for short parts.
        public static func memory(upTo limit: Int) -> Route { Route(.memory, limit: limit) }

        /// Keep the part on disk, however short, up to a length in bytes and within ``Options/maxDiskBytes``; for files
        /// to save.
        public static func disk(upTo limit: Int) -> Route { Route(.disk, limit: limit) }

        /// Discard the part; for parts that clients send and you do not need. It counts only for the limits of the
        /// parser.
        public static let skip = Route(.skip)

        /// Fail with ``MultipartError/Code/partRejected``, status 400; for another answer, throw an error in the route.
        public static let reject = Route(.reject)

        /// The route as it is written: `disk(upTo: 5242880)`.
        public var description: String { limit.map { "\(kind.rawValue)(upTo: \($0))" } ?? kind.rawValue }
    }
}
