/// An error that stops the benchmarks.
struct BenchmarkError: Error, CustomStringConvertible {
    /// What went wrong.
    let description: String

    /// Creates an error.
    init(_ description: String) {
        self.description = description
    }
}
