/// Receives how much of a form has been encoded, and can end the encoding.
///
/// ```swift
/// let progress = EncodingProgress { completed, total in
///     print("\(completed) of \(total.map(String.init) ?? "unknown") bytes")
/// }
/// try form.writeEncodedData(to: fileURL, progress: progress)
/// ```
///
/// It counts bytes that were encoded, whether or not they have been sent. An asynchronous encoding ends with its task and
/// throws `CancellationError`, without a progress.
public struct EncodingProgress: Sendable {
    /// Whether the encoding must end, although there is nothing to report.
    let isCancelled: @Sendable () -> Bool
    private let report: @Sendable (_ completed: UInt64, _ total: UInt64?) throws -> Void

    /// Creates a progress that calls a closure, on the thread that encodes.
    ///
    /// - Parameter report: Is called at the start, at most every 4 KiB, and at the end, with the offset of the next byte of
    ///   the message and the message's length; that is nil if it is unknown. What it throws ends the encoding: it becomes
    ///   the underlying error of ``MultipartError/Code/cancelled``, also if it is a `CancellationError`.
    public init(_ report: @escaping @Sendable (_ completed: UInt64, _ total: UInt64?) throws -> Void) {
        self.init(isCancelled: { false }, report)
    }

    init(
        isCancelled: @escaping @Sendable () -> Bool,
        _ report: @escaping @Sendable (_ completed: UInt64, _ total: UInt64?) throws -> Void
    ) {
        self.isCancelled = isCancelled
        self.report = report
    }

    func report(_ completed: UInt64, of total: UInt64?) throws(MultipartError) {
        do {
            try report(completed, total)
        } catch {
            throw MultipartError(.cancelled, underlyingError: error)
        }
        if isCancelled() { throw MultipartError(.cancelled) }
    }
}
