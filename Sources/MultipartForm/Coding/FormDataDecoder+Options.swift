#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Structs with static members, not enums: later versions may add others.
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

        /// What HTML's inputs send: `2026-11-21` of `date`, and `2026-11-21T19:00` of `datetime-local`, which may have seconds
        /// and a fraction, and a space instead of the `T` (HTML §2.3.5).
        ///
        /// The text decides which of the two it is; a day is its midnight. Of a time that a clock set back shows twice, it is
        /// the first. One that a clock set forward skips moves later by as much: 02:30 becomes 03:30.
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

        /// The date that a closure returns, for texts of several kinds.
        ///
        /// - Parameter decode: Returns the date of a text; what it throws is an issue's
        ///   ``FormDataCodingIssue/underlyingError``.
        /// - Returns: The decoding.
        public static func custom(_ decode: @escaping @Sendable (String) throws -> Date) -> Self {
            Self(kind: .custom(decode))
        }

        /// The name of the choice, for a log.
        public var description: String { choice }
    }

    /// What to do when several parts share a single value's name; choose by what else reads the form.
    public struct Duplicates: CodingOption {
        enum Kind { case reject, first, last }

        let kind: Kind

        /// The error `duplicate-name`: an attacker can exploit two programs that read a form
        /// differently.
        public static let reject = Self(kind: .reject)

        /// Takes the first, if everything in front of you does.
        public static let first = Self(kind: .first)

        /// Takes the last, if everything in front of you does.
        public static let last = Self(kind: .last)

        /// The name of the choice, for a log.
        public var description: String { choice }
    }

    /// Which parts are nil for an optional; choose by what the clients write. A file input without a file is always nil.
    public struct NilDecoding: CodingOption {
        enum Kind { case absence, emptyValue }

        let kind: Kind

        /// No part, for clients that leave out what is nil.
        public static let absence = Self(kind: .absence)

        /// No part, or an empty field as HTML sends it; for `String?` an empty field is an empty string.
        public static let emptyValue = Self(kind: .emptyValue)

        /// The name of the choice, for a log.
        public var description: String { choice }
    }

    /// What to do with parts that the type does not declare; choose by whose clients send the form.
    public struct UnknownNames: CodingOption {
        enum Kind { case ignore, reject }

        let kind: Kind

        /// Ignores them unread, for forms that may have more fields than you need.
        public static let ignore = Self(kind: .ignore)

        /// Throws `unknown-name` after the value has been decoded, for your own clients.
        public static let reject = Self(kind: .reject)

        /// The name of the choice, for a log.
        public var description: String { choice }
    }
}
