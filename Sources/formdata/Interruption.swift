/// Remembers a signal that asks the process to end, so that half-written files can be removed first.
///
/// A system call that waits fails with `EINTR`, and its caller throws; work that does not wait calls ``check()``.
///
/// A signal that comes after a check and before a call that waits does not interrupt the call. So the handler starts an
/// alarm that interrupts whatever waits, again and again until the process has ended: from the signal on, no call waits
/// for longer than ``alarmPeriod``, not even one that opens a FIFO.
enum Interruption {
    // SAFETY: written only by the signal handler and read by the tool's only thread; a word is never read half-written.
    nonisolated(unsafe) private static var received: Int32 = 0

    /// The time between two alarms, in microseconds. Computed, because a signal handler may not wait for the
    /// initializer of a stored one.
    private static var alarmPeriod: UInt32 { 10_000 }

    static var signal: Int32? { received == 0 ? nil : received }

    static func isPending() -> Bool { received != 0 }

    /// Catches the first SIGINT, SIGTERM or SIGHUP; a second one ends the process at once.
    ///
    /// Writing to a closed pipe fails with `EPIPE` instead of a signal, and writing beyond the limit of file sizes with
    /// `EFBIG`.
    static func install() {
        // The signals are blocked until all handlers are in place, so that none arrives in between.
        var caught = sigset_t()
        sigemptyset(&caught)
        for number in [SIGALRM, SIGINT, SIGTERM, SIGHUP] { sigaddset(&caught, number) }
        sigprocmask(SIG_BLOCK, &caught, nil)
        systemSignal(SIGALRM) { _ in }
        setFlags(0, of: SIGALRM)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            let previous = systemSignal(number) { number in
                Interruption.received = number
                // A signal handler may call this, because it is a system call.
                ualarm(Interruption.alarmPeriod, Interruption.alarmPeriod)
            }
            setFlags(SA_RESETHAND, of: number)
            // If the signal was ignored before, the parent process, such as nohup, wants it to be ignored.
            let isIgnored = unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
            if isIgnored { systemSignal(number, SIG_IGN) }
        }
        // The signals are unblocked even if the parent process had blocked them, because a parent with many threads may
        // pass on a mask that was set for only one of them.
        sigprocmask(SIG_UNBLOCK, &caught, nil)
        systemSignal(SIGPIPE, SIG_IGN)
        systemSignal(SIGXFSZ, SIG_IGN)
    }

    /// Sets the flags of a signal's handler. Without SA_RESTART, system calls that wait return after the handler has
    /// run.
    private static func setFlags(_ flags: some BinaryInteger, of number: Int32) {
        var action = sigaction()
        sigaction(number, nil, &action)
        action.sa_flags = Int32(truncatingIfNeeded: flags)
        sigaction(number, &action, nil)
    }

    static func check() throws(POSIXError) {
        if received != 0 { throw POSIXError(.EINTR) }
    }

    /// Ends the process by a signal, as its parent expects.
    static func endProcess(by number: Int32) -> Never {
        systemSignal(number, SIG_DFL)
        raise(number)
        exit(128 + number)
    }
}
