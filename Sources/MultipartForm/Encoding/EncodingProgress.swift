/// Counts the bytes of a form that have been encoded, not those that have been sent, and can end the encoding.
///
/// ```swift
/// let progress = EncodingProgress { report in
///     print("\(report.completed) of \(report.total.map(String.init) ?? "unknown") bytes")
/// }
/// try form.writeEncodedData(to: fileURL, progress: progress)
/// ```
///
/// The HTTP client reports what it has sent: see <doc:UploadingWithURLSession>. A form that is sent from memory or from
/// a file has been encoded before its first byte is sent. Cancelling the task of an asynchronous encoding ends the
/// encoding with `CancellationError`; this works without a progress.
public struct EncodingProgress: Sendable {
    /// How much of a message has been encoded, in bytes.
    public struct Report: Sendable {
        /// The offset of the message's next byte.
        public let completed: UInt64

        /// The message's length; nil if it is unknown.
        public let total: UInt64?
    }

    /// Returns whether the encoding must end; also called between reports.
    let isCancelled: @Sendable () -> Bool
    private let receive: @Sendable (Report) throws -> Void

    /// Creates a progress that calls a closure, on the thread that encodes.
    ///
    /// - Parameter receive: Called when the encoding begins, with the offset from which it begins; then at most once
    ///   per 4 KiB; and at the end. If it throws, the encoding ends with
    ///   ``MultipartError/Code/cancelled``, with any thrown error, also a `CancellationError`, as the underlying error.
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
