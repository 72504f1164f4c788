#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Structs with static members, not enums: later versions may add others.
extension FormDataDecoder {
    /// Which indices an array's elements may have; choose by whether a form may leave elements out.
    public struct ArrayIndices: Sendable {
        let allowsGaps: Bool

        /// 0, 1 and so on without a gap, so that a lost element is an error.
        public static let contiguous = Self(allowsGaps: false)

        /// Any indices, which determine the order, for pages on which elements can be removed.
        public static let compacted = Self(allowsGaps: true)
    }

    /// Which texts are a `Bool`, in any letter case; choose by what the clients write.
    public struct BoolDecoding: Sendable {
        let words: [(text: StaticString, value: Bool)]

        /// `true`, `on`, `yes`, `1`, `false`, `off`, `no` and `0`: for clients of any kind.
        public static let form = Self(
            words: [
                ("true", true), ("false", false), ("on", true), ("off", false), ("yes", true), ("no", false),
                ("1", true), ("0", false),
            ]
        )

        /// `true` and `false`, for clients that write nothing else.
        public static let literal = Self(words: [("true", true), ("false", false)])

        /// `1` and `0`, for clients that write nothing else.
        public static let numeric = Self(words: [("1", true), ("0", false)])
    }

    /// How `Data` is read; choose by how the clients send bytes.
    public struct DataDecoding: Sendable {
        enum Kind {
            case contents, base64
            case custom(@Sendable (String) throws -> Data)
        }

        let kind: Kind

        /// The content of the part, a field or a file, as most clients send bytes.
        public static let contents = Self(kind: .contents)

        /// The content decoded from Base64 (RFC 4648 §4), for clients that send text only.
        public static let base64 = Self(kind: .base64)

        /// The bytes that a closure returns, for any other text.
        ///
        /// - Parameter decode: Returns the bytes of a text; what it throws is an issue's
        ///   ``FormDataCodingIssue/underlyingError``.
        /// - Returns: The decoding.
        public static func custom(_ decode: @escaping @Sendable (String) throws -> Data) -> Self {
            Self(kind: .custom(decode))
        }
    }

    /// How a `Date` is read; choose by what the clients write.
    public struct DateDecoding: Sendable {
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
    }

    /// What to do when several parts share a single value's name; choose by what else reads the form.
    public struct Duplicates: Sendable {
        enum Kind { case reject, first, last }

        let kind: Kind

        /// The error `duplicate-name`: an attacker can exploit two programs that read a form
        /// differently.
        public static let reject = Self(kind: .reject)

        /// Takes the first, if everything in front of you does.
        public static let first = Self(kind: .first)

        /// Takes the last, if everything in front of you does.
        public static let last = Self(kind: .last)
    }

    /// What to do with the elements of an array that are empty fields; choose by what the clients write.
    public struct EmptyElements: Sendable {
        let areDropped: Bool

        /// They are elements like others: an empty `String`, nil, or an error.
        public static let keep = Self(areDropped: false)

        /// Leaves them out, such as the hidden `ids[]=` with which Rails sends a list of checkboxes, so that it is not
        /// missing if none is checked. Their indices count.
        public static let drop = Self(areDropped: true)
    }

    /// Which parts are nil for an optional; choose by what the clients write. A file input without a file is always nil.
    public struct NilDecoding: Sendable {
        let takesEmptyValue: Bool
        let takesNull: Bool

        /// No part, for clients that leave out what is nil.
        public static let absence = Self(takesEmptyValue: false, takesNull: false)

        /// No part, or an empty field as HTML sends it; for `String?` an empty field is an empty string.
        public static let emptyValue = Self(takesEmptyValue: true, takesNull: false)

        /// Like ``emptyValue``, and a field with the text `null` as JavaScript writes it, for `String?` too.
        public static let null = Self(takesEmptyValue: true, takesNull: true)
    }

    /// What to do with parts that the type does not declare; choose by whose clients send the form.
    public struct UnknownNames: Sendable {
        let areErrors: Bool

        /// Ignores them unread, for forms that may have more fields than you need.
        public static let ignore = Self(areErrors: false)

        /// Throws `unknown-name` after the value has been decoded, for your own clients.
        public static let reject = Self(areErrors: true)
    }
}
