/// Limits how many values a type may request from a form while the type is decoded.
///
/// The limit prevents exponential time. A type may try several shapes for a value: for instance, an array of itself
/// first and, after an error, a dictionary of itself. In `a[0][0][0]`, each `0` can be an index or a key, so both
/// attempts decode the innermost value. If the innermost value is invalid, the time doubles with each level.
///
/// The limit grows with the size of the form. A type that tries a few shapes for each value stays below the limit.
struct DecodingBudget {
    private static let perNameOrPart = 64
    private static let base = 10_000
    /// The approximate cost of creating an error. The cost of reading a value is 1.
    private static let costOfError = 8

    private var rest: Int
    /// The error of the first request that exceeded the budget. All later requests throw the same error.
    private(set) var error: DecodingError?

    /// Creates the budget for a form. The budget grows with the size of the form.
    ///
    /// - Parameters:
    ///   - nodes: The number of nodes in the form's ``NameTree``.
    ///   - parts: The number of parts in the form.
    init(nodes: Int, parts: Int) {
        rest = Self.base + Self.perNameOrPart * (nodes + parts)
    }

    /// Subtracts the cost of a request from the budget. Returns false if the budget is exceeded.
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
