import Foundation

/// Prints results as they come: rows of a Markdown table, or one JSON object per line.
struct ResultTable {
    /// Whether to print JSON.
    let isJSON: Bool

    private static let columns: [(title: String, width: Int)] = [
        ("case", 26), ("entry", 9), ("chunk", 6), ("median ms", 9), ("MiB/s", 7), ("ns/part", 8), ("ns/field", 8),
        ("ratio", 5), ("reference", 12), ("others", 24), ("allocations", 11), ("held", 8), ("resident", 8),
        ("spread", 6),
    ]

    /// Prints the table's head.
    func begin() {
        guard !isJSON else { return }
        printRow(Self.columns.map(\.title))
        print("|" + Self.columns.map { " " + String(repeating: "-", count: $0.width) + " |" }.joined())
    }

    /// Prints a result.
    func add(_ result: BenchmarkResult) throws {
        if isJSON {
            print(try result.jsonLine())
        } else {
            printRow(cells(result))
        }
        fflush(nil)
    }

    private func cells(_ result: BenchmarkResult) -> [String] {
        let others = (result.ratios ?? [:]).filter { $0.key != result.reference }.sorted { $0.key < $1.key }
        let allocations = [result.allocationsPerPartUnread, result.allocationsPerPart].map { decimals($0, 2) }
        return [
            result.case,
            result.entry,
            result.chunk.map { "\($0 / 1024)K" } ?? "",
            decimals(result.medianNs.map { $0 / 1e6 }, 2),
            decimals(result.mibPerSecond, 0),
            decimals(result.nsPerPart, 1),
            decimals(result.nsPerHeaderField, 1),
            decimals(result.ratio, 2),
            result.reference ?? "",
            others.map { "\($0.key) \(decimals($0.value, 2))" }.joined(separator: ", "),
            result.allocationsPerPart == nil ? "" : allocations.joined(separator: " / "),
            result.bytesHeld.map { "\($0)" } ?? "",
            result.peakResidentBytes.map { decimals(Double($0) / 1_048_576, 1) + "M" } ?? "",
            result.spread.map { decimals($0 * 100, 0) + "%" } ?? "",
        ]
    }

    private func decimals(_ value: Double?, _ digits: Int) -> String {
        value.map { String(format: "%.\(digits)f", $0) } ?? ""
    }

    private func printRow(_ cells: [String]) {
        let padded = zip(cells, Self.columns).map { cell, column in
            " " + cell + String(repeating: " ", count: max(0, column.width - cell.count)) + " |"
        }
        print("|" + padded.joined())
    }
}
