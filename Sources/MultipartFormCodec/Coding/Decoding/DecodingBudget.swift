/// Limits the work that a type may cause while it is decoded, in the currency of the work: the bytes that are read.
///
/// The limit prevents exponential time. For example, a recursive type may try to decode each value first as an array
/// and, after an error, as a dictionary. Both attempts can decode the next level of `a[0][0][0]`, because each `0` can
/// be an index or a key. If the innermost value is invalid, the number of attempts doubles with each level.
///
/// The limit grows with the bytes of the form. A type that tries a few shapes for each value stays below the limit.
struct DecodingBudget {
    private static let base = 10_000
    private static let perNameOrPart = 64
    /// Reading so many bytes of a value or of a key costs as much as a request.
    private static let bytesPerUnit = 32

    private var rest: Int

    /// Creates the budget for a form.
    ///
    /// - Parameters:
    ///   - nodes: The number of nodes in the form's ``NameTree``.
    ///   - parts: The number of parts in the form.
    ///   - nameBytes: The length of all names, in bytes.
    ///   - valueBytes: The length of all values that may be read, in bytes.
    init(nodes: Int, parts: Int, nameBytes: Int, valueBytes: Int) {
        rest = Self.base + Self.perNameOrPart * (nodes + parts) + nameBytes / 8 + valueBytes / 4
    }

    /// The cost of a request that reads so many bytes.
    static func cost(ofBytes count: Int) -> Int { 1 + count / bytesPerUnit }

    /// The cost of an error that prints a name of so many bytes. A type may catch the error and try another shape.
    static func cost(ofErrorNaming count: Int) -> Int { 4 + count / 16 }

    /// Subtracts `cost` from the budget. Returns false if the budget is exceeded.
    mutating func spend(_ cost: Int) -> Bool {
        rest -= min(rest + 1, cost)
        return rest >= 0
    }
}
