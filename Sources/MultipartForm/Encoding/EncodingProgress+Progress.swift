#if FullFoundation
    public import Foundation

    // Foundation's progress, updated by an encoding.
    extension EncodingProgress {
        /// Creates a progress that updates one of Foundation's, which views can show.
        ///
        /// - Parameter progress: Set to the bytes that have been encoded, not sent, and to the total, -1 if it is
        ///   unknown; each encoding starts again. Cancelling it ends the encoding with
        ///   ``MultipartError/Code/cancelled``.
        public init(_ progress: Progress) {
            self.init(isCancelled: { progress.isCancelled }) { report in
                progress.totalUnitCount = report.total.map { Int64(clamping: $0) } ?? -1
                progress.completedUnitCount = Int64(clamping: report.completed)
            }
        }
    }
#endif
