/// Converts keys between camel case and words with separators, such as `myURLPath` and `my_url_path`.
///
/// All functions read Unicode scalars, not `Character`s. A letter and its combining marks may be separate scalars.
enum CamelCase {
    /// Returns the words of a key in lowercase, with separators between the words.
    ///
    /// An uppercase letter begins a word if the character before it is not uppercase, or if the character after it is
    /// lowercase.
    static func separated(_ key: String, by separator: Unicode.Scalar) -> String {
        if let separator = UInt8(exactly: separator.value), let text = separatedASCII(key, by: separator) {
            return text
        }
        var words = SeparatedWords(separator: separator)
        for scalar in key.unicodeScalars {
            words.append(scalar)
        }
        return words.finish()
    }

    /// Does the same for ASCII; returns nil for a key with other characters. Five times as fast, which matters to types
    /// that read any key: each key is converted for each of their attempts.
    private static func separatedASCII(_ key: String, by separator: UInt8) -> String? {
        let bytes = ContiguousArray(key.utf8)
        var result: ContiguousArray<UInt8> = []
        result.reserveCapacity(2 * bytes.count)
        for (index, byte) in bytes.enumerated() {
            guard byte < 0x80 else { return nil }
            if isCapital(byte), index > 0 {
                let isBeforeSmall = index + 1 < bytes.count && isSmall(bytes[index + 1])
                if !isCapital(bytes[index - 1]) || isBeforeSmall { result.append(separator) }
            }
            result.append(ASCII.lowercased(byte))
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isCapital(_ byte: UInt8) -> Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte }

    private static func isSmall(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte }

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

/// Converts a key in camel case to words with separators, one scalar at a time.
private struct SeparatedWords {
    let separator: Unicode.Scalar
    private var result = ""
    private var previous: Unicode.Scalar?
    /// An uppercase letter that is not in `result` yet, because the next letter decides whether a separator precedes
    /// it. `text` is the letter in lowercase, with its combining marks.
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

    /// Appends `capital` to `result`, after a separator if `capital` begins a word.
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
