/// The value of a multipart message's boundary parameter (RFC 2046 §5.1.1).
///
/// A delimiter is CRLF, two hyphens and the boundary. A boundary made by ``random()`` is practically certain not to
/// occur in any content; one chosen by the caller is checked against the content as it is encoded.
public struct Boundary: Sendable {
    /// The boundary's bytes, without the hyphens of a delimiter.
    package let bytes: [UInt8]

    /// Whether the boundary came from the system's cryptographic generator.
    let isUnpredictable: Bool

    /// Parses a boundary on its own, such as a parameter that a framework has parsed, or a stored boundary.
    ///
    /// Strict mode accepts 1–70 `bchars`, the last not a space. Lenient mode, meant for what a peer sent, accepts 1–256
    /// bytes of UTF-8 without control characters, and removes trailing white space, as RFC 2046 §5.1.1 requires.
    ///
    /// - Parameters:
    ///   - text: The boundary.
    ///   - mode: How strictly to parse it; strictly by default, as a form with another boundary cannot be encoded.
    /// - Throws: `invalid-boundary`.
    public init(parsing text: String, mode: ParsingMode = .strict) throws {
        try self.init(validating: text.utf8, mode: mode)
    }

    init(validating text: some Collection<UInt8>, mode: ParsingMode) throws(MultipartError) {
        var bytes = Array(text)
        if mode == .lenient {
            while let last = bytes.last, ASCII.isWhitespace(last) { bytes.removeLast() }
        }
        self.init(bytes, isUnpredictable: false)
        if let fact = flaw(mode) { throw MultipartError(.invalidBoundary, fact, offset: 0) }
    }

    private init(_ bytes: [UInt8], isUnpredictable: Bool) {
        self.bytes = bytes
        self.isUnpredictable = isUnpredictable
    }

    /// A new boundary: 16 hyphens, and 24 letters and digits with about 143 bits from the system's secure generator.
    ///
    /// It needs no quotes in a Content-Type field. A form has one from the start: assign another one only to renew it.
    public static func random() -> Boundary {
        var generator = SystemRandomNumberGenerator()
        return Boundary(random(using: &generator).bytes, isUnpredictable: true)
    }

    /// A boundary of the same shape from another generator, which the encoder checks against the content.
    ///
    /// Every boundary is equally likely if the generator is uniform, which is called at most 67 times. A bad one is
    /// enough, even one that repeats a number: it gives a boundary that others can guess, such as one of equal letters.
    package static func random(using generator: inout some RandomNumberGenerator) -> Boundary {
        let alphabet: [UInt8] = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
        var bytes = [UInt8](repeating: ASCII.hyphen, count: 16)
        // Six bits a letter, so that the system is called three times and not 24; two of the 64 values have none.
        var draws = 0
        while bytes.count < 40 {
            var bits: UInt64 = generator.next()
            draws += 1
            for _ in 0..<10 where bytes.count < 40 {
                let value = Int(truncatingIfNeeded: bits & 63)
                bits >>= 6
                // A uniform generator needs that many draws once in 10 to the 800th; another one might never return a letter.
                if value < alphabet.count || draws > 64 { bytes.append(alphabet[value % alphabet.count]) }
            }
        }
        return Boundary(bytes, isUnpredictable: false)
    }

    /// Why the boundary cannot be used, in words; nil if it can. In strict mode it is judged as one to send: 1–70
    /// `bchars`, the last not a space (RFC 2046 §5.1.1).
    func flaw(_ mode: ParsingMode) -> String? {
        let longest = mode == .strict ? 70 : 256
        guard !bytes.isEmpty else { return "boundary is empty" }
        guard bytes.count <= longest else { return "boundary has \(bytes.count) bytes, more than \(longest)" }
        guard mode == .lenient || bytes.last != ASCII.space else { return "boundary ends with a space" }
        let isAllowed = mode == .strict ? ASCII.isBoundaryCharacter : { $0 >= ASCII.space && $0 != ASCII.delete }
        guard let index = bytes.firstIndex(where: { !isAllowed($0) }) else { return nil }
        return "boundary has a forbidden character, \(bytes[index].printable)"
    }

    /// The bytes of the delimiter without its line break: two hyphens and the boundary.
    package var dashBoundary: [UInt8] { [ASCII.hyphen, ASCII.hyphen] + bytes }
}

extension Boundary: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Creates a boundary to send from a literal, such as a fixed one for a test.
    ///
    /// - Precondition: The text is 1–70 `bchars`, the last not a space (RFC 2046 §5.1.1).
    /// - Parameter value: The boundary's text; always a literal, never a variable.
    public init(stringLiteral value: StaticString) {
        self.init(Array(value.description.utf8), isUnpredictable: false)
        precondition(flaw(.strict) == nil, "a boundary is 1 to 70 legal characters")
    }

    /// The boundary's text, to be stored for an upload that is resumed after a restart.
    public var description: String {
        String(decoding: bytes, as: UTF8.self)
    }
}

extension Boundary: Hashable {
    /// Whether two boundaries have the same bytes.
    public static func == (left: Boundary, right: Boundary) -> Bool {
        left.bytes == right.bytes
    }

    /// Hashes the boundary's bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytes)
    }
}
