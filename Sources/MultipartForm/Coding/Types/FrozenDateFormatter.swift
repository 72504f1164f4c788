#if FullFoundation
    public import Foundation

    /// A formatter with the settings it had when it was passed in; one thread uses it at a time.
    ///
    /// Sendable, since Foundation declares `DateFormatter` so on every platform: it may be used by several threads
    /// while nobody changes it. The compiler checks that, so nothing here is `@unchecked`.
    final class FrozenDateFormatter: Sendable {
        /// A copy, which nobody else has: later changes of the caller's formatter do not reach it. If `copy()` returns
        /// another class, as with subclasses in Foundation on Linux, it is the caller's formatter itself, which the
        /// documentation forbids to change.
        private let formatter: DateFormatter
        /// Excludes two calls at once, since a subclass may have mutable state of its own. Calls that the caller makes
        /// to a shared formatter do not take this lock.
        private let lock = Lock()

        init(_ formatter: DateFormatter) {
            guard let copy = formatter.copy() as? DateFormatter, type(of: copy) == type(of: formatter) else {
                self.formatter = formatter
                return
            }
            // Foundation on Linux does not copy it.
            copy.defaultDate = formatter.defaultDate
            self.formatter = copy
        }

        func string(from date: Date) -> String {
            lock.withLock { formatter.string(from: date) }
        }

        func date(from text: String) -> Date? {
            lock.withLock { formatter.date(from: text) }
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

    extension FormDataDecoder.DateDecoding {
        /// The date that a formatter reads, for any other text.
        ///
        /// - Parameter formatter: The formatter, which is copied. An instance of a subclass whose `copy()` returns
        ///   another class, as with Foundation on Linux, is not copied: do not change it afterwards.
        /// - Returns: The decoding.
        public static func formatted(_ formatter: DateFormatter) -> Self {
            let formatter = FrozenDateFormatter(formatter)
            return .custom { text in
                guard let date = formatter.date(from: text) else { throw CodingReason(.invalidValue) }
                return date
            }
        }
    }
#endif
