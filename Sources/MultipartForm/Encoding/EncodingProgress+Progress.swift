#if FullFoundation
    public import Foundation

    // Foundation's progress, kept up to date by an encoding.
    extension EncodingProgress {
        /// Creates a progress that keeps one of Foundation's up to date, which views can show.
        ///
        /// - Parameter progress: Gets the total, -1 if it is unknown, and the completed count in bytes; each encoding starts it
        ///   again. Cancelling it ends the encoding with ``MultipartError/Code/cancelled``.
        public init(_ progress: Progress) {
            self.init(isCancelled: { progress.isCancelled }) { report in
                progress.totalUnitCount = report.total.map { Int64(clamping: $0) } ?? -1
                progress.completedUnitCount = Int64(clamping: report.completed)
            }
        }
    }
#endif
