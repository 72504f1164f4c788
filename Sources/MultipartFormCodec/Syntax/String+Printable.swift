// Makes received text printable, for use in descriptions and errors.
extension String {
    /// Returns the text on one line, cut to `limit` Unicode scalars.
    ///
    /// Escapes each scalar that is not printable. If `escapesQuotes` is true, also escapes each quote and each
    /// backslash.
    func printable(upTo limit: Int, escapesQuotes: Bool = true) -> String {
        // Most texts need no escape, so the bytes are checked first. This takes a tenth of the time of checking
        // scalars. The time matters if a type's `init(from:)` tries several formats, because each failed attempt
        // creates an error with a printable text.
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

    /// Returns the text, cut to `limit` scalars. Escapes each scalar for which `isEscaped` returns true.
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
    /// Whether the scalar may be shown unescaped. Such a scalar is an assigned character that does not control a
    /// terminal, break a line or reverse the reading direction. Private-use characters are always escaped.
    package var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}

extension UInt8 {
    /// The byte as a quoted character if it is printable ASCII; otherwise as a hexadecimal number, such as `0x0A`.
    var printable: String {
        guard ASCII.isControl(self) || self == ASCII.tab || self >= 0x80 else { return "\"\(Unicode.Scalar(self))\"" }
        return "0x\(self < 0x10 ? "0" : "")\(String(self, radix: 16, uppercase: true))"
    }
}
