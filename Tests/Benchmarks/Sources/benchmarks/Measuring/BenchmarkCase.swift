/// A case: measured by itself, and reported in one or more lines.
protocol BenchmarkCase {
    /// The case's name, as `--case` takes it.
    var name: String { get }

    /// Measures the case.
    ///
    /// - Parameter settings: How large the inputs are, and where files go.
    /// - Returns: A result for each way in and each size of chunk.
    /// - Throws: ``BenchmarkError`` if the work was not done, or what the library throws.
    func run(_ settings: Settings) throws -> [BenchmarkResult]
}

/// What all cases of a run have in common.
struct Settings {
    /// How large the inputs are.
    let scale: Scale
    /// Where files go.
    let directory: WorkDirectory

    /// How often each operation is timed.
    var runs: Int { scale.runs }

    /// Those references that this run is for: all, or the first one in a short run.
    func references(_ all: Operation...) -> [Operation] {
        scale == .full ? all : Array(all.prefix(1))
    }
}
