import Foundation

/// Remembers a signal that asks the process to end, so that half-written files can be removed first.
///
/// A system call that waits fails with `EINTR`, and its caller throws; work that does not wait calls ``check()``.
enum Interruption {
    // SAFETY: written by the signal handler alone and read by the one thread there is; a word is never torn.
    nonisolated(unsafe) private static var received: Int32 = 0

    static var signal: Int32? { received == 0 ? nil : received }

    /// Catches the first SIGINT, SIGTERM or SIGHUP; a second one ends the process at once.
    ///
    /// A writer to a closed pipe gets `EPIPE` instead of a signal, and one beyond the process' file size `EFBIG`.
    static func install() {
        var caught = sigset_t()
        sigemptyset(&caught)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            let previous = Foundation.signal(number, SIG_IGN)
            // The parent, such as nohup, wants the signal to be ignored.
            if unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { continue }
            Foundation.signal(number) { Interruption.received = $0 }
            var action = sigaction()
            sigaction(number, nil, &action)
            // Without SA_RESTART: calls that wait must return.
            action.sa_flags = Int32(truncatingIfNeeded: SA_RESETHAND)
            sigaction(number, &action, nil)
            sigaddset(&caught, number)
        }
        // A parent with many threads may hand down a mask it set for one of them.
        sigprocmask(SIG_UNBLOCK, &caught, nil)
        Foundation.signal(SIGPIPE, SIG_IGN)
        Foundation.signal(SIGXFSZ, SIG_IGN)
    }

    static func check() throws(POSIXError) {
        if received != 0 { throw POSIXError(.EINTR) }
    }

    /// Ends the process by a signal, as its parent expects.
    static func endProcess(by number: Int32) -> Never {
        Foundation.signal(number, SIG_DFL)
        raise(number)
        exit(128 + number)
    }
}
