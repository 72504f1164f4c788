import Foundation

/// Remembers a signal that asks the process to end, so that half-written files can be removed first.
enum Interruption {
    // SAFETY: written by the signal handler alone and read by the one thread there is; a word is never torn.
    nonisolated(unsafe) private static var signal: Int32 = 0

    /// Whether a signal came.
    static var isRequested: Bool { signal != 0 }

    /// Catches the first SIGINT, SIGTERM or SIGHUP; a second one ends the process at once.
    ///
    /// A system call that waits returns with `EINTR`, and whoever made it throws ``Requested``. A writer to a closed
    /// pipe gets `EPIPE` instead of a signal, and one beyond the process' file size `EFBIG`.
    static func install() {
        var caught = sigset_t()
        sigemptyset(&caught)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            var action = sigaction()
            #if canImport(Darwin)
                action.__sigaction_u.__sa_handler = { Interruption.signal = $0 }
                action.sa_flags = SA_RESETHAND
            #else
                action.__sigaction_handler.sa_handler = { Interruption.signal = $0 }
                action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
            #endif
            var previous = sigaction()
            sigaction(number, nil, &previous)
            guard !isIgnored(previous) else { continue }
            sigaction(number, &action, nil)
            sigaddset(&caught, number)
        }
        // A parent with many threads may hand down a mask it set for one of them.
        sigprocmask(SIG_UNBLOCK, &caught, nil)
        Foundation.signal(SIGPIPE, SIG_IGN)
        Foundation.signal(SIGXFSZ, SIG_IGN)
    }

    /// Throws if a signal came.
    static func check() throws {
        if isRequested { throw Requested() }
    }

    /// Ends the process by the signal that came, as its parent expects.
    static func endProcess() -> Never {
        Foundation.signal(signal, SIG_DFL)
        raise(signal)
        exit(128 + signal)
    }

    /// A signal came; what was begun is to be undone.
    struct Requested: Error {}

    /// Whether the parent, such as `nohup`, wants a signal to be ignored.
    private static func isIgnored(_ action: sigaction) -> Bool {
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sigaction_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
