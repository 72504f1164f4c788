/// Remembers failed attempts, so that types that try one shape after another stay linear in the form.
///
/// `a[0]` can be an element or a key. A type that tries an array of itself, and then a dictionary, would decode such a value
/// twice, the values in it four times, and so on.
///
/// - Input: each attempt of a type to decode itself from a value.
/// - Output: the error with which the type has failed there before.
/// - Invariant: only failures are remembered, of the same type, value and depth. A type may depend on more, such as a state
///   of its own, so its first failure is not final.
/// - Cost: an error for each type that has failed on a value twice.
struct DecodingAttempts {
    /// An attempt of a type to decode itself from a value.
    struct Key: Hashable {
        let value: NamedValue
        let type: ObjectIdentifier
        /// The steps that the value is nested in: with fewer of them, it may not be too deep.
        let depth: UInt8
    }

    private struct Failure {
        var count = 0
        var error: (any Error)?
        /// The path of the failure; a value may have several, by an index or a key.
        var path: CodingPath?
    }

    /// The number of failures after which a type may not try again.
    private static let mostFailures = 2

    private var failures: [Key: Failure] = [:]

    /// The error of an attempt that has failed before, moved to a path; nil if it may be made.
    func error(of key: Key, at path: CodingPath?) -> (any Error)? {
        guard !failures.isEmpty, let failure = failures[key], let error = failure.error else { return nil }
        return (error as? DecodingError)?.moved(from: failure.path, to: path) ?? error
    }

    /// Remembers a failed attempt.
    mutating func fail(_ key: Key, at path: CodingPath?, _ error: any Error) {
        // An absent value has no place of its own.
        if case .absent = key.value { return }
        var failure = failures[key, default: Failure()]
        failure.count += 1
        if failure.count == Self.mostFailures { (failure.error, failure.path) = (error, path) }
        failures[key] = failure
    }
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

/// What has been asked of a node or a part.
struct DecodingMarks {
    /// The most looks at a value: far more than a type needs that tries every shape.
    private static let mostLooks: UInt16 = 1000

    /// The most looks at all absent values of a form with so many names.
    static func mostLooks(atAbsentValuesOf names: Int) -> Int { Int(mostLooks) * max(names, 16) }

    /// Whether it was requested.
    var isRead = false
    /// Whether it is a node that was decoded as an array, whose elements are marked as read one by one.
    var isArray = false
    private var looks: UInt16 = 0

    /// Counts a look; false if there were too many.
    mutating func look() -> Bool {
        guard looks < Self.mostLooks else { return false }
        looks += 1
        return true
    }
}
