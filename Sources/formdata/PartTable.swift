/// The parts of a message as a table for people.
struct PartTable {
    /// The widest a column may become.
    private static let columnLimit = 60

    private var rows: [[String]] = [["NAME", "FILE NAME", "TYPE", "SIZE"]]

    /// Appends a part.
    ///
    /// What was not sent is a hyphen; a text that is empty, or a hyphen, stands in quotes.
    mutating func append(_ part: PartReport) {
        rows.append([Self.cell(part.name), Self.cell(part.filename), Self.cell(part.contentType), "\(part.length)"])
    }

    /// The lines, with columns aligned and sizes flush right.
    var text: String {
        let widths = (0..<4).map { column in
            rows.map { TerminalText.width(of: $0[column]) }.max() ?? 0
        }
        return rows.map { row in
            let cells = row.indices.map { column in
                let padding = String(repeating: " ", count: widths[column] - TerminalText.width(of: row[column]))
                return column == 3 ? padding + row[column] : row[column] + padding
            }
            return cells.joined(separator: "  ") + "\n"
        }
        .joined()
    }

    private static func cell(_ text: String?) -> String {
        guard let text else { return "-" }
        guard !text.isEmpty, text != "-" else { return "\"\(text)\"" }
        return TerminalText.truncated(TerminalText.escaped(text), toWidth: columnLimit)
    }
}
