extension HeaderFields {
    /// Whether a Content-Disposition, if there is one, says what the encoder can write: `form-data`, a name, a file name,
    /// and nothing else.
    var hasFormDisposition: Bool {
        guard let value = bytes(for: "Content-Disposition") else { return true }
        let range = ASCII.trimmingWhitespace(value.span, value.indices)
        let bytes = value.span.extracting(..<range.upperBound)
        let type = Parameters.token(in: bytes, from: range.lowerBound)
        guard ASCII.matches(bytes, type, "form-data") else { return false }
        // As a disposition is read: a backslash is an escape, unless that cannot be read.
        if let reading = Self.hasFormParameters(bytes, from: type.upperBound, escapes: true) { return reading }
        return Self.hasFormParameters(bytes, from: type.upperBound, escapes: false) ?? false
    }

    /// Whether no parameter but a name and a file name is there; nil if they cannot be read.
    private static func hasFormParameters(_ bytes: Span<UInt8>, from start: Int, escapes: Bool) -> Bool? {
        var parameters = Parameters(
            Parameters.Dialect(mode: .lenient, allowsEmptyParameter: false, escapesWithBackslash: escapes),
            from: start
        )
        var areKnown = true
        do throws(Parameters.Malformed) {
            while let parameter = try parameters.next(in: bytes) {
                let isKnown =
                    ASCII.matches(bytes, parameter.name, "name") || ASCII.matches(bytes, parameter.name, "filename")
                areKnown = areKnown && isKnown
            }
        } catch {
            return nil
        }
        return areKnown
    }
}
