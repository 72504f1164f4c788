import Foundation

/// Shows on a terminal how far long work has come; silent anywhere else.
///
/// - Input: how many bytes are done, as often as the caller likes.
/// - Output: one line on standard error, drawn over at most ten times a second and erased at the end.
struct ProgressBar {
    /// Less work than this many bytes is done before anyone looks.
    static let threshold: UInt64 = 32 << 20

    private let total: UInt64?
    private let isTerminal: Bool
    private var done: UInt64 = 0
    private var nextLook: UInt64 = 0
    private var lastDrawn: ContinuousClock.Instant?

    /// Creates a bar for some work.
    ///
    /// - Parameter total: The length of the work in bytes; nil if nobody knows.
    init(total: UInt64?) {
        self.total = total
        self.isTerminal = isatty(FileDescriptor.standardError.number) == 1
        if total == nil { nextLook = Self.threshold + 1 }
    }

    /// Counts bytes that are done.
    mutating func advance(by count: Int) {
        done += UInt64(count)
        guard isTerminal, done >= nextLook, (total ?? .max) > Self.threshold else { return }
        nextLook = done + 1 << 20
        let now = ContinuousClock.now
        if let lastDrawn, now - lastDrawn < .milliseconds(100) { return }
        lastDrawn = now
        draw("\r\(text)\u{1B}[K")
    }

    /// Erases the line.
    mutating func finish() {
        guard lastDrawn != nil else { return }
        lastDrawn = nil
        draw("\r\u{1B}[K")
    }

    /// The line without its control sequences.
    private var text: String {
        guard let total else { return "\(done >> 20) MiB" }
        let share = min(Double(done) / Double(total), 1)
        let filled = Int(share * 40)
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 40 - filled)
        return "[\(bar)] \(Int(share * 100))% of \(total >> 20) MiB"
    }

    private func draw(_ text: String) {
        // SAFETY: the bytes are used inside the closure only.
        Array(text.utf8).withUnsafeBytes { try? FileDescriptor.standardError.write($0) }
    }
}
