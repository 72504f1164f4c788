/// Bounds the work of types that try one shape after another, so that it stays linear in the form.
///
/// `a[0]` can be an element or a key. A type that tries an array of itself, and then a dictionary, would decode such a
/// value twice, the values in it four times, and so on.
///
/// - Input: each attempt of a type to decode itself from a value, and each request of a value.
/// - Output: the error with which the type has failed there before, or one for a value that is requested too often.
/// - Invariant: only failures are remembered, of the same type, value and depth. A type may depend on more, such as a
///   state of its own, so its first failure is not final.
/// - Cost: an error for each type that has failed on a value twice.
struct DecodingAttempts {
    /// An attempt of a type to decode itself from a value.
    struct Key: Hashable {
        let value: ReceivedForm.Value
        let type: ObjectIdentifier
        /// The steps that the value is nested in: with fewer of them, it may not be too deep.
        let depth: UInt8
    }

    private struct Failure {
        var count = 0
        var error: (any Error)?
        /// The path of the failure; a value may have several, by an index or a key.
        var path: CodingPath?
        /// Whether the type has asked for keys or elements.
        var isContainer = false
    }

    /// The number of failures after which a type may not try again.
    private static let mostFailures = 2
    /// The most requests of a value: far more than a type needs that tries every shape.
    private static let mostRequests: UInt16 = 1000
    /// Absent values count together, as those of so many names at least.
    private static let fewestNames = 16

    private var failures: [Key: Failure] = [:]
    /// The types that are decoded at the moment without a step to another value, each within those before it.
    private var openTypes: [ObjectIdentifier] = []
    /// How often absent values have been requested.
    private var absentRequests = 0
    /// Whether a value was requested too often. Comparing `exhaustion` with nil would copy it.
    private var isExhausted = false
    /// The error of the first value that was requested too often.
    private var exhaustion: DecodingError?

    // Failures.

    /// The error of an attempt that has failed before, moved to a path; nil if it may be made.
    func error(of key: Key, at path: CodingPath?) -> (any Error)? {
        guard !failures.isEmpty, let failure = failures[key], let error = failure.error else { return nil }
        return (error as? DecodingError)?.moved(from: failure.path, to: path) ?? error
    }

    /// Whether a failed attempt has asked for keys or elements.
    func isContainer(_ key: Key) -> Bool { failures[key]?.isContainer == true }

    /// Remembers a failed attempt, and whether it has asked for keys or elements.
    mutating func fail(_ key: Key, at path: CodingPath?, _ error: any Error, isContainer: Bool) {
        // An absent value has no place of its own.
        if case .absent = key.value { return }
        var failure = failures[key, default: Failure()]
        failure.count += 1
        failure.isContainer = failure.isContainer || isContainer
        if failure.count == Self.mostFailures { (failure.error, failure.path) = (error, path) }
        failures[key] = failure
    }

    // Requests.

    /// Counts a request of a value that had `requests` before; fails if that or another was requested too often.
    mutating func count(_ requests: inout UInt16) throws(CodingProblem) {
        isExhausted = isExhausted || requests >= Self.mostRequests
        guard !isExhausted else { throw CodingProblem(.tooManyAttempts) }
        requests += 1
    }

    /// As ``count(_:)``, for an absent value in a form with so many names.
    mutating func countAbsent(names: Int) throws(CodingProblem) {
        isExhausted = isExhausted || absentRequests >= Int(Self.mostRequests) * max(names, Self.fewestNames)
        guard !isExhausted else { throw CodingProblem(.tooManyAttempts) }
        absentRequests += 1
    }

    /// Remembers the first error of a value that was requested too often.
    mutating func exhaust(_ error: DecodingError) {
        exhaustion = exhaustion ?? error
    }

    /// Fails if a value was requested too often, even if its type caught that error.
    func checkExhaustion() throws {
        if let exhaustion { throw exhaustion }
    }

    // Types that contain themselves.

    /// Begins to decode a type that decodes itself from an absent value, or from the one that an optional of it has;
    /// false within the same type. A type that contains itself would otherwise have no end.
    mutating func begin(_ type: Any.Type) -> Bool {
        let identifier = ObjectIdentifier(type)
        guard !openTypes.contains(identifier) else { return false }
        openTypes.append(identifier)
        return true
    }

    /// Ends what the last ``begin(_:)`` that was true has begun.
    mutating func end() { openTypes.removeLast() }
}

extension DecodingError {
    /// The same error at another path of the value.
    fileprivate func moved(from old: CodingPath?, to new: CodingPath?) -> DecodingError {
        let old = old.keys
        func moved(_ context: Context) -> Context {
            let path = context.codingPath
            // A type may throw an error with any path.
            let isWithin =
                path.count >= old.count
                && zip(path, old).allSatisfy { $0.stringValue.utf8.elementsEqual($1.stringValue.utf8) }
            guard isWithin else { return context }
            return Context(
                codingPath: new.keys + path.dropFirst(old.count),
                debugDescription: context.debugDescription,
                underlyingError: context.underlyingError
            )
        }
        switch self {
        case .typeMismatch(let type, let context): return .typeMismatch(type, moved(context))
        case .valueNotFound(let type, let context): return .valueNotFound(type, moved(context))
        case .keyNotFound(let key, let context): return .keyNotFound(key, moved(context))
        case .dataCorrupted(let context): return .dataCorrupted(moved(context))
        @unknown default: return self
        }
    }
}
