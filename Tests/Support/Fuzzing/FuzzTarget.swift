/// A fuzz target: takes any bytes and checks properties that must hold for all of them.
///
/// The fuzzers call it with generated inputs, the unit tests with those that fuzzers found.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// The parser in both modes, on a message in one piece and in many.
    case parser
    /// The collector, with random limits and routes, on a message in one piece and in many.
    case collector
    /// The boundary of a Content-Type field.
    case contentType = "content-type"
    /// The grammar of Content-Disposition.
    case disposition
    /// Forms that are encoded and parsed again.
    case roundTrip = "round-trip"
    /// The search for delimiters.
    case search
    /// Forms with any names that are decoded to values.
    case coding

    /// A property that did not hold.
    package struct Failure: Error {
        /// The property.
        package let reason: String

        package init(_ reason: String) {
            self.reason = reason
        }
    }

    /// Checks the target's properties for some bytes.
    ///
    /// - Throws: ``Failure``.
    package func check(_ bytes: [UInt8]) throws {
        switch self {
        case .parser: try ParserCheck.run(bytes)
        case .collector: try CollectorCheck.run(bytes)
        case .contentType: try ContentTypeCheck.run(bytes)
        case .disposition: try DispositionCheck.run(bytes)
        case .roundTrip: try RoundTripCheck.run(bytes)
        case .search: try SearchCheck.run(bytes)
        case .coding: try CodingCheck.run(bytes)
        }
    }

    /// Inputs to start from, made from the fixtures.
    package func seeds() throws -> [[UInt8]] {
        switch self {
        case .parser: try ParserCheck.seeds()
        case .collector: try CollectorCheck.seeds()
        case .contentType: try ContentTypeCheck.seeds()
        case .disposition: try DispositionCheck.seeds()
        case .roundTrip: try RoundTripCheck.seeds()
        case .search: try SearchCheck.seeds()
        case .coding: try CodingCheck.seeds()
        }
    }
}

/// Throws unless a property holds.
func require(_ holds: Bool, _ reason: @autoclosure () -> String) throws(FuzzTarget.Failure) {
    guard holds else { throw FuzzTarget.Failure(reason()) }
}
