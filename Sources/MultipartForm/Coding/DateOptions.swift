#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// How dates are written and read: the choices of both coders.
extension FormDataEncoder {
    /// How a `Date` is written; choose by what the receiver reads.
    public struct DateEncoding: CodingOption {
        enum Kind {
            case iso8601, secondsSince1970, millisecondsSince1970, deferredToDate
            case custom(@Sendable (Date) throws -> String)
        }

        let kind: Kind

        /// `2026-11-21T19:00:00Z`, without a fraction of a second (RFC 3339 §5.6).
        public static let iso8601 = Self(kind: .iso8601)

        /// The seconds since 1970, as Unix counts: an integer if they are whole, else a decimal number.
        public static let secondsSince1970 = Self(kind: .secondsSince1970)

        /// The milliseconds since 1970, as JavaScript counts: an integer if they are whole, else a decimal number.
        public static let millisecondsSince1970 = Self(kind: .millisecondsSince1970)

        /// The seconds since 2001, which `Date` encodes by itself, exactly, for receivers in Swift.
        public static let deferredToDate = Self(kind: .deferredToDate)

        /// The text that a closure returns, for any other text.
        ///
        /// - Parameter encode: Returns the text of a date. An error that it throws becomes the
        ///   ``FormDataCodingIssue/underlyingError``.
        /// - Returns: The encoding.
        public static func custom(_ encode: @escaping @Sendable (Date) throws -> String) -> Self {
            Self(kind: .custom(encode))
        }

        /// The name of the choice, for a log.
        public var description: String { choice }
    }
}

extension FormDataDecoder {
    /// How a `Date` is read; choose by what the clients write.
    public struct DateDecoding: CodingOption {
        enum Kind {
            case iso8601, secondsSince1970, millisecondsSince1970, deferredToDate
            case html(TimeZone)
            case custom(@Sendable (String) throws -> Date)
        }

        let kind: Kind

        /// `2026-11-21T19:00:00Z`, with or without a fraction of a second, in UTC or with an offset (RFC 3339 §5.6).
        public static let iso8601 = Self(kind: .iso8601)

        /// What HTML's inputs send: `2026-11-21` of `date`, and `2026-11-21T19:00` of `datetime-local`, which may have
        /// seconds and a fraction, and a space instead of the `T` (HTML §2.3.5).
        ///
        /// The text decides which of the two forms is read. A day is read as its midnight. A time that occurs twice,
        /// when clocks are set back, is read as the first. A time that is skipped, when clocks are set forward, moves
        /// later by as much: 02:30 becomes 03:30.
        ///
        /// - Parameter timeZone: The time zone that the page means, since the text has none.
        /// - Returns: The decoding.
        public static func html(in timeZone: TimeZone) -> Self { Self(kind: .html(timeZone)) }

        /// The seconds since 1970, as a decimal number, as Unix counts.
        public static let secondsSince1970 = Self(kind: .secondsSince1970)

        /// The milliseconds since 1970, as a decimal number, as JavaScript counts.
        public static let millisecondsSince1970 = Self(kind: .millisecondsSince1970)

        /// The seconds since 2001, which `Date` decodes by itself, for clients in Swift.
        public static let deferredToDate = Self(kind: .deferredToDate)

        /// The date that a closure returns, such as one that a `DateFormatter` reads.
        ///
        /// - Parameter decode: Returns the date of a text. An error that it throws becomes the
        ///   ``FormDataCodingIssue/underlyingError``.
        /// - Returns: The decoding.
        public static func custom(_ decode: @escaping @Sendable (String) throws -> Date) -> Self {
            Self(kind: .custom(decode))
        }

        /// The name of the choice, for a log.
        public var description: String { choice }
    }
}
