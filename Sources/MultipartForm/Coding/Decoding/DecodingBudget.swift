/// Limits how many values a type requests while it is decoded. The limit is far more than a type needs that tries every
/// shape.
///
/// Without a limit, decoding may take exponential time, because `a[0]` can be an element or a key. A type that tries an
/// array of itself, and then a dictionary, would decode such a value twice, the values in it four times, and so on.
struct DecodingBudget {
    private static let perNameOrPart = 64
    private static let base = 10_000
    /// The cost of an error. It takes about this many times as long as reading a value, which costs 1.
    private static let costOfError = 8

    private var rest: Int
    /// The error of the first request that exceeded the budget; all later requests fail with it.
    private(set) var error: DecodingError?

    /// Creates the budget for a form by the numbers of its parts and of the nodes of their names.
    init(nodes: Int, parts: Int) {
        rest = Self.base + Self.perNameOrPart * (nodes + parts)
    }

    /// Spends the costs of a request; returns false if they exceed what is left of the budget.
    mutating func spend(_ cost: Int) -> Bool {
        rest -= min(rest + 1, cost)
        return rest >= 0
    }

    /// Spends the costs of an error, for a type that catches it and tries another shape.
    mutating func spendOnError() { _ = spend(Self.costOfError) }

    mutating func fail(_ error: DecodingError) {
        self.error = self.error ?? error
    }
}
