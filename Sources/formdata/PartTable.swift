import Foundation
import MultipartForm

struct PartTable {
    private static let columnLimit = 60

    private var rows: [[String]] = [["NAME", "FILE NAME", "TYPE", "SIZE"]]

    /// Appends a part. What was not sent is a hyphen; a text that is empty, or a hyphen, is in quotes.
    mutating func append(_ headers: HeaderFields, length: UInt64) {
        rows.append([headers.name, headers.filename, headers.contentType].map(Self.cell) + ["\(length)"])
    }

    var isEmpty: Bool { rows.count == 1 }

    /// The lines, with columns aligned and sizes flush right.
    ///
    /// Texts are cut to the width of a terminal, the longest first, but never to less than their heading.
    var text: String {
        var widths = (0..<4).map { column in rows.map { TerminalText.width(of: $0[column]) }.max() ?? 0 }
        let room = max(0, (Self.terminalWidth ?? .max) - widths[3] - 3 * 2)
        while widths[..<3].reduce(0, +) > room,
            let widest = (0..<3).filter({ widths[$0] > rows[0][$0].count }).max(by: { widths[$0] < widths[$1] })
        {
            widths[widest] -= 1
        }
        return rows.map { row in
            let cells = row.indices.map { column in
                let cell = TerminalText.truncated(row[column], toWidth: widths[column])
                let padding = String(repeating: " ", count: widths[column] - TerminalText.width(of: cell))
                return column == 3 ? padding + cell : cell + padding
            }
            return cells.joined(separator: "  ") + "\n"
        }
        .joined()
    }

    /// The columns of the terminal at standard output: those the variable `COLUMNS` gives, or else the system.
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
