internal import Foundation

/// Tells a progress how far an encoding has come: often enough to be of use, seldom enough to cost nothing.
struct ProgressTally {
    private static let step: UInt64 = 4096

    private let progress: Progress
    private var told: UInt64 = 0

    /// Tells a progress the total in bytes; -1 if it is unknown.
    init(_ progress: Progress, total: UInt64?) {
        self.progress = progress
        progress.totalUnitCount = total.map { Int64(clamping: $0) } ?? -1
        progress.completedUnitCount = 0
    }

    var isCancelled: Bool { progress.isCancelled }

    /// Takes the bytes handed out so far, which a seek may have made fewer.
    ///
    /// - Returns: Whether the progress has been told.
    mutating func tell(_ completed: UInt64, always: Bool) -> Bool {
        guard always || completed < told || completed - told >= Self.step else { return false }
        told = completed
        progress.completedUnitCount = Int64(clamping: completed)
        return true
    }
}
