import MultipartFormCodec

/// Recognizes a form that a program has printed as text, with escapes such as `\r\n` in place of its line breaks.
///
/// An escape right before a header field, as in `--b\r\nContent-Disposition`, shows that the form was printed. But such
/// text may also be the content of a part of an ordinary form. So if the input begins with two hyphens, the escape must
/// be in the first line.
enum PrintedMessage {
    /// Returns a description with a remedy; nil if no header field follows the escape of a line break.
    static func words(for bytes: ArraySlice<UInt8>) -> String? {
        let text = Array(String(decoding: bytes, as: UTF8.self).lowercased().utf8)[...]
        let firstLine = text.prefix { $0 != UInt8(ascii: "\n") }
        let escape = lineBreaks.first { escape, _ in
            let header = Array("\(escape)content-".utf8)
            let starts = text.starts(with: "--".utf8) ? firstLine.indices : text.indices
            return starts.contains { text[$0] == header[0] && text[$0...].starts(with: header) }
        }
        guard let escape else { return nil }
        return quotes.first { text.starts(with: $0.start.utf8) && hasText($0.escape, text) }?.words ?? escape.words
    }

    /// The spellings of a line break, in lower case.
    private static let lineBreaks: [(escape: String, words: String)] = [
        (#"\r\n"#, #"text with \r\n in place of line breaks: write CR and LF, in many languages with double quotes"#),
        (
            #"\x0d\x0a"#,
            #"text with \x0D\x0A in place of line breaks, as nginx logs them: undo it, as with printf %b of bash"#
        ),
        (#"\015\012"#, #"text with \015\012 in place of line breaks: undo it, as with printf %b of bash"#),
        (#"\u000d\u000a"#, "text with escapes as in JSON: decode it, as with jq -j"),
        (#"\n"#, #"text with \n in place of line breaks: write the bytes themselves to a file"#),
        ("%0d%0a", "percent-encoded: send the bytes themselves"),
        ("^m$\n", "what cat -v prints: copy the bytes themselves"),
        ("^m\n", "what cat -v prints: copy the bytes themselves"),
    ]

    /// The quotes before a printed text. If several programs use the same quotes, `escape` tells the programs apart:
    /// for instance, only Go prints `\x` in double quotes.
    private static let quotes: [(start: String, escape: String, words: String)] = [
        ("b'", "", "a byte string that Python printed: undo it, as with ast.literal_eval"),
        ("b\"", "", "a byte string that Python printed: undo it, as with ast.literal_eval"),
        ("\"", #"\x"#, "a string that Go's %q printed: undo it, as with strconv.Unquote"),
        ("\"", "", "a JSON string: decode it, as with jq -j"),
    ]

    private static func hasText(_ text: String, _ bytes: ArraySlice<UInt8>) -> Bool {
        text.isEmpty || bytes.indices.contains { bytes[$0...].starts(with: text.utf8) }
    }
}
