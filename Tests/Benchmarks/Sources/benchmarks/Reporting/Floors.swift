import Foundation

/// The values that results must not fall below or rise above.
struct Floors: Decodable {
    /// One rule of the file.
    struct Rule: Decodable {
        /// The name of the case.
        let `case`: String
        /// The entry; nil for all.
        let entry: String?
        /// The chunk size; nil for all.
        let chunk: Int?
        /// Figures that must be at least as large, by key.
        let atLeast: [String: Double]?
        /// Figures that must be at most as large, by key.
        let atMost: [String: Double]?

        private enum CodingKeys: String, CodingKey {
            case `case`
            case entry
            case chunk
            case atLeast = "at_least"
            case atMost = "at_most"
        }

        fileprivate func applies(to result: BenchmarkResult) -> Bool {
            result.case == self.case
                && (entry == nil || entry == result.entry)
                && (chunk == nil || chunk == result.chunk)
        }
    }

    private let rules: [Rule]

    /// Reads the file.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - names: The names of all cases; a rule for any other is an error.
    /// - Throws: ``BenchmarkError`` for such a rule, or an error from reading the file.
    init(path: String, names: Set<String>) throws {
        self = try JSONDecoder().decode(Floors.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        if let rule = rules.first(where: { !names.contains($0.case) }) {
            throw BenchmarkError("a floor names no case: \(rule.case)")
        }
    }

    /// The rules that a result breaks, one line per figure; empty if there are none.
    func violations(of result: BenchmarkResult) -> [String] {
        let figures = result.figures
        let place = "\(result.case) \(result.entry) \(result.chunk.map(String.init) ?? "")"
        var lines: [String] = []
        for rule in rules where rule.applies(to: result) {
            for (key, floor) in rule.atLeast ?? [:] {
                guard let figure = figures[key], figure < floor else { continue }
                lines.append("\(place): \(key) \(figure) is below \(floor)")
            }
            for (key, ceiling) in rule.atMost ?? [:] {
                guard let figure = figures[key], figure > ceiling else { continue }
                lines.append("\(place): \(key) \(figure) is above \(ceiling)")
            }
        }
        return lines
    }
}
