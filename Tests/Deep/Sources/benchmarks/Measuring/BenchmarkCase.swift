/// A case, which is reported in one or more lines.
protocol BenchmarkCase {
    /// The case's name for `--case`.
    var name: String { get }
    /// Whether the case counts allocations or bytes.
    var isCounted: Bool { get }

    /// Measures the case.
    ///
    /// - Parameter settings: The run's settings.
    /// - Returns: A result for each entry and each chunk size.
    /// - Throws: ``BenchmarkError`` if the work was not done, or an error of the library.
    func run(_ settings: Settings) throws -> [BenchmarkResult]
}

extension BenchmarkCase {
    var isCounted: Bool { false }
}

/// The settings of all cases of a run.
struct Settings {
    /// The size of the inputs.
    let scale: Scale
    /// The directory for files.
    let directory: WorkDirectory

    /// How often each operation is timed.
    var runs: Int { scale.runs }

    /// The references of this run: all of them in a full run, otherwise the first.
    func references(_ all: Operation...) -> [Operation] {
        scale == .full ? all : Array(all.prefix(1))
    }
}
