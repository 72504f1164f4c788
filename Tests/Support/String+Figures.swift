extension String {
    /// Whether a figure is in the text as a whole number, unlike 45 in 145, 45.1 or 1,145.
    package func states(_ figure: String) -> Bool {
        indices.contains { start in
            let rest = self[start...]
            return rest.hasPrefix(figure) && !Self.isPartOfNumber(rest.dropFirst(figure.count))
                && !Self.isPartOfNumber(self[..<start].reversed())
        }
    }

    /// Whether a number goes on in what comes next: with a digit, perhaps after a separator.
    private static func isPartOfNumber(_ next: some Sequence<Character>) -> Bool {
        next.prefix(2).first { $0 != "." && $0 != "," }?.isWholeNumber ?? false
    }
}
