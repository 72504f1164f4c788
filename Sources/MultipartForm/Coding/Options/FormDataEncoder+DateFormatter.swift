#if FullFoundation
    public import Foundation

    extension FormDataEncoder.DateEncoding {
        /// The text that a formatter makes, such as a date without a time.
        ///
        /// A date that is not finite, or for which the formatter returns an empty text, is an error.
        ///
        /// - Parameter formatter: The formatter, which is copied. An instance of a subclass whose `copy()` returns another
        ///   class, as with Foundation on Linux, is not copied: do not change it afterwards.
        /// - Returns: The encoding.
        public static func formatted(_ formatter: DateFormatter) -> Self {
            let formatter = FrozenDateFormatter(formatter)
            return .custom { date in
                guard date.timeIntervalSinceReferenceDate.isFinite else { throw CodingProblem(.nonFiniteNumber) }
                let text = formatter.string(from: date)
                guard !text.isEmpty else { throw CodingProblem(.unencodable) }
                return text
            }
        }
    }
#endif
