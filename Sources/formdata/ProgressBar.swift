/// Shows the progress of long work if standard error is a terminal.
struct ProgressBar {
    /// The total number of bytes; nil if it is unknown.
    let total: UInt64?
    private let isTerminal = isatty(FileDescriptor.standardError.number) == 1
    private(set) var done: UInt64 = 0
    private(set) var lastDrawn: TimeInterval = 0

    mutating func advance(by count: Int) {
        done += UInt64(count)
        // Work of up to 32 MiB takes only a moment, so no progress is shown.
        guard isTerminal, total ?? done > 32 << 20 else { return }
        let now = ProcessInfo.processInfo.systemUptime
        guard now - lastDrawn >= 0.1 else { return }
        lastDrawn = now
        try? FileDescriptor.standardError.write("\r\(text)\u{1B}[K")
    }

    func finish() {
        if lastDrawn > 0 { try? FileDescriptor.standardError.write("\r\u{1B}[K") }
    }

    private var text: String {
        guard let total else { return "\(done >> 20) MiB" }
        let share = min(Double(done) / Double(total), 1)
        let filled = Int(share * 40)
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 40 - filled)
        return "[\(bar)] \(Int(share * 100))% of \(total >> 20) MiB"
    }
}
