import Foundation
import MultipartFormCodec
import TestSupport

extension FetchCase {
    private static let typeAsSent = "the type is as it was sent"
    private static let note = field("note")

    static var parts: [FetchCase] {
        [
            valid(
                "a file without a type",
                part(field("doc", file: "notes.md")),
                [Entry("doc", file: "notes.md", "hello")],
                "the type is nil; Fetch makes it text/plain"
            ),
            valid(
                "a file with a type",
                part(field("doc", file: "notes.gif"), "Content-Type: image/gif"),
                [Entry("doc", file: "notes.gif", type: "image/gif", "hello")]
            ),
            valid(
                "a type before the disposition",
                part("Content-Type: image/gif", field("doc", file: "notes.gif")),
                [Entry("doc", file: "notes.gif", type: "image/gif", "hello")]
            ),
            valid(
                "a file between two fields",
                lines("--b0", field("first"), "", "1", "--b0", field("doc", file: "notes.csv"))
                    + lines("Content-Type: text/csv", "", "a,b", "--b0", field("last"), "", "2", "--b0--"),
                [Entry("first", "1"), Entry("doc", file: "notes.csv", type: "text/csv", "a,b"), Entry("last", "2")]
            ),
            valid(
                "percent sequences in a name",
                part(field("%22%0D%0A%41%2F%")),
                [Entry("%22%0D%0A%41%2F%", "hello")]
            ),
            valid(
                "percent sequences in a file name",
                part(field("doc", file: "%22%0D%0A%41.txt")),
                [Entry("doc", file: "%22%0D%0A%41.txt", "hello")]
            ),
            valid(
                "content under an empty file name",
                part(field("doc", file: "")),
                [Entry("doc", file: "", "hello")],
                strict: .missingFilename,
                "PHP and Rack drop the content"
            ),
            valid("an empty field", part(note, content: ""), [Entry("note", "")]),
            valid(
                "an empty file",
                part(field("doc", file: "none.txt"), content: ""),
                [Entry("doc", file: "none.txt", "")]
            ),
            valid(
                "a name that occurs twice",
                lines("--b0", note, "", "1", "--b0", note, "", "2", "--b0--"),
                [Entry("note", "1"), Entry("note", "2")]
            ),
            valid(
                "a field named `_charset_`",
                part(field("_charset_"), content: "koi8-r"),
                [Entry("_charset_", "koi8-r")]
            ),
        ]
    }

    static var values: [FetchCase] {
        [
            valid("the boundary in content", part(note, content: "it is b0"), [Entry("note", "it is b0")]),
            valid(
                "two hyphens and the boundary within a line",
                part(note, content: "it is --b0"),
                [Entry("note", "it is --b0")],
                strict: .malformedDelimiter,
                "Django and Bun split the body there"
            ),
            valid("a line break in content", part(note, content: "1\r\n2"), [Entry("note", "1\r\n2")]),
            valid("a name that is not ASCII", part(field("größe")), [Entry("größe", "hello")]),
            valid(
                "a file name that is not ASCII",
                part(field("doc", file: "写真.txt")),
                [Entry("doc", file: "写真.txt", "hello")]
            ),
            valid("content that is not ASCII", part(note, content: "🦊"), [Entry("note", "🦊")]),
            valid(
                "a control character in a name",
                part(field("no\u{2}te")),
                [Entry("no\u{2}te", "hello")],
                strict: .ambiguousHeader,
                "RFC 9110 §5.5 calls it invalid, and lets it be kept"
            ),
            valid(
                "a byte that is not UTF-8 in a name",
                Data(part(field("note#")).map { $0 == 0x23 ? 0xFE : $0 }),
                [Entry("note\u{FFFD}", "hello")],
                strict: .ambiguousHeader,
                "names are UTF-8 (RFC 7578 §5.1.2)"
            ),
            valid(
                "a byte that is not UTF-8 in a field",
                part([note], content: Data([0x68, 0xFE])),
                [Entry("note", Data([0x68, 0xFE]))],
                "the bytes are as sent, and `text()` throws; Fetch replaces them"
            ),
            valid(
                "any bytes in a file",
                part([field("doc", file: "raw")], content: Data([0x2D, 0x2D, 0x0D, 0x0A, 0xFF, 0x80, 0x00])),
                [Entry("doc", file: "raw", Data([0x2D, 0x2D, 0x0D, 0x0A, 0xFF, 0x80, 0x00]))]
            ),
            valid(
                "a file, for its date",
                part(field("doc", file: "raw")),
                [Entry("doc", file: "raw", "hello")],
                "a part has no date; Fetch gives it that of 1970"
            ),
        ]
    }

