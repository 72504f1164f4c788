// The options that both coders have, and what all options have in common.

/// An option of a coder, which prints as the name of its choice: `.brackets`.
protocol CodingOption: CustomStringConvertible, Sendable {
    associatedtype Kind

    var kind: Kind { get }
}

extension CodingOption {
    /// The name of the choice, without the closure or the parameters that it may have.
    var choice: String { ".\(String(describing: kind).prefix { $0 != "(" })" }
}

/// How coding keys become names, in both coders; choose by how the peer spells them.
public struct FormKeyEncoding: CodingOption {
    enum Kind {
        case useDefaultKeys, convertToSnakeCase, convertToKebabCase, capitalized, uppercased, lowercased
        case custom(@Sendable (String) -> String)
    }

    let kind: Kind

    /// The keys unchanged, for receivers that spell names as Swift does.
    public static let useDefaultKeys = Self(kind: .useDefaultKeys)

    /// `homeURL` becomes `home_url`, as names are spelt in Python and Ruby.
    public static let convertToSnakeCase = Self(kind: .convertToSnakeCase)

    /// `homeURL` becomes `home-url`, as names are spelt in HTML and CSS.
    public static let convertToKebabCase = Self(kind: .convertToKebabCase)

    /// `homeURL` becomes `HomeURL`, as names are spelt in C# and Go.
    public static let capitalized = Self(kind: .capitalized)

    /// `homeURL` becomes `HOMEURL`, for receivers with names in capitals.
    public static let uppercased = Self(kind: .uppercased)

    /// `homeURL` becomes `homeurl`, for receivers with names in small letters.
    public static let lowercased = Self(kind: .lowercased)

    /// The names that a closure returns, for any other spelling.
    ///
    /// - Parameter encode: Returns the name of a key; the same key must always have the same name.
    /// - Returns: The encoding.
    public static func custom(_ encode: @escaping @Sendable (String) -> String) -> Self {
        Self(kind: .custom(encode))
    }

    /// The name of a key.
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

    /// The keys from which a name may be made, the likeliest first.
    func keys(of name: String) -> [String] {
        switch kind {
        case .useDefaultKeys: [name]
        case .convertToSnakeCase: [name, CamelCase.joined(name, at: "_")]
        case .convertToKebabCase: [name, CamelCase.joined(name, at: "-")]
        case .capitalized: [name, CamelCase.uncapitalized(name)]
        case .uppercased: [name, name.lowercased()]
        case .lowercased, .custom: [name]
        }
    }

    /// The name of the choice, for a log.
    public var description: String { choice }
}

/// How the key of a container and the keys in it are joined to names, in both coders; choose by what the peer reads and
/// writes.
public struct FormKeyPathEncoding: CodingOption, Equatable {
    let grammar: NameGrammar

    var kind: NameGrammar.Style { grammar.style }

    /// `a[b][c]`, as PHP, Rack and most others read it. Rack reads the index of `a[0][b]` as a key.
    public static let brackets = Self(grammar: NameGrammar(style: .brackets))

    /// `a.b.c`, as Spring and ASP.NET read it. Array elements keep their brackets: `a.b[0].c`.
    public static let dots = Self(grammar: NameGrammar(style: .dots))

    /// Keys are not joined: the value of each key of the root is one part. A value with keys or elements is JSON text,
    /// as Telegram reads it; texts, numbers, dates and files are parts as with the other choices.
    ///
    /// ``FormDataEncoder/configureJSON`` and ``FormDataDecoder/configureJSON`` set the JSON's strategies for keys,
    /// dates and data. The JSON may be nested 64 deep. A file within JSON is an error.
    public static let json = Self(grammar: NameGrammar(style: .json))

    /// Whether values with keys or elements are JSON.
    var isJSON: Bool { grammar.style == .json }

    /// The name of the choice, for a log.
    public var description: String { choice }
}
