// Makes received text printable, so that errors can quote it.
extension String {
    /// The text on one line, cut to `limit` characters. Escapes characters that a terminal may obey and, if
    /// `escapesQuotes`, quotes and backslashes.
    func printable(upTo limit: Int, escapesQuotes: Bool = true) -> String {
        // Most texts have nothing to escape, and checking bytes takes a tenth of the time of scalars. The time matters
        // when a type tries to decode several shapes: a decoder makes an error for each that fails.
        let start = utf8.prefix(limit)
        let isPlain = start.allSatisfy { byte in
            byte >= ASCII.space && byte < ASCII.delete
                && !(escapesQuotes && (byte == ASCII.quote || byte == ASCII.backslash))
        }
        guard !isPlain else { return String(Substring(start)) }
        return escaping(upTo: limit) { scalar in
            !scalar.isPrintable || escapesQuotes && (scalar == "\"" || scalar == "\\")
        }
    }

    /// The text with an escape for each scalar for which `isEscaped` is true, cut to `limit` scalars.
    func escaping(upTo limit: Int = .max, _ isEscaped: (Unicode.Scalar) -> Bool) -> String {
        var result = ""
        var count = 0
        for scalar in unicodeScalars {
            let piece = isEscaped(scalar) ? scalar.escaped(asASCII: true) : String(scalar)
            count += piece.unicodeScalars.count
            guard count <= limit else { break }
            result += piece
        }
        return result
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is shown as itself: no terminal obeys it, and it neither breaks nor reverses a line.
    package var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}

extension UInt8 {
    /// The byte in quotes, or as a hexadecimal number if it is not a printable character of ASCII.
    var printable: String {
        guard ASCII.isControl(self) || self == ASCII.tab || self >= 0x80 else { return "\"\(Unicode.Scalar(self))\"" }
        return "0x\(self < 0x10 ? "0" : "")\(String(self, radix: 16, uppercase: true))"
    }
}
