import Foundation
import MultipartFormCodec
import TestSupport

extension FetchCase {
    private static let note = field("note")

    /// What lenient mode reads all the same.
    static var refusals: [FetchCase] {
        [
            tolerated(
                "a preamble",
                lines("a form:") + part(note),
                [Entry("note", "hello")],
                strict: .preambleNotAllowed,
                "RFC 2046 §5.1.1 has receivers skip it"
            ),
            tolerated(
                "a part without header fields",
                lines("--b0", "", "hello", "--b0--"),
                [Entry(nil, "hello")],
                strict: .ambiguousHeader,
                "RFC 2046 §5.1 allows it; the part has no name"
            ),
            tolerated(
                "a part without a disposition",
                part("Content-Type: text/csv"),
                [Entry(nil, type: "text/csv", "hello")],
                strict: .ambiguousHeader,
                "IP cameras send such parts, which have no name"
            ),
            tolerated(
                "a folded header field",
                part("Content-Disposition: form-data;", "\tname=\"note\""),
                [Entry("note", "hello")],
                strict: .ambiguousHeader,
                "mail folds header fields (RFC 5322 §2.2.3)"
            ),
        ]
    }

    static var failures: [FetchCase] {
        [
            invalid(
                "text after the close delimiter's hyphens",
                Data(part(note).dropLast(2)) + lines("more"),
                .malformedDelimiter
            ),
            invalid("a header line without a colon", part(note.replacing(":", with: "")), .malformedHeader),
            invalid("white space in the name of a header field", part(note, "Content Type: a/b"), .malformedHeader),
            invalid("a NUL in a name", part(field("no\0te")), .invalidHeaderCharacter),
            invalid("a NUL in another header field", part(note, "X-Origin: \0"), .invalidHeaderCharacter),
            invalid("no close delimiter", lines("--b0", note, "", "hello"), .unexpectedEnd),
            invalid(
                "no line break before the close delimiter",
                lines("--b0", note, "", "hello--b0--"),
                .unexpectedEnd,
                strict: .malformedDelimiter
            ),
            invalid("an LF alone in a name", part(field("no\nte")), .bareLF),
            invalid("a CR alone in a name", part(field("no\rte")), .bareCR),
            invalid("an LF alone in a file name", part(field("doc", file: "no\nte")), .bareLF),
            invalid("an LF alone in a type", part(field("doc", file: "a"), "Content-Type: a/\nb"), .bareLF),
            invalid("a delimiter and no more", Data("--b0".utf8), .unexpectedEnd),
            invalid(
                "a Content-Type without a boundary",
                part(note),
                contentType: "multipart/form-data",
                .missingBoundary
            ),
            invalid(
                "an empty boundary",
                lines("--", note, "", "hello", "----"),
                contentType: "multipart/form-data; boundary=\"\"",
                .invalidBoundary
            ),
        ]
    }
}
