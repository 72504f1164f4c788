/// How the key of a container and the keys in it are joined to names, in both coders; choose by what
/// the peer reads and writes.
public struct FormKeyPathEncoding: Sendable {
    let grammar: NameGrammar

    /// `a[b][c]`, as PHP, Rack and most others read it. Rack reads the index of `a[0][b]` as a key.
    public static let brackets = Self(grammar: NameGrammar(usesDots: false))

    /// `a.b.c`, as Spring and ASP.NET read it. Array elements keep their brackets: `a.b[0].c`.
    public static let dots = Self(grammar: NameGrammar(usesDots: true))
}
