#if FullFoundation
    public import Foundation

    /// A date formatter that several threads may use. Its settings do not change, and a lock serializes the calls.
    final class FrozenDateFormatter: Sendable {
        /// A copy of the caller's formatter, so that later changes to the original have no effect.
        ///
        /// If `copy()` returns an instance of another class, the property holds the original instead. On Linux, this is
        /// the case for subclasses of `DateFormatter`.
        private let formatter: DateFormatter
        /// Serializes the calls of the formatter, because a subclass of `DateFormatter` may have mutable state.
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
        /// Calls a `DateFormatter` to write each date, for instance as a day without a time.
        ///
        /// The encoder throws if a date is not finite, or if the formatter returns an empty text.
        ///
        /// - Parameter formatter: The formatter. The encoding uses a copy, so you may change the original later. If
        ///   `copy()` returns an instance of another class, the encoding uses the original, and you must not change the
        ///   original. On Linux, this is the case for subclasses of `DateFormatter`.
        /// - Returns: The encoding.
        public static func formatted(_ formatter: DateFormatter) -> Self {
            let formatter = FrozenDateFormatter(formatter)
            return .custom { date in
                guard date.timeIntervalSinceReferenceDate.isFinite else {
                    throw CodingReason(ErrorCode.nonFiniteNumber)
                }
                let text = formatter.string(from: date)
                guard !text.isEmpty else { throw CodingReason(ErrorCode.unencodable) }
                return text
            }
        }
    }
#endif
