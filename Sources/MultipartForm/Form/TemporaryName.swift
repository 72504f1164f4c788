/// Names of temporary files.
package enum TemporaryName {
    /// A name nobody can guess: a prefix and 128 bits from the system's random number generator.
    ///
    /// A `UUID` would not do: Foundation on Linux makes the same one each time where it cannot open `/dev/urandom`, as in
    /// a process that has no descriptor left.
    package static func random(prefix: String) -> String {
        "\(prefix)\(random())-\(random())"
    }

    private static func random() -> String {
        String(UInt64.random(in: .min ... .max), radix: 36)
    }
}
