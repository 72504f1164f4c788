/// All cases, in the order they run.
enum Catalog {
    /// The cases of this build.
    static var cases: [any BenchmarkCase] {
        #if DEBUG
            debugCases
        #else
            releaseCases
        #endif
    }

    /// The shapes that a fresh process reads in a short run: the largest content, and the most parts.
    private static let shortFreshShapes: [ParseShape] = [.random, .fields, .files]

    /// The cases of a run.
    ///
    /// - Parameters:
    ///   - wanted: The names of the cases; empty for all.
    ///   - scale: How large the run is.
    /// - Returns: The cases in the order they run.
    /// - Throws: ``BenchmarkError`` if a name is not known.
    static func select(_ wanted: [String], _ scale: Scale) throws -> [any BenchmarkCase] {
        if let unknown = wanted.first(where: { name in !cases.contains { $0.name == name } }) {
            throw BenchmarkError("no case is named \(unknown); --list shows them")
        }
        guard wanted.isEmpty else { return cases.filter { wanted.contains($0.name) } }
        guard scale != .full else { return cases }
        guard scale != .counts else { return cases.filter(\.isCounted) }
        return cases.filter { ($0 as? FreshCase).map { shortFreshShapes.contains($0.shape) } ?? true }
    }

    private static var releaseCases: [any BenchmarkCase] {
        let parsing: [any BenchmarkCase] = ParseShape.allCases.map { ParseCase(shape: $0) }
        let strict: [any BenchmarkCase] = ParseShape.allCases.filter(\.isStrict).map { StrictCase(shape: $0) }
        let fresh: [any BenchmarkCase] = ParseShape.allCases.map { FreshCase(shape: $0) }
        let encoding: [any BenchmarkCase] = [
            EncodeFieldsCase(), EncodeDataCase(), EncodeIntoCase(), EncodeFileCase(), EncodeReaderCase(),
        ]
        return parsing + strict + fresh + encoding + [ProgramsCase(), PlacesCase(), ArrivingFileCase(), CodingCase()]
    }

    private static var debugCases: [any BenchmarkCase] {
        DebugCase.Content.allCases.map { DebugCase(content: $0) }
    }
}
