import Foundation

/// Runs the tasks that start uploads on a thread of their own.
///
/// Starting one waits, on Linux, for the session's queue, which is busy while other uploads run. On the threads that all
/// tasks share these waits would also hold up the freeing of what has been sent, which is done there, too.
final class StartingExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "starting uploads")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
