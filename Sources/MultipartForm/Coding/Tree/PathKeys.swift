/// The key of an array's element.
struct IndexKey: CodingKey {
    private let index: Int
    /// The index as it was sent.
    private let digits: String?

    var stringValue: String { digits ?? String(index) }
    var intValue: Int? { index }

    init(_ index: Int) {
        self.index = index
        digits = nil
    }

    /// An index that was sent; `position` replaces a number that does not fit.
    init(digits: String, position: Int) {
        index = Int(digits) ?? position
        self.digits = digits
    }

    init?(stringValue: String) {
        guard let index = Int(stringValue) else { return nil }
        self.init(index)
    }

    init?(intValue: Int) {
        self.init(intValue)
    }
}

/// A key from a name that no type has declared.
///
/// Printing an error prints its path, and with it keys that a peer has chosen: controls of a terminal are escaped.
struct TextKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ text: String, intValue: Int? = nil) {
        stringValue = text.escapingControls
        self.intValue = intValue
    }

    init?(stringValue: String) {
        self.init(stringValue)
    }

    init?(intValue: Int) {
        nil
    }
}

extension String {
    /// The text with an escape for each control character.
    fileprivate var escapingControls: String {
        guard utf8.contains(where: String.mayBeginControl) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            let isControl = scalar.properties.generalCategory == .control
            text += isControl ? scalar.escaped(asASCII: true) : String(scalar)
        }
    }

    /// Whether a byte of UTF-8 is a control, or begins one of those above ASCII. Looking at bytes first takes a fiftieth of
    /// the time.
    private static func mayBeginControl(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || byte == 0xC2
    }
}
