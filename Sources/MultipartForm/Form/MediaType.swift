#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Media types by file name extension, the same on every platform.
package enum MediaType {
    /// The type of an unknown file (RFC 7578 §4.4).
    static let octetStream = "application/octet-stream"

    /// The type of a file name's extension; nil if the extension is missing or unknown. A name such as `.profile` has
    /// no extension.
    package static func forFilename(_ filename: String) -> String? {
        let bytes = filename.utf8
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > bytes.startIndex else { return nil }
        return forPathExtension(filename[filename.utf8.index(after: dot)...])
    }

    /// The type for the extension of the file's path. If that is unknown, the type for the extension of `filename`, the
    /// name to send; else application/octet-stream.
    static func forFile(at url: URL, named filename: String) -> String {
        forFilename(url.lastPathComponent) ?? forFilename(filename) ?? octetStream
    }

    /// The type of an extension, letter case ignored; nil if the extension is unknown.
    static func forPathExtension(_ pathExtension: some StringProtocol) -> String? {
        // All known extensions are ASCII. Other text is not looked up, because hashing and comparing text with many
        // combining marks takes more than linear time.
        guard pathExtension.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        return types[String(decoding: pathExtension.utf8.map(ASCII.lowercased), as: UTF8.self)]
    }

    package static var knownExtensions: some Collection<String> { types.keys }

    private static let types: [String: String] = Dictionary(
        uniqueKeysWithValues: table.split(separator: "\n").flatMap { line in
            let words = line.split(separator: " ").map(String.init)
            return words.dropFirst().map { ($0, words[0]) }
        }
    )
}
