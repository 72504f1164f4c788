import MultipartFormCodec

/// A table of a message's parts, for a terminal.
struct PartTable {
    private static let columnLimit = 60
    private static let sizeColumn = 3

    private var rows: [[String]] = [["NAME", "FILE NAME", "TYPE", "SIZE", "TEXT"]]

    /// Appends a row for a part:
    ///
    /// - A hyphen replaces a missing name, file name or type.
    /// - A name, file name or type that is empty or a hyphen is in quotes.
    /// - The column TEXT has `(incomplete)` for an incomplete part. It is empty for a complete file.
    mutating func append(_ part: ListedPart, isComplete: Bool = true) {
        let headers = part.headers
        let text = part.text.map { TerminalText.truncated($0.shown, toWidth: Self.columnLimit) } ?? ""
        rows.append(
            [headers.name, headers.filename, headers.contentType].map(Self.cell)
                + ["\(part.length)", isComplete ? text : "(incomplete)"]
        )
    }

    var isEmpty: Bool { rows.count == 1 }

    /// The lines of the table, with aligned columns and right-aligned sizes.
    ///
    /// The widest columns are cut until a line fits on the terminal, but no column gets narrower than its heading.
    var text: String {
        let columns = rows[0].indices
        var widths = columns.map { column in rows.map { TerminalText.width(of: $0[column]) }.max() ?? 0 }
        let cut = columns.filter { $0 != Self.sizeColumn }
        let room = max(0, (Self.terminalWidth ?? .max) - widths[Self.sizeColumn] - (columns.count - 1) * 2)
        while cut.map({ widths[$0] }).reduce(0, +) > room,
            let widest = cut.filter({ widths[$0] > rows[0][$0].count }).max(by: { widths[$0] < widths[$1] })
        {
            widths[widest] -= 1
        }
        return rows.map { row in
            let cells = columns.map { Self.padded(row[$0], to: widths[$0], isRight: $0 == Self.sizeColumn) }
            var line = cells.joined(separator: "  ")
            // Removes scalars, not characters: a space and the scalar before it may be one `Character`.
            while line.unicodeScalars.last == " " { line.unicodeScalars.removeLast() }
            return line + "\n"
        }
        .joined()
    }

    private static func padded(_ text: String, to width: Int, isRight: Bool) -> String {
        let cell = TerminalText.width(of: text) > width ? TerminalText.truncated(text, toWidth: width) : text
        let padding = String(repeating: " ", count: width - TerminalText.width(of: cell))
        return isRight ? padding + cell : cell + padding
    }

    /// The number of columns of the terminal at standard output; nil if standard output is not a terminal, or if the
    /// number is unknown. The environment variable `COLUMNS` takes precedence over the system's number.
    private static var terminalWidth: Int? {
        let output = FileDescriptor.standardOutput.number
        guard isatty(output) == 1 else { return nil }
        let variable = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }
        if let variable, variable > 0 { return variable }
        var size = winsize()
        guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    private static func cell(_ text: String?) -> String {
        guard let text else { return "-" }
        guard !text.isEmpty, text != "-" else { return "\"\(text)\"" }
        return TerminalText.truncated(TerminalText.escaped(text), toWidth: columnLimit)
    }
}
