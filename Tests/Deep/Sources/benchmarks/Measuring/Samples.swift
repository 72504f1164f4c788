/// The times of one operation, run by run.
struct Samples {
    /// The times in nanoseconds, in the order of the runs.
    private(set) var nanoseconds: [Double] = []

    /// Times one run.
    mutating func time(_ operation: () throws -> Void) rethrows {
        let duration = try ContinuousClock().measure(operation)
        let (seconds, attoseconds) = duration.components
        nanoseconds.append(Double(seconds) * 1e9 + Double(attoseconds) * 1e-9)
    }

    /// Adds a time that was measured elsewhere.
    mutating func append(_ time: Double) {
        nanoseconds.append(time)
    }

    /// The median time in nanoseconds; 0 without runs.
    var median: Double { nanoseconds.median }

    /// The slowest run minus the fastest, as a fraction of the median.
    var spread: Double {
        guard let highest = nanoseconds.max(), let lowest = nanoseconds.min(), median > 0 else { return 0 }
        return (highest - lowest) / median
    }

    /// The median over the runs of another operation's time divided by this one's.
    ///
    /// The two are paired run by run, so that a slow spell of the machine affects both.
    func ratio(of reference: Samples) -> Double {
        zip(reference.nanoseconds, nanoseconds).map { $0 / $1 }.median
    }
}

extension [Double] {
    /// The middle value, or the mean of the two in the middle; 0 if there is none.
    var median: Double {
        guard !isEmpty else { return 0 }
        let sorted = sorted()
        return (sorted[count / 2] + sorted[(count - 1) / 2]) / 2
    }
}
