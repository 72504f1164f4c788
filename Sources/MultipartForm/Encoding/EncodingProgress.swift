/// Receives how much of a form has been encoded, and can end the encoding.
///
/// ```swift
/// let progress = EncodingProgress { report in
///     print("\(report.completed) of \(report.total.map(String.init) ?? "unknown") bytes")
/// }
/// try form.writeEncodedData(to: fileURL, progress: progress)
/// ```
///
/// It counts bytes that were encoded, whether or not they have been sent: an upload has a progress of its own, that of the
/// client. An asynchronous encoding ends with its task and throws `CancellationError`, without a progress.
public struct EncodingProgress: Sendable {
    /// How much of a message has been encoded, in bytes.
    public struct Report: Sendable {
        /// The offset of the message's next byte.
        public let completed: UInt64

        /// The message's length; nil if it is unknown.
        public let total: UInt64?
    }

    /// Whether the encoding must end, although there is nothing to report.
    let isCancelled: @Sendable () -> Bool
    private let receive: @Sendable (Report) throws -> Void

    /// Creates a progress that calls a closure, on the thread that encodes.
    ///
    /// - Parameter receive: Is called at the start, at most every 4 KiB, and at the end. What it throws ends the encoding:
    ///   it becomes the underlying error of ``MultipartError/Code/cancelled``, also if it is a `CancellationError`.
    public init(_ receive: @escaping @Sendable (Report) throws -> Void) {
        self.init(isCancelled: { false }, receive)
    }

    init(isCancelled: @escaping @Sendable () -> Bool, _ receive: @escaping @Sendable (Report) throws -> Void) {
        self.isCancelled = isCancelled
        self.receive = receive
    }

    func report(_ completed: UInt64, of total: UInt64?) throws(MultipartError) {
        do {
            try receive(Report(completed: completed, total: total))
        } catch {
            throw MultipartError(.cancelled, underlyingError: error)
        }
        if isCancelled() { throw MultipartError(.cancelled) }
    }
}
