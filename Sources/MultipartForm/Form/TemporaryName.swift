/// Names of temporary files.
package enum TemporaryName {
    /// A name nobody can guess: a prefix and 128 bits from the system's random number generator.
    ///
    /// A `UUID` would not do: Foundation on Linux makes the same one each time where it cannot open `/dev/urandom`, as in
    /// a process that has no descriptor left.
    package static func random(prefix: String) -> String {
        "\(prefix)\(random())-\(random())"
    }

    /// A random path in the directory of another path.
    package static func path(beside path: String) -> String {
        // Bytes, since a slash and a combining mark after it are one Character.
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let directory = slash.map { path.utf8[...$0] } ?? path.utf8[..<path.startIndex]
        return random(prefix: "\(Substring(directory)).multipart-form-")
    }

    private static func random() -> String {
        String(UInt64.random(in: .min ... .max), radix: 36)
    }
}
