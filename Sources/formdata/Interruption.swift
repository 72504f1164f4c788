/// Remembers a signal that asks the process to end, so that unfinished files can be removed first.
///
/// A signal interrupts a system call that waits. The call fails with `EINTR`, and its caller throws. Work that does not
/// wait calls ``check()``.
///
/// A signal can arrive after a check and before a call that waits. Such a signal would not interrupt the call. So the
/// signal handler starts an alarm that repeats until the process ends. The alarm interrupts each call that waits, even
/// a call that opens a FIFO, after at most ``alarmPeriod``.
enum Interruption {
    // SAFETY: only the signal handler writes the variable, and only the tool's single thread reads it. Reads and
    // writes of an `Int32` are atomic.
    nonisolated(unsafe) private static var received: Int32 = 0

    /// The time between two alarms, in microseconds. The property is computed, because a stored static property is
    /// initialized on first use, and a signal handler must not wait for an initializer.
    private static var alarmPeriod: UInt32 { 10_000 }

    static var signal: Int32? { received == 0 ? nil : received }

    static func isPending() -> Bool { received != 0 }

    /// Catches the first SIGINT, SIGTERM and SIGHUP. A second signal of the same kind ends the process at once.
    ///
    /// Ignores SIGPIPE and SIGXFSZ. A write then fails with `EPIPE` if nobody reads the pipe, and with `EFBIG` if the
    /// file would exceed the limit of file sizes.
    static func install() {
        // Blocks the signals until all handlers and their flags are set.
        var caught = sigset_t()
        sigemptyset(&caught)
        for number in [SIGALRM, SIGINT, SIGTERM, SIGHUP] { sigaddset(&caught, number) }
        sigprocmask(SIG_BLOCK, &caught, nil)
        systemSignal(SIGALRM) { _ in }
        setFlags(0, of: SIGALRM)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            let previous = systemSignal(number) { number in
                Interruption.received = number
                // A signal handler may call `ualarm`, because the function only makes a system call.
                ualarm(Interruption.alarmPeriod, Interruption.alarmPeriod)
            }
            setFlags(SA_RESETHAND, of: number)
            // If the parent process ignores a signal, as nohup does with SIGHUP, the signal stays ignored.
            let isIgnored = unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
            if isIgnored { systemSignal(number, SIG_IGN) }
        }
        // Unblocks the signals even if they were blocked when the process started. The tool inherits the blocked
        // signals of its parent's thread, which may have blocked them only for itself.
        sigprocmask(SIG_UNBLOCK, &caught, nil)
        systemSignal(SIGPIPE, SIG_IGN)
        systemSignal(SIGXFSZ, SIG_IGN)
    }

    /// Sets the flags of a signal's handler. Without `SA_RESTART`, a system call that waits fails with `EINTR` after
    /// the handler has run.
    private static func setFlags(_ flags: some BinaryInteger, of number: Int32) {
        var action = sigaction()
        sigaction(number, nil, &action)
        action.sa_flags = Int32(truncatingIfNeeded: flags)
        sigaction(number, &action, nil)
    }

    static func check() throws(POSIXError) {
        if received != 0 { throw POSIXError(.EINTR) }
    }

    /// Ends the process by a signal, so that its parent process sees the signal.
    static func endProcess(by number: Int32) -> Never {
        systemSignal(number, SIG_DFL)
        raise(number)
        exit(128 + number)
    }
}
