/// Limits how many values a type may request from a form while the type is decoded.
///
/// The limit prevents exponential time. For example, a recursive type may try to decode each value first as an array
/// and, after an error, as a dictionary. Both attempts can decode the next level of `a[0][0][0]`, because each `0` can
/// be an index or a key. If the innermost value is invalid, the number of attempts doubles with each level.
///
/// The limit grows with the size of the form. A type that tries a few shapes for each value stays below the limit.
struct DecodingBudget {
    private static let perNameOrPart = 64
    private static let base = 10_000
    /// The approximate cost of creating an error. The cost of reading a value is 1.
    private static let costOfError = 8

    private var rest: Int
    /// The error for the first value that exceeded the budget. The decoder throws the same error for all later values.
    private(set) var error: DecodingError?

    /// Creates the budget for a form. The budget grows with the size of the form.
    ///
    /// - Parameters:
    ///   - nodes: The number of nodes in the form's ``NameTree``.
    ///   - parts: The number of parts in the form.
    init(nodes: Int, parts: Int) {
        rest = Self.base + Self.perNameOrPart * (nodes + parts)
    }

    /// Subtracts `cost` from the budget. Returns false if the budget is exceeded.
    mutating func spend(_ cost: Int) -> Bool {
        rest -= min(rest + 1, cost)
        return rest >= 0
    }

    /// Subtracts the cost of an error from the budget, because a type may catch the error and try another shape.
    mutating func spendOnError() { _ = spend(Self.costOfError) }

    mutating func fail(_ error: DecodingError) {
        self.error = self.error ?? error
    }
}
