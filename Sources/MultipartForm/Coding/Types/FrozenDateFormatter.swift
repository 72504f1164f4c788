#if FullFoundation
    public import Foundation

    /// A formatter that keeps its settings and is called by one thread at a time.
    ///
    /// Foundation declares `DateFormatter` as Sendable on every platform: several threads may use a formatter while
    /// nobody changes its settings.
    final class FrozenDateFormatter: Sendable {
        /// A copy of the caller's formatter, so that later changes to the original have no effect. If `copy()` returns
        /// another class, as it does for subclasses in Foundation on Linux, the caller's formatter itself.
        private let formatter: DateFormatter
        /// Serializes the calls, because a subclass may have mutable state.
        private let lock = Lock()

        init(_ formatter: DateFormatter) {
            guard let copy = formatter.copy() as? DateFormatter, type(of: copy) == type(of: formatter) else {
                self.formatter = formatter
                return
            }
            self.formatter = copy
        }

        func string(from date: Date) -> String {
            lock.withLock { formatter.string(from: date) }
        }
    }

    extension FormDataEncoder.DateEncoding {
        /// The text that a formatter makes, such as a date without a time.
        ///
        /// A date that is not finite, or for which the formatter returns an empty text, is an error.
        ///
        /// - Parameter formatter: The formatter, which is copied. An instance of a subclass whose `copy()` returns
        ///   another class, as with Foundation on Linux, is not copied: do not change it afterwards.
        /// - Returns: The encoding.
        public static func formatted(_ formatter: DateFormatter) -> Self {
            let formatter = FrozenDateFormatter(formatter)
            return .custom { date in
                guard date.timeIntervalSinceReferenceDate.isFinite else {
                    throw CodingReason(CodingCode.nonFiniteNumber)
                }
                let text = formatter.string(from: date)
                guard !text.isEmpty else { throw CodingReason(CodingCode.unencodable) }
                return text
            }
        }
    }
#endif
