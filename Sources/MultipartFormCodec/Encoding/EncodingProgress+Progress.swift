#if FullFoundation
    public import Foundation

    // Reports the progress of an encoding to Foundation's `Progress`.
    extension EncodingProgress {
        /// Creates a progress that updates Foundation's `Progress`, which views can show.
        ///
        /// - Parameter progress: The `Progress` to update. Its completed units are the bytes that have been encoded,
        ///   whether or not they have been sent. Its total is the length of the message, or -1 if the length is
        ///   unknown. Each encoding begins a new count. Cancelling the `Progress` ends the encoding with
        ///   ``MultipartError/Code/cancelled``.
        public init(_ progress: Progress) {
            self.init(isCancelled: { progress.isCancelled }) { report in
                progress.totalUnitCount = report.total.map { Int64(clamping: $0) } ?? -1
                progress.completedUnitCount = Int64(clamping: report.completed)
            }
        }
    }
#endif
