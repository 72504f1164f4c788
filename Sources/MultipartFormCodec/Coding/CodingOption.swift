#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// The protocol that every coding option conforms to, and the options that the encoder and the decoder share.

/// An option of the encoder or the decoder. Its `description` is the name of the chosen value, such as `.brackets`.
protocol CodingOption: CustomStringConvertible, Sendable {
    associatedtype Kind

    var kind: Kind { get }
}

extension CodingOption {
    /// The name of the case of ``kind``, such as `.html`, without the associated values.
    var choice: String { ".\(String(describing: kind).prefix { $0 != "(" })" }
}

/// The spelling of coding keys in the names of parts, for both coders. Choose the spelling that the peer uses.
public struct FormKeyEncoding: CodingOption {
    enum Kind {
        case useDefaultKeys, convertToSnakeCase, convertToKebabCase, capitalized, uppercased, lowercased
        case custom(@Sendable (String) -> String)
    }

    let kind: Kind

    /// `homeURL` stays `homeURL`, the usual spelling in Swift.
    public static let useDefaultKeys = Self(kind: .useDefaultKeys)

    /// `homeURL` becomes `home_url`, the usual spelling in Python and Ruby.
    public static let convertToSnakeCase = Self(kind: .convertToSnakeCase)

    /// `homeURL` becomes `home-url`, the usual spelling in HTML and CSS.
    public static let convertToKebabCase = Self(kind: .convertToKebabCase)

    /// `homeURL` becomes `HomeURL`, the usual spelling in C# and Go.
    public static let capitalized = Self(kind: .capitalized)

    /// `homeURL` becomes `HOMEURL`, for peers that use uppercase names.
    public static let uppercased = Self(kind: .uppercased)

    /// `homeURL` becomes `homeurl`, for peers that use lowercase names.
    public static let lowercased = Self(kind: .lowercased)

    /// Calls a closure to name each key, for any other spelling.
    ///
    /// - Parameter encode: A closure that returns the name of a key. It must always return the same name for the same
    ///   key.
    /// - Returns: The encoding.
    public static func custom(_ encode: @escaping @Sendable (String) -> String) -> Self {
        Self(kind: .custom(encode))
    }

    func name(of key: String) -> String {
        switch kind {
        case .useDefaultKeys: key
        case .convertToSnakeCase: CamelCase.separated(key, by: "_")
        case .convertToKebabCase: CamelCase.separated(key, by: "-")
        case .capitalized: CamelCase.capitalized(key)
        case .uppercased: key.uppercased()
        case .lowercased: key.lowercased()
        case .custom(let encode): encode(key)
        }
    }

    /// Returns a key's spelling in a name. The key is from the coding path of an error. Returns nil for the index of an
    /// array element, which has no spelling.
    ///
    /// A key is such an index if it is an ``IndexKey``, or if it is an index of the standard library, with a text such
    /// as `Index 0`.
    func spelling(of key: any CodingKey) -> String? {
        let isIndex = key is IndexKey || key.intValue.map { key.stringValue == "Index \($0)" } == true
        return isIndex ? nil : name(of: key.stringValue)
    }

    /// Returns the text of a coding key whose spelling may be `name`. With ``convertToSnakeCase``, for instance, the
    /// key of the name `home_url` may be `homeUrl`.
    ///
    /// Returns nil if the key cannot be derived from the name, as with ``lowercased``. The caller first tries the key
    /// whose text is the name itself.
    func otherKey(of name: String) -> String? {
        switch kind {
        case .convertToSnakeCase: CamelCase.joined(name, at: "_")
        case .convertToKebabCase: CamelCase.joined(name, at: "-")
        case .capitalized: CamelCase.uncapitalized(name)
        case .uppercased: name.lowercased()
        case .useDefaultKeys, .lowercased, .custom: nil
        }
    }

    /// The name of this choice, such as `.lowercased`, for logs.
    public var description: String { choice }
}

/// The style in which nested keys are joined to the name of a part, for both coders. Choose the style that the peer
/// uses.
public struct FormKeyPathEncoding: CodingOption, Equatable {
    let grammar: NameGrammar

    var kind: NameGrammar.Style { grammar.style }

    /// `a[b][c]`, which PHP, Rack and most other receivers read. Rack reads the `0` of `a[0][b]` as a key, not as an
    /// index.
    public static let brackets = Self(grammar: NameGrammar(style: .brackets))

    /// `a.b.c`, which Spring and ASP.NET read. Array indices keep their brackets, as in `a.b[0].c`.
    public static let dots = Self(grammar: NameGrammar(style: .dots))

    /// JSON instead of nested keys: the property `size` becomes a field `size` with the text `{"width":2}`.
    ///
    /// The type of each property decides what the property becomes:
    /// - A text, a number, a date, a file, or any other value that makes its own part, becomes one part, as with the
    ///   other styles.
    /// - An array of files, or of other types that make their own parts, becomes one part for each element.
    /// - Any other value becomes a field with JSON, as Telegram's API expects.
    ///
    /// To configure the `JSONEncoder` and the `JSONDecoder`, set ``FormDataEncoder/configureJSON`` and
    /// ``FormDataDecoder/configureJSON``. The decoder accepts JSON that is nested at most 64 levels deep. A file within
    /// JSON is an error.
    public static let json = Self(grammar: NameGrammar(style: .json))

    var isJSON: Bool { grammar.style == .json }

    /// The name of this choice, such as `.brackets`, for logs.
    public var description: String { choice }
}

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
