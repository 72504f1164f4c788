#if FullFoundation
    public import Foundation

    // Foundation's progress, updated by an encoding.
    extension EncodingProgress {
        /// Creates a progress that updates one of Foundation's, which views can show.
        ///
        /// - Parameter progress: Its completed units are the bytes that have been encoded, not sent; its total is the
        ///   message's length, or -1 if that is unknown. Each encoding starts again. Cancelling the progress ends the
        ///   encoding with ``MultipartError/Code/cancelled``.
        public init(_ progress: Progress) {
            self.init(isCancelled: { progress.isCancelled }) { report in
                progress.totalUnitCount = report.total.map { Int64(clamping: $0) } ?? -1
                progress.completedUnitCount = Int64(clamping: report.completed)
            }
        }
    }
#endif
