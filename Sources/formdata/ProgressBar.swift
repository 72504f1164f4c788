import Foundation

/// Shows the progress of long work on a terminal at standard error; silent anywhere else.
///
/// It is one line, drawn over at most ten times a second and erased at the end.
struct ProgressBar {
    /// Work of fewer bytes is done before anyone looks.
    private static let threshold: UInt64 = 32 << 20

    /// The work's bytes; nil if their number is unknown.
    let total: UInt64?
    private let isTerminal = isatty(FileDescriptor.standardError.number) == 1
    private var done: UInt64 = 0
    private var lastDrawn: TimeInterval = 0

    init(total: UInt64?) {
        self.total = total
    }

    mutating func advance(by count: Int) {
        done += UInt64(count)
        guard isTerminal, total ?? done > Self.threshold else { return }
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
