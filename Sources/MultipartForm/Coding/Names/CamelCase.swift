/// The spelling of keys: `myURLPath` in camel case is `my_url_path` with separators.
///
/// Reads scalars, not characters, because a client's name may have any number of combining marks in one `Character`.
enum CamelCase {
    /// The words of a key in lower case, with separators between them.
    ///
    /// A capital begins a word if no capital precedes it, or if a small letter follows it.
    static func separated(_ key: String, by separator: Unicode.Scalar) -> String {
        var words = SeparatedWords(separator: separator)
        for scalar in key.unicodeScalars {
            words.append(scalar)
        }
        return words.finish()
    }

    /// Joins the separated words of a name to a key in camel case.
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

/// Builds the separated words of a key, scalar by scalar.
private struct SeparatedWords {
    let separator: Unicode.Scalar
    private var result = ""
    private var previous: Unicode.Scalar?
    /// The last capital, in lower case and with its combining marks. It has not been written, because the next letter
    /// decides whether it begins a word.
    private var capital: (isAfterCapital: Bool, text: String)?

    init(separator: Unicode.Scalar) {
        self.separator = separator
    }

    mutating func append(_ scalar: Unicode.Scalar) {
        let small = scalar.properties.lowercaseMapping
        guard scalar.properties.canonicalCombiningClass == .notReordered else {
            appendMark(small)
            return
        }
        endCapital(isBeforeSmall: scalar.properties.isLowercase)
        if scalar.properties.isUppercase, let previous {
            capital = (previous.properties.isUppercase, small)
        } else {
            result += small
        }
        previous = scalar
    }

    private mutating func appendMark(_ mark: String) {
        if capital == nil { result += mark } else { capital?.text += mark }
    }

    /// Writes the last capital, with a separator before it if it begins a word.
    private mutating func endCapital(isBeforeSmall: Bool) {
        guard let capital else { return }
        if !capital.isAfterCapital || isBeforeSmall { result.unicodeScalars.append(separator) }
        result += capital.text
        self.capital = nil
    }

    mutating func finish() -> String {
        endCapital(isBeforeSmall: false)
        return result
    }
}
