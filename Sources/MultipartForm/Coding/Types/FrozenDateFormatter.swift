#if FullFoundation
    public import Foundation

    /// A formatter with the settings it had when it was passed in; one thread uses it at a time.
    ///
    /// The class is Sendable, because Foundation declares `DateFormatter` as Sendable on every platform: several
    /// threads may use a formatter while nobody changes it. So nothing here needs `@unchecked`.
    final class FrozenDateFormatter: Sendable {
        /// A copy, so that later changes of the caller's formatter have no effect here. But if `copy()` returns another
        /// class, as with subclasses in Foundation on Linux, this is the caller's formatter itself; the documentation
        /// says not to change it.
        private let formatter: DateFormatter
        /// Prevents two calls at once, because a subclass may have mutable state. Calls that the caller makes to a
        /// shared formatter do not take this lock.
        private let lock = Lock()

        init(_ formatter: DateFormatter) {
            guard let copy = formatter.copy() as? DateFormatter, type(of: copy) == type(of: formatter) else {
                self.formatter = formatter
                return
            }
            // Foundation's `copy()` on Linux leaves out the default date.
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
