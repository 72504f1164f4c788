/// Something that is timed.
struct Operation {
    /// Its name as a reference.
    let name: String
    /// Called before each run, untimed.
    var prepare: () throws -> Void = {}
    /// The work.
    let run: () throws -> Void
}

/// The times of an operation and of its references, which took turns with it.
struct Comparison {
    /// The operation's times.
    private(set) var samples = Samples()
    /// The references' names and times, in order.
    private(set) var references: [(name: String, samples: Samples)] = []

    /// Runs an operation and its references in turn: once untimed, then `runs` times. The references of an operation
    /// that is not timed do not run.
    ///
    /// - Parameters:
    ///   - operation: The operation that is measured.
    ///   - others: The references.
    ///   - runs: How often each is timed; may be 0.
    /// - Throws: The error of an operation.
    init(_ operation: Operation, against others: [Operation], runs: Int) throws {
        let others = runs > 0 ? others : []
        references = others.map { ($0.name, Samples()) }
        for run in 0...runs {
            try operation.prepare()
            run == 0 ? try operation.run() : try samples.time(operation.run)
            for (index, other) in others.enumerated() {
                try other.prepare()
                run == 0 ? try other.run() : try references[index].samples.time(other.run)
            }
        }
    }

    /// The references' ratios by name: a reference's time divided by the operation's.
    var ratios: [String: Double] {
        Dictionary(references.map { ($0.name, samples.ratio(of: $0.samples)) }) { first, _ in first }
    }
}
