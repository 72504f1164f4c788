import Foundation

/// Shows on a terminal how far long work has come; silent anywhere else.
///
/// It is one line on standard error, drawn over at most ten times a second and erased at the end.
struct ProgressBar {
    /// Less work than this many bytes is done before anyone looks.
    private static let threshold: UInt64 = 32 << 20

    private let total: UInt64?
    private let isTerminal = isatty(FileDescriptor.standardError.number) == 1
    private var done: UInt64 = 0
    private var lastDrawn: TimeInterval = 0

    /// Creates a bar for work of so many bytes; nil if their number is unknown.
    init(total: UInt64?) {
        self.total = total
    }

    mutating func advance(by count: Int) {
        done += UInt64(count)
        guard isTerminal, total ?? done > Self.threshold else { return }
        let now = ProcessInfo.processInfo.systemUptime
        guard now - lastDrawn >= 0.1 else { return }
        lastDrawn = now
        Console.report("\r\(text)\u{1B}[K", terminator: "")
    }

    mutating func finish() {
        if lastDrawn > 0 { Console.report("\r\u{1B}[K", terminator: "") }
        lastDrawn = 0
    }

    /// The line without its control sequences.
    private var text: String {
        guard let total else { return "\(done >> 20) MiB" }
        let share = min(Double(done) / Double(total), 1)
        let filled = Int(share * 40)
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 40 - filled)
        return "[\(bar)] \(Int(share * 100))% of \(total >> 20) MiB"
    }
}
