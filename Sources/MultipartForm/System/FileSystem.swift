#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The file system operations that the library uses; tests replace some by ones that fail.
package struct FileSystem: Sendable {
    /// Returns the kind of what a path leads to; throws if it is missing or cannot be reached.
    package var kind: @Sendable (_ path: String) throws(POSIXError) -> FileKind
    /// Opens a file for reading.
    package var open: @Sendable (_ path: String) throws(POSIXError) -> InputFile
    /// Returns the size of an open file in bytes; nil if the system does not report it.
    package var size: @Sendable (_ file: InputFile) throws(POSIXError) -> UInt64?
    /// Creates a file exclusively, for its owner only, or as the process makes any.
    package var create: @Sendable (_ path: String, _ isPrivate: Bool) throws(POSIXError) -> OutputFile
    /// Renames a file on the same device to a path at which nothing may exist.
    package var rename: @Sendable (_ path: String, _ newPath: String) throws(POSIXError) -> Void

    /// The system's own.
    package static let system = FileSystem(
        kind: { path throws(POSIXError) in try SystemCalls.kind(ofReadable: path) },
        open: { path throws(POSIXError) in try InputFile(path: path) },
        size: { file throws(POSIXError) in UInt64(exactly: try file.currentIdentity().size) },
        create: { path, isPrivate throws(POSIXError) in
            try OutputFile(creating: path, permissions: isPrivate ? privateMode : usualMode)
        },
        rename: { path, newPath throws(POSIXError) in try ExclusiveRename.perform(path, newPath) }
    )

    /// The mode of files that the program names, as of any that the process creates: its mask narrows it.
    static let usualMode: FileMode = 0o666

    /// The mode of temporary files: for their owner only.
    static let privateMode: FileMode = 0o600

    /// The system's directory for temporary files.
    package static var temporaryDirectory: URL {
        let directory = FileManager.default.temporaryDirectory
        #if !canImport(Darwin)
            // An empty `TMPDIR`, as in `TMPDIR= command`, means none, but Foundation takes it for the root.
            if directory.path == "/", ProcessInfo.processInfo.environment["TMPDIR"] == "" {
                return URL(fileURLWithPath: "/tmp", isDirectory: true)
            }
        #endif
        return directory
    }

    /// An unpredictable name: a prefix and 128 bits from the system's random number generator.
    ///
    /// Not a `UUID`: Foundation on Linux makes the same one each time if it cannot open `/dev/urandom`.
    static func temporaryName(prefix: String) -> String {
        let numbers = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }
        return prefix + numbers.joined(separator: "-")
    }
}

extension URL {
    /// Whether this is the URL of a file on this machine: without a host, or with `localhost` (RFC 8089 §2).
    var isLocalFile: Bool {
        isFileURL && ["", "localhost"].contains(host?.lowercased() ?? "")
    }

    /// The text of the URL in an error: a file's path, else the whole URL.
    var errorText: String { isFileURL ? path : absoluteString }
}
