import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// What an error says: to the log, to a client, and as an `NSError`.
@Suite struct ErrorTextTests {
    private struct Reason: Error {}

    private static let long = String(repeating: "x", count: 65)
    private static let cause = MultipartError(.bareCR, offset: 3, partName: "c")

    private static let rows: [(error: MultipartError, log: String, client: String?)] = [
        (
            MultipartError(.unexpectedEnd, offset: 0), "message ends before its close delimiter (at offset 0)",
            "unexpected-end"
        ),
        (
            MultipartError(.limitPartBytes, offset: 9, partIndex: 2, partName: "a", limit: 5, limitName: "disk(upTo:)"),
            #"part 2 "a": body exceeds 5 bytes (at offset 9)"#, #"limit-part-bytes "a" (limit 5)"#
        ),
        (
            MultipartError(.missingName, offset: 7, partIndex: 0), "part 0: part has no name (at offset 7)",
            "missing-name (part 0)"
        ),
        (
            MultipartError(.invalidValue, "a reason", isOfForm: true, partName: "a\u{1B}\"" + long),
            #"part "a\u{1B}\""# + long.dropLast(10) + #"": a reason"#,
            #"invalid-value "a\u{1B}\""# + long.dropLast(10) + "\""
        ),
        // A path is whole, but not for the client; nor is an error of the program.
        (
            MultipartError(.bodyPartFileIsDirectory, partIndex: 1, partName: "f", path: "/\u{1B}\"" + long),
            #"part 1 "f": file is a directory: /\u{1B}\""# + long, nil
        ),
        (
            MultipartError(.limitDiskBytes, offset: 1, limit: 5, path: "/secret"),
            "content on disk exceeds 5 bytes: /secret (at offset 1)", "limit-disk-bytes (limit 5)"
        ),
        // The text of a cause that may have anything in it is not shown.
        (
            MultipartError(.outputStreamWriteFailed, path: "/a", underlyingError: POSIXError(.ENOSPC)),
            "output cannot be written: /a (No space left on device)", nil
        ), (MultipartError(.inputStreamReadFailed, underlyingError: Reason()), "content cannot be read (Reason)", nil),
        // A part that is forwarded has the error of the form that it came from, unless it is received itself.
        (
            MultipartError(.inputStreamReadFailed, partIndex: 1, underlyingError: cause),
            #"part 1: content cannot be read (part "c": CR without LF in a header line (at offset 3))"#, #"bare-cr "c""#
        ),
        (
            MultipartError(.invalidText, offset: 1, partName: "d", underlyingError: cause),
            "part \"d\": bytes are not valid in their character set"
                + " (part \"c\": CR without LF in a header line (at offset 3)) (at offset 1)",
            #"invalid-text "d""#
        ),
    ]

    @Test func `each error says what it should, and to a client no more than it may know`() {
        for (error, log, client) in Self.rows {
            #expect(error.description == log)
            #expect(error.errorDescription == log && (error as any Error).localizedDescription == log)
            #expect(error.clientMessage == client, "\(log)")
            #if FullFoundation
                #expect(error.errorCode > 0 && (error as NSError).code == error.errorCode)
                let info = error.errorUserInfo
                #expect(info[NSLocalizedDescriptionKey] as? String == log)
                #expect((info[NSUnderlyingErrorKey] == nil) == (error.underlyingError == nil), "\(log)")
            #endif
        }
    }
}
