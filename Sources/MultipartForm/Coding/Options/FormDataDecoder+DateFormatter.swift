#if FullFoundation
    public import Foundation

    extension FormDataDecoder.DateDecoding {
        /// The date that a formatter reads, for any other text.
        ///
        /// - Parameter formatter: The formatter, which is copied. An instance of a subclass whose `copy()` returns another
        ///   class, as with Foundation on Linux, is not copied: do not change it afterwards.
        /// - Returns: The decoding.
        public static func formatted(_ formatter: DateFormatter) -> Self {
            let formatter = FrozenDateFormatter(formatter)
            return .custom { text in
                guard let date = formatter.date(from: text) else { throw CodingProblem(.invalidValue) }
                return date
            }
        }
    }
#endif
