/// Parts that arrive one after another, from a sequence of any type, for one reader.
protocol AsynchronousParts {
    /// Waits for the next part; nil at the sequence's end.
    ///
    /// - Parameter actor: Where the sequence is iterated.
    /// - Returns: The part.
    /// - Throws: What the sequence throws.
    mutating func next(isolation actor: isolated (any Actor)?) async throws -> BodyPart?
}

/// The parts of a sequence's iterator.
struct IteratedParts<Iterator: AsyncIteratorProtocol>: AsynchronousParts where Iterator.Element == BodyPart {
    private var iterator: Iterator

    init(_ iterator: Iterator) {
        self.iterator = iterator
    }

    mutating func next(isolation actor: isolated (any Actor)?) async throws -> BodyPart? {
        try await iterator.next(isolation: actor)
    }
}
