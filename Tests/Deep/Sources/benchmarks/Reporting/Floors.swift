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

        /// The keys of the rule's figures.
        fileprivate var keys: Set<String> { Set((atLeast ?? [:]).keys).union((atMost ?? [:]).keys) }

        /// The rule's name with one of its figures.
        fileprivate func name(of key: String) -> String {
            [self.case, entry, chunk.map(String.init), key].compactMap(\.self).joined(separator: " ")
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

    private enum CodingKeys: String, CodingKey {
        case rules
    }

    /// The figures of rules that no result has had, for ``unused``.
    private var waiting: Set<String> = []

    /// Reads the file.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - cases: The names of the cases that are measured; if not nil, rules for other cases are left out.
    /// - Throws: An error from reading the file.
    init(path: String, cases: Set<String>?) throws {
        let all = try JSONDecoder().decode(Floors.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        rules = all.rules.filter { cases?.contains($0.case) ?? true }
        waiting = Set(rules.flatMap { rule in rule.keys.map { rule.name(of: $0) } })
    }

    /// The rules, a line for each figure, that apply to no result so far: they name a case, an entry, a chunk size or a
    /// figure that does not exist.
    var unused: [String] { waiting.sorted() }

    /// The rules that a result breaks, one for each figure; empty if there are none.
    mutating func violations(of result: BenchmarkResult) -> [Violation] {
        let name = [result.case, result.entry, result.chunk.map(String.init)].compactMap(\.self).joined(separator: " ")
        let figures = result.figures
        var found: [Violation] = []
        for rule in rules where rule.applies(to: result) {
            for key in rule.keys {
                guard let figure = figures[key] else { continue }
                waiting.remove(rule.name(of: key))
                let bounds = [
                    rule.atLeast?[key].map { ($0, figure < $0) },
                    rule.atMost?[key].map { ($0, figure > $0) },
                ]
                for case let (bound, true)? in bounds {
                    found.append(
                        Violation(benchmark: result.case, result: name, key: key, bound: bound, figure: figure)
                    )
                }
            }
        }
        return found
    }
}
