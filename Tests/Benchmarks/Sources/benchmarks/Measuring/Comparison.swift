/// Something that is timed.
struct Operation {
    /// Its name among the references.
    let name: String
    /// What must happen before each run, untimed.
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

    /// Runs an operation and its references in turn: once untimed, then `runs` times.
    ///
    /// - Parameters:
    ///   - operation: What is measured.
    ///   - others: What it is compared with.
    ///   - runs: How often each is timed.
    /// - Throws: What an operation throws.
    init(_ operation: Operation, against others: [Operation], runs: Int) throws {
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
