/// How the key of a container and the keys in it are joined to names, in both coders; choose by what
/// the peer reads and writes.
public struct FormKeyPathEncoding: CodingOption {
    let grammar: NameGrammar

    var kind: NameGrammar.Style { grammar.style }

    /// `a[b][c]`, as PHP, Rack and most others read it. Rack reads the index of `a[0][b]` as a key.
    public static let brackets = Self(grammar: NameGrammar(style: .brackets))

    /// `a.b.c`, as Spring and ASP.NET read it. Array elements keep their brackets: `a.b[0].c`.
    public static let dots = Self(grammar: NameGrammar(style: .dots))

    /// Keys are not joined: each value of the root's keys is one part, and one that has keys or elements itself is JSON
    /// text, as Telegram reads it.
    ///
    /// Within it the strategies for keys, dates and data apply that ``FormDataEncoder/configureJSON`` and
    /// ``FormDataDecoder/configureJSON`` set, and it is nested at most 64 deep. Texts, numbers, dates and files of the root
    /// are parts as ever. A file within JSON is an error.
    public static let json = Self(grammar: NameGrammar(style: .json))

    /// Whether values with keys or elements are JSON.
    var isJSON: Bool { grammar.style == .json }

    /// The name of the choice, for a log.
    public var description: String { choice }
}
