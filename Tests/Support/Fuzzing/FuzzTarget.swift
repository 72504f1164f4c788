/// What a fuzzer tries: each takes any bytes and checks what must hold for all of them.
///
/// The fuzzers call it with what they make up, the unit tests with what they found.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// The parser in both modes, in one piece and in many.
    case parser
    /// The collector, with random limits and routes, in one piece and in many.
    case collector
    /// The boundary of a Content-Type field.
    case contentType = "content-type"
    /// The grammar of Content-Disposition.
    case disposition
    /// Forms that are encoded and parsed again.
    case roundTrip = "round-trip"
    /// The search for delimiters.
    case search

    /// A property that did not hold.
    package struct Failure: Error {
        /// Which one.
        package let fact: String

        package init(_ fact: String) {
            self.fact = fact
        }
    }

    /// Checks all that must hold for some bytes.
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
        }
    }

    /// Inputs to start from, made of the fixtures.
    package func seeds() throws -> [[UInt8]] {
        switch self {
        case .parser: try ParserCheck.seeds()
        case .collector: try CollectorCheck.seeds()
        case .contentType: try ContentTypeCheck.seeds()
        case .disposition: try DispositionCheck.seeds()
        case .roundTrip: try RoundTripCheck.seeds()
        case .search: try SearchCheck.seeds()
        }
    }
}

/// Throws unless a property holds.
func require(_ holds: Bool, _ fact: @autoclosure () -> String) throws(FuzzTarget.Failure) {
    guard holds else { throw FuzzTarget.Failure(fact()) }
}
