import Foundation

/// The text the tool itself writes: results on standard output, all else on standard error.
struct Console {
    /// Whoever reads standard output has gone away, as `head` does when it has enough.
    struct BrokenPipe: Error {}

    /// The width of the terminal at standard output, in columns: that of the variable `COLUMNS`, or else the one the
    /// system tells; nil if there is no terminal, or nobody knows.
    static var width: Int? {
        guard isatty(FileDescriptor.standardOutput.number) == 1 else { return nil }
        if let text = ProcessInfo.processInfo.environment["COLUMNS"], let columns = Int(text), columns > 0 {
            return columns
        }
        var size = winsize()
        guard ioctl(FileDescriptor.standardOutput.number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }

    /// Text of standard output that is not written yet.
    private var pending: [UInt8] = []

    /// Appends to standard output; written when enough has come together, or by ``flush()``.
    ///
    /// - Throws: ``ToolError`` if standard output cannot be written.
    mutating func write(_ bytes: some Sequence<UInt8>) throws {
        pending.append(contentsOf: bytes)
        if pending.count >= 1 << 16 { try flush() }
    }

    /// Writes what is left.
    ///
    /// - Throws: ``ToolError`` if standard output cannot be written, or ``BrokenPipe``.
    mutating func flush() throws {
        defer { pending.removeAll(keepingCapacity: true) }
        do throws(POSIXError) {
            // SAFETY: the bytes are used inside the closure only.
            try pending.span.withUnsafeBytes { bytes throws(POSIXError) in
                try FileDescriptor.standardOutput.write(bytes)
            }
        } catch {
            try Interruption.check()
            guard error.code != .EPIPE else { throw BrokenPipe() }
            throw ToolError(.inputOutput, "write-failed", "output cannot be written", path: "standard output", error)
        }
    }

    /// Writes a text to standard output.
    ///
    /// - Throws: ``ToolError`` if standard output cannot be written.
    static func show(_ text: String) throws {
        var console = Console()
        try console.write(text.utf8)
        try console.flush()
    }

    /// Writes a line to standard error. There is nowhere to report a failure to.
    static func report(_ line: String) {
        // SAFETY: the bytes are used inside the closure only.
        Array("\(line)\n".utf8).withUnsafeBytes { try? FileDescriptor.standardError.write($0) }
    }
}
