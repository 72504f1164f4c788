enum TemporaryName {
    /// An unpredictable name: a prefix and 128 bits from the system's random number generator.
    ///
    /// Not a `UUID`: where Foundation on Linux cannot open `/dev/urandom`, as in a process without free descriptors, it
    /// makes the same one each time.
    static func random(prefix: String) -> String {
        "\(prefix)\(random())-\(random())"
    }

    /// A random path in the directory of another path.
    static func path(beside path: String) -> String {
        // Bytes, since a slash and a combining mark after it are one Character.
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let directory = slash.map { path.utf8[...$0] } ?? path.utf8[..<path.startIndex]
        return random(prefix: "\(Substring(directory)).multipart-form-")
    }

    private static func random() -> String {
        String(UInt64.random(in: .min ... .max), radix: 36)
    }
}
