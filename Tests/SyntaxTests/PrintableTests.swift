import MultipartFormCodec
import Testing

/// Received text as it is shown: in an error at most 64 characters between quotes, in a log a line for each field.
@Suite struct PrintableTests {
    private func quoted(_ name: String) -> String {
        let error = MultipartError(.partRejected, offset: 0, partIndex: 0, partName: name)
        return String(
            error.description.dropFirst("part 0 \"".count).dropLast("\": part was rejected (at offset 0)".count)
        )
    }

    private func logged(_ value: String) -> String {
        HeaderFields([HeaderField(name: "X", value: value)]).description
    }

    @Test func `what a terminal may obey is escaped`() {
        let rows: [(String, String)] = [
            ("\0", #"\0"#), ("\t", #"\t"#), ("\n", #"\n"#), ("\r", #"\r"#), ("\u{1B}", #"\u{1B}"#),
            ("\u{7F}", #"\u{7F}"#), ("\u{9F}", #"\u{009F}"#), ("\u{200B}", #"\u{200B}"#), ("\u{202E}", #"\u{202E}"#),
            ("\u{2028}", #"\u{2028}"#), ("\u{2029}", #"\u{2029}"#), ("\u{E000}", #"\u{E000}"#),
            ("\u{378}", #"\u{0378}"#),
            ("\u{FEFF}", #"\u{FEFF}"#), ("\u{10FFFF}", #"\u{0010FFFF}"#),
        ]
        for (text, shown) in rows {
            #expect(quoted("a\(text)b") == "a\(shown)b")
            #expect(logged("a\(text)b") == "X: a\(shown)b")
        }
    }

    @Test func `other text is shown as it is`() {
        for text in ["", "a b", "'", "%22", "\u{E9}", "e\u{301}", "\u{A0}", "\u{1F600}", "\u{FFFD}", "a\u{FE0F}"] {
            #expect(quoted(text).unicodeScalars.elementsEqual(text.unicodeScalars))
            #expect(logged(text).unicodeScalars.elementsEqual("X: \(text)".unicodeScalars))
        }
    }

    @Test func `quotes and backslashes are escaped between quotes only`() {
        #expect(quoted(#"a"b\c"#) == #"a\"b\\c"#)
        #expect(logged(#"a"b\c"#) == #"X: a"b\c"#)
    }

    @Test func `text is cut before the first piece that does not fit`() {
        let rows: [(String, String)] = [
            (String(repeating: "x", count: 64), String(repeating: "x", count: 64)),
            (String(repeating: "x", count: 65), String(repeating: "x", count: 64)),
            (String(repeating: "x", count: 62) + "\n", String(repeating: "x", count: 62) + #"\n"#),
            (String(repeating: "x", count: 63) + "\nx", String(repeating: "x", count: 63)),
            (String(repeating: "\"", count: 40), String(repeating: #"\""#, count: 32)),
            (String(repeating: "\u{1F600}", count: 70), String(repeating: "\u{1F600}", count: 64)),
        ]
        for (text, shown) in rows { #expect(quoted(text) == shown) }
        let long = String(repeating: "x", count: 10_000)
        #expect(logged(long) == "X: \(long)")
    }
}
