#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// The limits of a collected form, and the routes of its parts.
extension MultipartCollector {
    /// How to parse and keep a message, and the limits on its size.
    ///
    /// Fields, which are parts without a file name, stay in memory. Files are written to disk if they are longer than
    /// ``diskThreshold``, or if the form would exceed ``maxMemoryBytes``. A part's ``MultipartCollector/Route`` can
    /// decide otherwise.
    ///
    /// All limits are inclusive, and enforced before bytes are kept. A negative limit counts as 0. If a message exceeds
    /// several limits, the error names the limit that the message exceeds first.
    public struct Options: Sendable {
        /// How strictly to parse the message, and the limits on its size.
        public var parser: MultipartParser.Options

        /// The maximum length of a part without a file name, in bytes; 1 MiB by default. Raise it for long texts.
        ///
        /// The limit of a part's route replaces this limit.
        public var maxFieldBytes: Int

        /// The maximum number of bytes that the form may take in memory; 16 MiB by default. Lower it to collect many
        /// forms at once.
        ///
        /// For each part that is not skipped, these bytes count:
        ///
        /// - the part's content, if the content is in memory
        /// - the part's header section, as it would be sent
        /// - 16 bytes for each header field
        /// - 512 bytes for other data of the part
        /// - 512 bytes for the temporary file, if the content is on disk
        ///
        /// Collecting takes up to 1 MiB of memory besides the form.
        public var maxMemoryBytes: Int

        /// The maximum number of bytes of content on disk. Set it to the disk space that one request may take.
        ///
        /// The default is nil, which means 1 GiB plus the largest limit of any part's route.
        public var maxDiskBytes: Int?

        /// The maximum length of a file to keep in memory, in bytes; 64 KiB by default. Raise it if you read files
        /// instead of saving them.
        public var diskThreshold: Int

        /// The directory for temporary files. Nil, the default, means the system's directory for temporary files.
        ///
        /// Only the owner of the files can read them. Each file is removed with the last part that refers to it. A
        /// killed process may leave files, whose names begin with `part-`.
        public var temporaryDirectory: URL?

        #if TestHooks
            /// The limits that apply where the program sets no limit. Only tests change them.
            package var defaults = Defaults()
        #else
            /// The limits that apply where the program sets no limit.
            package var defaults: Defaults { Defaults() }
        #endif

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

        /// The options with 0 in place of each negative limit.
        var bounded: Options {
            var result = self
            result.maxFieldBytes = max(maxFieldBytes, 0)
            result.maxMemoryBytes = max(maxMemoryBytes, 0)
            result.maxDiskBytes = maxDiskBytes.map { max($0, 0) }
            result.diskThreshold = max(diskThreshold, 0)
            return result
        }
    }

    /// The default limits, in bytes, which apply where the options set no limit. A part may be as long as its route
    /// allows, even if a default is smaller.
    package struct Defaults: Sendable {
        /// The maximum length of a file or a skipped part whose route has no limit.
        package var partBytes = 256 << 20
        /// The maximum length of the message is this number plus the largest limit of a route so far.
        package var totalBytes = 1 << 30
        /// The maximum length of all content on disk is this number plus the largest limit of a route so far.
        package var diskBytes = 1 << 30
    }

    /// What to do with a part, and how long the part may be.
    ///
    /// A route with a limit affects other limits:
    ///
    /// - For the part, the route's limit replaces ``Options/maxFieldBytes`` and the default of
    ///   ``MultipartParser/Options/maxPartBytes``.
    /// - For the form, the route's limit raises the defaults of ``Options/maxDiskBytes`` and
    ///   ``MultipartParser/Options/maxTotalBytes``, so that one part may be as long as its route allows.
    ///
    /// If you set `maxPartBytes`, `maxDiskBytes` or `maxTotalBytes` yourself, your limit still applies to all parts.
    ///
    /// By default, a skipped part may have at most 256 MiB. To skip longer parts, set
    /// ``MultipartParser/Options/maxPartBytes``. A part that exceeds its limit causes the error
    /// ``MultipartError/Code/limitPartBytes``, which names the part.
    public struct Route: Sendable, Hashable, CustomStringConvertible {
        package enum Action: String, Sendable {
            case accept, memory, disk, skip, reject
        }

        package let action: Action
        /// The maximum length of the content, in bytes; nil if the route has no limit.
        package var limit: Int?
        /// The route's name in an error, such as `disk(upTo:)`.
        var limitName: String { "\(action.rawValue)(upTo:)" }

        private init(_ action: Action, limit: Int? = nil) {
            self.action = action
            self.limit = limit.map { max($0, 0) }
        }

        /// Keep the part in memory, or on disk if it is a long file. Use it where the limits of ``Options`` suffice.
        public static let accept = Route(.accept)

        /// Keep a part of at most `limit` bytes in memory, within ``Options/maxMemoryBytes``. Use it for short parts.
        public static func memory(upTo limit: Int) -> Route { Route(.memory, limit: limit) }

        /// Keep a part of at most `limit` bytes on disk, even if it is short, within ``Options/maxDiskBytes``. Use it
        /// for files to save.
        public static func disk(upTo limit: Int) -> Route { Route(.disk, limit: limit) }

        /// Discard the part. Use it for parts that you do not need. A discarded part counts only toward the limits of
        /// the parser.
        public static let skip = Route(.skip)

        /// Fail with ``MultipartError/Code/partRejected``, which has the status 400. For another status, throw your own
        /// error instead of returning a route.
        public static let reject = Route(.reject)

        /// The route as it is written in code, such as `disk(upTo: 5242880)`.
        public var description: String { limit.map { "\(action.rawValue)(upTo: \($0))" } ?? action.rawValue }
    }
}
