/// Reports how many bytes of a form have been encoded, and can end the encoding.
///
/// ```swift
/// let progress = EncodingProgress { report in
///     print("\(report.completed) of \(report.total.map(String.init) ?? "unknown") bytes")
/// }
/// try form.writeEncodedData(to: fileURL, progress: progress)
/// ```
///
/// Encoded bytes may not have been sent yet: a form that is sent from memory or from a file is encoded before its first
/// byte is sent. The HTTP client reports how many bytes it has sent: see <doc:UploadingWithURLSession>.
///
/// Cancelling the task of an asynchronous encoding also ends the encoding, which then throws `CancellationError`.
public struct EncodingProgress: Sendable {
    /// How much of a message has been encoded, in bytes.
    public struct Report: Sendable {
        /// The offset in the message of the next byte to encode. If the encoding resumes an upload, the offset includes
        /// the bytes that were skipped.
        public let completed: UInt64

        /// The length of the message; nil if it is unknown.
        public let total: UInt64?

        /// How much of the message has been encoded, from 0 to 1, for instance for a progress view; nil if ``total`` is
        /// unknown.
        public var fractionCompleted: Double? {
            total.map { Double(completed) / Double($0) }
        }
    }

    /// Returns whether the encoding must end. The encoder calls this function at each report and between reports.
    let isCancelled: @Sendable () -> Bool
    private let receive: @Sendable (Report) throws -> Void

    /// Creates a progress that calls a closure, on the thread that encodes.
    ///
    /// - Parameter receive: Called when the encoding begins, then at most once per 4 KiB, and at the end of the
    ///   message. If the closure throws, the encoding throws ``MultipartError/Code/cancelled``. The closure's error is
    ///   then the underlying error, even if it is a `CancellationError`.
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
