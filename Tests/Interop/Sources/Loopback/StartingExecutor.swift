import Foundation

/// Runs the tasks that start uploads on their own thread.
///
/// On Linux, starting one waits for the session's queue, which is busy while other uploads run. In the shared task pool
/// these waits would also delay freeing the sent data, which happens there, too.
final class StartingExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "starting uploads")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
