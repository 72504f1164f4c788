internal import Foundation

/// Updates a progress at most every 4 KiB.
struct ProgressTally {
    private static let step: UInt64 = 4096

    private let progress: Progress
    private var reported: UInt64 = 0

    /// Sets the total of a progress, in bytes; -1 if it is unknown.
    init(_ progress: Progress, total: UInt64?) {
        self.progress = progress
        progress.totalUnitCount = total.map { Int64(clamping: $0) } ?? -1
        progress.completedUnitCount = 0
    }

    var isCancelled: Bool { progress.isCancelled }

    /// Takes the number of bytes read, which a seek may lower; true if the progress was updated.
    mutating func report(_ completed: UInt64, always: Bool) -> Bool {
        guard always || completed < reported || completed - reported >= Self.step else { return false }
        reported = completed
        progress.completedUnitCount = Int64(clamping: completed)
        return true
    }
}
