/// Converts keys between camel case and words with separators, such as `myURLPath` and `my_url_path`.
///
/// All functions read Unicode scalars, not `Character`s. A letter and its combining marks may be separate scalars, so
/// `separated` ignores the marks when it looks for the letters before and after a letter.
enum CamelCase {
    /// Returns the words of a key in lowercase, with separators between the words.
    ///
    /// An uppercase letter begins a word if the letter before it is not uppercase, or if the letter after it is
    /// lowercase.
    static func separated(_ key: String, by separator: Unicode.Scalar) -> String {
        let scalars = Array(key.unicodeScalars)
        var result: ContiguousArray<UInt8> = []
        result.reserveCapacity(2 * key.utf8.count)
        var previous: Unicode.Scalar?
        for (index, scalar) in scalars.enumerated() {
            if let previous, scalar.isCapital {
                let next = scalars[(index + 1)...].first { !$0.isMark }
                let beginsWord = !previous.isCapital || next?.isSmall == true
                if beginsWord { result.append(contentsOf: separator.utf8) }
            }
            scalar.appendLowercased(to: &result)
            if !scalar.isMark { previous = scalar }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Converts a name with separators to camel case, such as `my_url_path` to `myUrlPath`.
    static func joined(_ name: String, at separator: Unicode.Scalar) -> String {
        let words = name.unicodeScalars.split(separator: separator).map { String($0) }
        return words.prefix(1).joined() + words.dropFirst().map(capitalized).joined()
    }

    static func capitalized(_ text: String) -> String {
        changingFirst(of: text) { $0.properties.uppercaseMapping }
    }

    static func uncapitalized(_ text: String) -> String {
        changingFirst(of: text) { $0.properties.lowercaseMapping }
    }

    private static func changingFirst(of text: String, _ change: (Unicode.Scalar) -> String) -> String {
        guard let first = text.unicodeScalars.first else { return text }
        return change(first) + String(text.unicodeScalars.dropFirst())
    }
}

// Properties of scalars. ASCII has a fast path, because Unicode's tables are slow. A type may try several shapes, and
// each attempt converts every key again.
extension Unicode.Scalar {
    fileprivate var isCapital: Bool { isASCII ? "A"..."Z" ~= self : properties.isUppercase && !isMark }

    fileprivate var isSmall: Bool { isASCII ? "a"..."z" ~= self : properties.isLowercase }

    /// Whether the scalar is a combining mark, such as an accent, of the letter before it.
    fileprivate var isMark: Bool { !isASCII && properties.canonicalCombiningClass != .notReordered }

    fileprivate func appendLowercased(to text: inout ContiguousArray<UInt8>) {
        if isASCII {
            text.append(ASCII.lowercased(UInt8(value)))
        } else {
            text.append(contentsOf: properties.lowercaseMapping.utf8)
        }
    }
}