    static var framing: [FetchCase] {
        [
            valid(
                "white space after a boundary",
                lines("--b0\t ", note, "", "hello", "--b0--"),
                [Entry("note", "hello")],
                strict: .malformedDelimiter,
                "busboy, netty and PHP lose every part"
            ),
            valid(
                "white space after the close delimiter",
                lines("--b0", note, "", "hello", "--b0--\t "),
                [Entry("note", "hello")],
                strict: .malformedDelimiter,
                "no client sends any"
            ),
            valid(
                "white space after the close delimiter, and no line break",
                Data(part(note).dropLast(2)) + Data("\t ".utf8),
                [Entry("note", "hello")],
                strict: .malformedDelimiter,
                "no client sends any"
            ),
            valid(
                "an epilogue",
                part(note) + lines("that was", "all"),
                [Entry("note", "hello")],
                strict: .epilogueNotAllowed,
                "Django looks for parts in it"
            ),
            valid(
                "another header field",
                part(note, "X-Origin: a scanner"),
                [Entry("note", "hello")],
                strict: .ambiguousHeader,
                "some parsers look for a field within another"
            ),
            valid(
                "a Content-Transfer-Encoding",
                part(note, "Content-Transfer-Encoding: base64", content: "aGVsbG8="),
                [Entry("note", "aGVsbG8=")],
                strict: .ambiguousHeader,
                "Go and undici decode some; no mode here does"
            ),
            valid(
                "names of header fields in other letter cases",
                part("cONTENT-disposition: form-data; name=\"doc\"; filename=\"a\"", "CONTENT-TYPE: a/b"),
                [Entry("doc", file: "a", type: "a/b", "hello")],
                strict: .ambiguousHeader,
                "some parsers know two spellings"
            ),
            valid(
                "white space before the first header field",
                part("\t\(note)"),
                [Entry("note", "hello")],
                strict: .ambiguousHeader,
                "RFC 9112 §2.2 has recipients refuse or skip the line"
            ),
            valid(
                "white space before a colon",
                part(note.replacing(":", with: "\t :")),
                [Entry("note", "hello")],
                strict: .ambiguousHeader,
                "RFC 9112 §5.1 has servers refuse it"
            ),
        ]
    }

    static var types: [FetchCase] {
        [
            valid(
                "two Content-Type fields",
                part(field("doc", file: "a"), "Content-Type: a/b", "Content-Type: c/d"),
                [Entry("doc", file: "a", type: "c/d", "hello")],
                strict: .ambiguousHeader,
                "parsers differ in which one counts"
            ),
            valid(
                "white space around a type",
                part(field("doc", file: "a"), "Content-Type: \t a/b\t "),
                [Entry("doc", file: "a", type: "a/b", "hello")],
                strict: .ambiguousHeader,
                "no client sends any"
            ),
            valid(
                "a type in upper case",
                part(field("doc", file: "a"), "Content-Type: IMAGE/GIF"),
                [Entry("doc", file: "a", type: "IMAGE/GIF", "hello")],
                typeAsSent
            ),
            valid(
                "a type without a slash",
                part(field("doc", file: "a"), "Content-Type: image"),
                [Entry("doc", file: "a", type: "image", "hello")],
                strict: .ambiguousHeader,
                "a type is `type/subtype` with parameters"
            ),
            valid(
                "a type with an empty parameter and a quoted one",
                part(field("doc", file: "a"), "Content-Type: a/b;; c=\"d\""),
                [Entry("doc", file: "a", type: "a/b;; c=\"d\"", "hello")],
                strict: .ambiguousHeader,
                "a type is `type/subtype` with parameters"
            ),
            valid(
                "two types in one field",
                part(field("doc", file: "a"), "Content-Type: a/b, c/d"),
                [Entry("doc", file: "a", type: "a/b, c/d", "hello")],
                strict: .ambiguousHeader,
                "a type is `type/subtype` with parameters"
            ),
            valid(
                "a type that is not ASCII",
                part(field("doc", file: "a"), "Content-Type: image/ü"),
                [Entry("doc", file: "a", type: "image/ü", "hello")],
                strict: .ambiguousHeader,
                "a type is `type/subtype` with parameters"
            ),
            valid(
                "a type with a control character",
                part(field("doc", file: "a"), "Content-Type: image/\u{2}gif"),
                [Entry("doc", file: "a", type: "image/\u{2}gif", "hello")],
                strict: .ambiguousHeader,
                "as in a name"
            ),
            valid(
                "an empty Content-Type",
                part(field("doc", file: "a"), "Content-Type:"),
                [Entry("doc", file: "a", type: "", "hello")],
                strict: .ambiguousHeader,
                "a type is `type/subtype` with parameters"
            ),
        ]
    }

    static var boundaries: [FetchCase] {
        [
            valid(
                "a boundary in quotes",
                lines("--(b0):/", note, "", "hello", "--(b0):/--"),
                [Entry("note", "hello")],
                contentType: "multipart/form-data; boundary=\"(b0):/\""
            ),
            valid(
                "a boundary that is not ASCII",
                lines("--bö", note, "", "hello", "--bö--"),
                [Entry("note", "hello")],
                contentType: "multipart/form-data; boundary=\"bö\"",
                strict: .invalidBoundary,
                "RFC 2046 §5.1.1 allows no such boundary"
            ),
        ]
    }
}
