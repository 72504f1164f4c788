/// Remembers a signal that asks the process to end, so that half-written files can be removed first.
///
/// A system call that waits fails with `EINTR`, and its caller throws; work that does not wait calls ``check()``.
///
/// A signal may come after a check and before the call that waits, which it then does not interrupt. So the handler
/// starts an alarm that interrupts whatever waits, again and again until the process has ended: from the signal on, no
/// call waits for longer than ``alarmPeriod``, opening a FIFO included.
enum Interruption {
    // SAFETY: written by the signal handler alone and read by the one thread there is; a word is never torn.
    nonisolated(unsafe) private static var received: Int32 = 0

    /// In microseconds. Computed, since a handler may not wait for an initializer.
    private static var alarmPeriod: UInt32 { 10_000 }

    static var signal: Int32? { received == 0 ? nil : received }

    static func isPending() -> Bool { received != 0 }

    /// Catches the first SIGINT, SIGTERM or SIGHUP; a second one ends the process at once.
    ///
    /// A writer to a closed pipe gets `EPIPE` instead of a signal, and one beyond the process' file size `EFBIG`.
    static func install() {
        // Blocked until all is in place, so that none comes in between.
        var caught = sigset_t()
        sigemptyset(&caught)
        for number in [SIGALRM, SIGINT, SIGTERM, SIGHUP] { sigaddset(&caught, number) }
        sigprocmask(SIG_BLOCK, &caught, nil)
        systemSignal(SIGALRM) { _ in }
        setFlags(0, of: SIGALRM)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            let previous = systemSignal(number) { number in
                Interruption.received = number
                // A system call, as a handler may make.
                ualarm(Interruption.alarmPeriod, Interruption.alarmPeriod)
            }
            setFlags(SA_RESETHAND, of: number)
            // The parent, such as nohup, wants the signal to be ignored.
            let isIgnored = unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
            if isIgnored { systemSignal(number, SIG_IGN) }
        }
        // Even if the parent had blocked them: one with many threads may hand down a mask it set for one of them.
        sigprocmask(SIG_UNBLOCK, &caught, nil)
        systemSignal(SIGPIPE, SIG_IGN)
        systemSignal(SIGXFSZ, SIG_IGN)
    }

    /// Sets the flags of a handler; without SA_RESTART, calls that wait return after it.
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
