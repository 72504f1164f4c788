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

    /// A rule that a result broke. Two are equal if they are of the same rule and result, whatever the figures.
    struct Violation: Hashable, CustomStringConvertible {
        /// The name of the case.
        let benchmark: String
        /// The case with its entry and chunk size.
        let result: String
        /// The figure's key in the JSON.
        let key: String
        /// The rule's value.
        let bound: Double
        /// The result's value.
        let figure: Double

        var description: String { "\(result): \(key) is \(figure), the floor is \(bound)" }

        static func == (first: Violation, second: Violation) -> Bool {
            (first.result, first.key, first.bound) == (second.result, second.key, second.bound)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(result)
            hasher.combine(key)
            hasher.combine(bound)
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

    /// The rules that a result breaks, one for each figure; empty if there are none.
    func violations(of result: BenchmarkResult) -> [Violation] {
        let name = [result.case, result.entry, result.chunk.map(String.init)].compactMap(\.self).joined(separator: " ")
        func violations(_ bounds: [String: Double]?, where isBroken: (Double, Double) -> Bool) -> [Violation] {
            (bounds ?? [:]).compactMap { key, bound in
                guard let figure = result.figures[key], isBroken(figure, bound) else { return nil }
                return Violation(benchmark: result.case, result: name, key: key, bound: bound, figure: figure)
            }
        }
        return rules.filter { $0.applies(to: result) }.flatMap { rule in
            violations(rule.atLeast, where: <) + violations(rule.atMost, where: >)
        }
    }
}
