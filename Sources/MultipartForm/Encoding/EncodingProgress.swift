/// Counts the bytes of a form that have been encoded, not those that have been sent, and can end the encoding.
///
/// ```swift
/// let progress = EncodingProgress { report in
///     print("\(report.completed) of \(report.total.map(String.init) ?? "unknown") bytes")
/// }
/// try form.writeEncodedData(to: fileURL, progress: progress)
/// ```
///
/// The client reports what it has sent: see <doc:UploadingWithURLSession>. A form that is sent from memory or from a
/// file has been encoded before its first byte is sent. Cancelling the task of an asynchronous encoding ends it with
/// `CancellationError`; that needs no progress.
public struct EncodingProgress: Sendable {
    /// How much of a message has been encoded, in bytes.
    public struct Report: Sendable {
        /// The offset of the message's next byte.
        public let completed: UInt64

        /// The message's length; nil if it is unknown.
        public let total: UInt64?
    }

    /// Whether the encoding must end; also asked when there is nothing to report.
    let isCancelled: @Sendable () -> Bool
    private let receive: @Sendable (Report) throws -> Void

    /// Creates a progress that calls a closure, on the thread that encodes.
    ///
    /// - Parameter receive: Called at the start, or at the offset to begin from, at most once per 4 KiB, and at the
    ///   end. An error that it throws ends the encoding and becomes the underlying error of
    ///   ``MultipartError/Code/cancelled``, even a `CancellationError`.
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
