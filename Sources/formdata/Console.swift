import Foundation

/// The text the tool itself writes: results on standard output, all else on standard error.
struct Console {
    /// The width of the terminal at standard output, in columns: that of the variable `COLUMNS`, or else the one the
    /// system reports; nil if there is no terminal, or its width is unknown.
    static var width: Int? {
        guard isatty(FileDescriptor.standardOutput.number) == 1 else { return nil }
        if let text = ProcessInfo.processInfo.environment["COLUMNS"], let columns = Int(text), columns > 0 {
            return columns
        }
        var size = winsize()
        guard ioctl(FileDescriptor.standardOutput.number, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
        return size.ws_col > 0 ? Int(size.ws_col) : nil
    }

    /// Text of standard output that is not written yet.
    private var pending: ContiguousArray<UInt8> = []

    /// Appends to standard output; written when enough has come together, or by ``flush()``.
    ///
    /// - Throws: ``ToolError`` if standard output cannot be written, or `EPIPE` if its reader has gone away.
    mutating func write(_ text: String) throws {
        pending.append(contentsOf: text.utf8)
        if pending.count >= 1 << 16 { try flush() }
    }

    mutating func flush() throws {
        defer { pending.removeAll(keepingCapacity: true) }
        try FileDescriptor.standardOutput.write(pending.span)
    }

    /// Writes a text to standard output; throws as ``write(_:)`` does.
    static func show(_ text: String) throws {
        var console = Console()
        try console.write(text)
        try console.flush()
    }

    /// Writes a line to standard error. There is nowhere to report a failure to.
    static func report(_ line: String, terminator: String = "\n") {
        try? FileDescriptor.standardError.write(ContiguousArray((line + terminator).utf8).span)
    }
}
