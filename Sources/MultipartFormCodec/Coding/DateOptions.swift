#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// The date formats of the encoder and the decoder.
extension FormDataEncoder {
    /// The format of a `Date`. Choose the format that the receiver reads.
    public struct DateEncoding: CodingOption {
        enum Kind {
            case iso8601, secondsSince1970, millisecondsSince1970, deferredToDate
            case custom(@Sendable (Date) throws -> String)
        }

        let kind: Kind

        /// `2026-11-21T19:00:00Z`, always in UTC (RFC 3339 §5.6). The encoder drops fractions of a second.
        public static let iso8601 = Self(kind: .iso8601)

        /// The number of seconds since 1970, as in Unix time. A whole number has no decimal point.
        public static let secondsSince1970 = Self(kind: .secondsSince1970)

        /// The number of milliseconds since 1970, as in JavaScript. A whole number has no decimal point.
        public static let millisecondsSince1970 = Self(kind: .millisecondsSince1970)

        /// The number of seconds since 2001, with full precision, for receivers in Swift. `Date` encodes itself as the
        /// same number.
        public static let deferredToDate = Self(kind: .deferredToDate)

        /// Calls a closure to write each date, for any other format.
        ///
        /// - Parameter encode: A closure that returns the text of a date. An error that the closure throws becomes the
        ///   ``MultipartError/underlyingError``.
        /// - Returns: The encoding.
        public static func custom(_ encode: @escaping @Sendable (Date) throws -> String) -> Self {
            Self(kind: .custom(encode))
        }

        /// The name of this choice, such as `.iso8601`, for logs.
        public var description: String { choice }
    }
}

extension FormDataDecoder {
    /// The format of a `Date`. Choose the format that the clients send.
    public struct DateDecoding: CodingOption {
        enum Kind {
            case iso8601, secondsSince1970, millisecondsSince1970, deferredToDate
            case html(TimeZone)
            case custom(@Sendable (String) throws -> Date)
        }

        let kind: Kind

        /// `2026-11-21T19:00:00Z`, with or without a fraction of a second (RFC 3339 §5.6). Instead of the `Z`, the text
        /// may have an offset from UTC, such as `+01:00`.
        public static let iso8601 = Self(kind: .iso8601)

        /// The formats of HTML's date inputs: a day or a local time (HTML §2.3.5).
        ///
        /// The text decides which of these formats the decoder reads:
        /// - `2026-11-21`, from an input of the type `date`. The `Date` is the midnight at the start of the day.
        /// - `2026-11-21T19:00`, from an input of the type `datetime-local`. Seconds may follow, with or without a
        ///   fraction. A space may replace the `T`.
        ///
        /// Clock changes affect local times:
        /// - If clocks are set back, some local times occur twice. The decoder uses the first occurrence.
        /// - If clocks are set forward, some local times are skipped. The decoder moves a skipped time forward by the
        ///   length of the gap: from 02:30 to 03:30 for a gap of one hour.
        ///
        /// - Parameter timeZone: The time zone that the page means. The text contains no time zone.
        /// - Returns: The decoding.
        public static func html(in timeZone: TimeZone) -> Self { Self(kind: .html(timeZone)) }

        /// The number of seconds since 1970, as in Unix time. The text is a decimal number, with or without a fraction.
        public static let secondsSince1970 = Self(kind: .secondsSince1970)

        /// The number of milliseconds since 1970, as in JavaScript. The text is a decimal number, with or without a
        /// fraction.
        public static let millisecondsSince1970 = Self(kind: .millisecondsSince1970)

        /// The number of seconds since 2001, for clients in Swift. `Date` decodes itself from the same number.
        public static let deferredToDate = Self(kind: .deferredToDate)

        /// Calls a closure to read each date, for any other format. The closure may use a `DateFormatter`, for
        /// instance.
        ///
        /// - Parameter decode: A closure that returns the date that a text represents. An error that the closure throws
        ///   becomes the ``MultipartError/underlyingError``.
        /// - Returns: The decoding.
        public static func custom(_ decode: @escaping @Sendable (String) throws -> Date) -> Self {
            Self(kind: .custom(decode))
        }

        /// The name of this choice, such as `.iso8601`, for logs.
        public var description: String { choice }
    }
}
