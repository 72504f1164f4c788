/// Media types by file name extension, the same on every platform.
package enum MediaType {
    /// Returns the media type for a part that has a file name but no Content-Type. The result is the type of the file
    /// name's extension or, if the extension is missing or unknown, application/octet-stream (RFC 7578 §4.4).
    static func ofFile(named filename: String) -> String { forFilename(filename) ?? "application/octet-stream" }

    /// Returns the media type of a file name's extension; nil if the extension is missing or unknown. A name such as
    /// `.profile` has no extension.
    package static func forFilename(_ filename: String) -> String? {
        let bytes = filename.utf8
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > bytes.startIndex else { return nil }
        return forPathExtension(filename[filename.utf8.index(after: dot)...])
    }

    /// Returns the media type of an extension, ignoring letter case; nil if the extension is unknown.
    static func forPathExtension(_ pathExtension: some StringProtocol) -> String? {
        // All known extensions are ASCII. Text that is not ASCII is not looked up, because hashing and comparing text
        // with many combining marks takes more than linear time.
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
