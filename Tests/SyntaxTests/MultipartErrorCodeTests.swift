import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite struct MultipartErrorCodeTests {
    /// Each code with its text, its status and what it says; of a limit, with the option that sets it.
    private static let rows: [(code: MultipartError.Code, text: String, status: Int, reason: String)] = [
        (.malformedContentType, "malformed-content-type", 400, "Content-Type is malformed"),
        (.unsupportedMediaType, "unsupported-media-type", 415, "media type is not multipart/form-data"),
        (.missingBoundary, "missing-boundary", 400, "Content-Type has no boundary parameter"),
        (.invalidBoundary, "invalid-boundary", 400, "boundary is not valid"),
        (.boundaryNotFound, "boundary-not-found", 400, "no delimiter before the end of the message"),
        (.preambleNotAllowed, "preamble-not-allowed", 400, "message does not begin with the delimiter"),
        (.epilogueNotAllowed, "epilogue-not-allowed", 400, "message continues after its close delimiter"),
        (.malformedDelimiter, "malformed-delimiter", 400, "line with the boundary is not a delimiter"),
        (.unexpectedEnd, "unexpected-end", 400, "message ends before its close delimiter"),
        (.bareLF, "bare-lf", 400, "message has both LF and CR LF line breaks"),
        (.bareCR, "bare-cr", 400, "CR without LF in a header line"),
        (.malformedHeader, "malformed-header", 400, "header line is not a name, a colon and a value"),
        (.invalidHeaderCharacter, "invalid-header-character", 400, "forbidden control character in a header"),
        (.duplicateHeader, "duplicate-header", 400, "header field occurs twice"),
        (.malformedContentDisposition, "malformed-content-disposition", 400, "Content-Disposition is malformed"),
        (.missingName, "missing-name", 400, "part has no name"),
        (.duplicateParameter, "duplicate-parameter", 400, "parameter occurs twice"),
        (
            .tooManyCombiningMarks, "too-many-combining-marks", 400,
            "name or file name has more than 30 combining marks in a row"
        ),
        (.ambiguousHeader, "ambiguous-header", 400, "parsers may differ on a header"),
        (.contentLengthMismatch, "content-length-mismatch", 400, "Content-Length is not the length of the body"),
        (.missingFilename, "missing-filename", 400, "file name is empty, but the part has content"),
        (.undecodableText, "undecodable-text", 400, "text is not valid in its character set"),
        (.limitParts, "limit-parts", 413, "message has more than 7 parts"),
        (
            ErrorCode.limitHeaderCount, "limit-header-count", 413,
            "header section has more than 7 lines"
        ),
        (
            ErrorCode.limitHeaderBytes, "limit-header-bytes", 413,
            "header section or padding exceeds 7 bytes"
        ),
        (ErrorCode.limitPreambleBytes, "limit-preamble-bytes", 400, "preamble exceeds 7 bytes"),
        (.limitPartBytes, "limit-part-bytes", 413, "body exceeds 7 bytes"),
        (.limitTotalBytes, "limit-total-bytes", 413, "message exceeds 7 bytes"),
        (.limitMemoryBytes, "limit-memory-bytes", 413, "parts in memory exceed 7 bytes"),
        (.limitDiskBytes, "limit-disk-bytes", 413, "content on disk exceeds 7 bytes"),
        (.partRejected, "part-rejected", 400, "part was rejected"),
        (.bodyOutOfTurn, "body-out-of-turn", 500, "body was requested after the next part was read"),
        (.concurrentUse, "concurrent-use", 500, "message is already in use elsewhere"),
        (.alreadyFinished, "already-finished", 500, "bytes were passed after the parser was finished"),
        (.abandoned, "abandoned", 500, "parser was used again after its handler threw"),
        (.invalidCharacter, "invalid-character", 500, "name or file name has a control character"),
        (.invalidHeaderName, "invalid-header-name", 500, "header name is not a token"),
        (.invalidHeaderValue, "invalid-header-value", 500, "media type or header value is not printable ASCII"),
        (.forbiddenHeader, "forbidden-header", 500, "header field may not be set"),
        (.lossyDisposition, "lossy-disposition", 500, "Content-Disposition has what a form's part cannot have"),
        (.bodyPartURLInvalid, "body-part-url-invalid", 500, "URL is not that of a file"),
        (.bodyPartFilenameInvalid, "body-part-filename-invalid", 500, "URL has no file name"),
        (.bodyPartFileNotReachable, "body-part-file-not-reachable", 500, "file does not exist"),
        (.bodyPartFileNotReachableWithError, "body-part-file-not-reachable-with-error", 500, "file is not reachable"),
        (.bodyPartFileIsDirectory, "body-part-file-is-directory", 500, "file is a directory"),
        (ErrorCode.bodyPartFileIsSpecial, "body-part-file-is-special", 500, "file is a FIFO, a device or a socket"),
        (.bodyPartFileSizeNotAvailable, "body-part-file-size-not-available", 500, "size of the file is not known"),
        (
            .bodyPartFileSizeQueryFailedWithError, "body-part-file-size-query-failed-with-error", 500,
            "size of the file cannot be read"
        ),
        (.bodyPartFileChanged, "body-part-file-changed", 500, "file has changed"),
        (.bodyPartRangeInvalid, "body-part-range-invalid", 500, "range lies outside the file"),
        (.bodyPartInputStreamCreationFailed, "body-part-input-stream-creation-failed", 500, "content cannot be opened"),
        (.bodyPartLengthMismatch, "body-part-length-mismatch", 500, "content does not have its declared length"),
        (.bodyPartStreamConsumed, "body-part-stream-consumed", 500, "stream has already been read"),
        (.notReplayable, "not-replayable", 500, "stream can be read only once, and has to be read again"),
        (
            .bodyPartIsAsynchronous, "body-part-is-asynchronous", 500,
            "content is an asynchronous sequence, which only asynchronous methods read"
        ),
        (.inputStreamReadFailed, "input-stream-read-failed", 500, "content cannot be read"),
        (.encodedLengthTooLarge, "encoded-length-too-large", 500, "total length is too large"),
        (.boundaryCollision, "boundary-collision", 500, "content has the boundary after two hyphens in it"),
        (.outputStreamURLInvalid, "output-stream-url-invalid", 500, "output URL is not that of a file"),
        (.outputStreamFileAlreadyExists, "output-stream-file-already-exists", 500, "output file already exists"),
        (.outputStreamCreationFailed, "output-stream-creation-failed", 500, "output file cannot be created"),
        (.outputStreamWriteFailed, "output-stream-write-failed", 500, "output cannot be written"),
        (.offsetBeyondEnd, "offset-beyond-end", 500, "offset is beyond the end of the message"),
        (.cancelled, "cancelled", 500, "encoding was cancelled"),
        (.missingValue, "missing-value", 400, "no part has the name, and value is required"),
        (.emptyValue, "empty-value", 400, "part is empty, which is not a valid value"),
        (.noFile, "no-file", 400, "no file was selected, and value is required"),
        (.expectedValue, "expected-value", 400, "name has keys or elements, and value is one value"),
        (.expectedKeys, "expected-keys", 400, "name has values, not keys"),
        (
            .expectedArray, "expected-array", 400,
            "name has no elements: its keys are not indices, or it is an element itself"
        ),
        (
            .expectedFile, "expected-file", 400,
            "part has no file name, which value needs: decode BodyPart or Data, or a type whose requiresFile is false"
        ),
        (.unexpectedFile, "unexpected-file", 400, "part is a file, and value is read from a field"),
        (.expectedJSON, "expected-json", 400, "media type is not JSON"),
        (.duplicateName, "duplicate-name", 400, "several parts have the name"),
        (.mixedShapes, "mixed-shapes", 400, "name has both values and keys, or both [] and [0]"),
        (.sparseArray, "sparse-array", 400, "array indices have a gap"),
        (.ambiguousArray, "ambiguous-array", 400, "[] is not at the end of the name"),
        (.malformedName, "malformed-name", 400, "name joins keys in another style than keyPathEncoding"),
        (.invalidText, "invalid-text", 400, "bytes are not valid in their character set"),
        (.invalidValue, "invalid-value", 400, "text is not a valid value"),
        (.valueTooLong, "value-too-long", 413, "value exceeds 7 bytes"),
        (.unreadablePart, "unreadable-part", 500, "content of the part cannot be read"),
        (.unknownName, "unknown-name", 400, "type has no key of the name, or the part has no name"),
        (.nameTooLong, "name-too-long", 413, "name exceeds 7 bytes"),
        (.tooManyParts, "too-many-parts", 413, "form has more than 7 parts"),
        (.tooDeep, "too-deep", 413, "nested deeper than 7 levels"),
        (.tooManyAttempts, "too-many-attempts", 413, "type requests far more values than the form has"),
        (.notKeyedRoot, "not-keyed-root", 500, "value has no keys to name its parts"),
        (.invalidKey, "invalid-key", 500, "key is empty, has a forbidden character, or is used twice"),
        (.emptyElement, "empty-element", 500, "element would have no part, so its index or key would be lost"),
        (.nonFiniteNumber, "non-finite-number", 500, "number is not finite"),
        (.unencodable, "unencodable", 500, "value cannot be a part, or encodes none where one is needed"),
    ]

    @Test func `each code has its text, its status and its reason`() {
        for (code, text, status, reason) in Self.rows {
            let limit = reason.contains("7") ? 7 : nil
            let received = MultipartError(code, offset: 3, limit: limit)
            #expect(code.description == text)
            #expect(received.httpStatus == status, "\(text)")
            #expect(received.description == "\(reason) (at offset 3)", "\(text)")
            // If no received form is to blame, the program or its system failed.
            #expect(MultipartError(code, limit: limit).httpStatus == 500, "\(text)")
        }
    }

    @Test func `a code of another version is its text`() {
        let error = MultipartError(MultipartError.Code("new-code"), offset: 3)
        #expect(error.code == MultipartError.Code(rawValue: "new-code") && error.httpStatus == 400)
        #expect(error.description == "new-code (at offset 3)")
    }

    @Test func `each code is made from its text, and differs from all others`() {
        for row in Self.rows { #expect(MultipartError.Code(row.text) == row.code, "\(row.text)") }
        #expect(Set(Self.rows.map(\.code)).count == Self.rows.count)
        for text in ["limit", "limit-parts-", "Limit-Parts", "limit_parts", " limit-parts"] {
            #expect(MultipartError.Code(text) != .limitParts, "\(text)")
        }
    }

    @Test func `the page of the codes has each with its status, and its number as an NSError has it`() throws {
        func text(_ path: String) throws -> String {
            let library = Fixtures.directory.deletingLastPathComponent()
                .appendingPathComponent("Sources/MultipartFormCodec")
            return try String(contentsOf: library.appendingPathComponent(path), encoding: .utf8)
        }
        let page = try text("MultipartFormCodec.docc/Reference/MultipartError.Code.md")
        let rows = page.matches(of: /\n\| (\d+) \| `([a-z0-9-]+)` \| (\d+) \|/).map {
            (Int($0.1), String($0.2), Int($0.3))
        }
        #expect(rows.map(\.0) == Array(1...rows.count))
        #expect(Set(rows.map(\.1)) == Set(Self.rows.map(\.text)))
        let declared = try ["Syntax/MultipartError+Code.swift", "Syntax/ErrorCode.swift"].flatMap {
            try text($0).matches(of: /static let \w+ = (?:Self|MultipartError\.Code)\("([a-z0-9-]+)"\)/).map {
                String($0.1)
            }
        }
        #expect(Set(rows.map(\.1)) == Set(declared) && rows.count == declared.count)
        for (number, text, status) in rows {
            let code = MultipartError.Code(text)
            #expect(ErrorDetails.number(of: code) == number)
            #expect(MultipartError(code, offset: 3).httpStatus == status, "\(text)")
            #if FullFoundation
                let error: any Error = MultipartError(code, underlyingError: CancellationError())
                let foundation = error as NSError
                #expect(foundation.code == number && foundation.domain == "MultipartFormCodec.MultipartError")
                #expect(foundation.localizedDescription == "\(error)" && error.localizedDescription == "\(error)")
                #expect(foundation.userInfo[NSUnderlyingErrorKey] is CancellationError)
            #endif
        }
    }

    @Test func `a limit that is not known is not named`() {
        let error = MultipartError(.limitParts, offset: 3)
        #expect(error.limit == nil && error.limitName == nil)
        #expect(error.description == "message has more than the limit (at offset 3)")
        #expect(MultipartError(.limitTotalBytes).description == "message exceeds the limit")
    }

    @Test func `a limit has the name of its option unless the error names another`() {
        #expect(MultipartError(.limitPartBytes, limit: 0).limitName == "maxPartBytes")
        let error = MultipartError(.limitPartBytes, limit: 5, limitName: "disk(upTo:)")
        #expect(error.limitName == "disk(upTo:)")
        #expect(error.description == "body exceeds 5 bytes")
        #expect(MultipartError(.limitPartBytes, limitName: "disk(upTo:)").limitName == nil)
        #expect(MultipartError(.bareLF, limit: 5).limitName == nil)
    }

    @Test func `a length that differs from the declared one is in the text if both are known`() {
        let rows: [(UInt64?, UInt64?, String)] = [
            (5, 4, "content has 4 bytes, not the declared 5"), (5, 0, "content has 0 bytes, not the declared 5"),
            (5, 6, "content has at least 6 bytes, not the declared 5"),
            (5, nil, "content does not have its declared length"),
            (nil, 4, "content does not have its declared length"),
        ]
        for (expected, actual, text) in rows {
            let error = MultipartError(.bodyPartLengthMismatch, expectedLength: expected, actualLength: actual)
            #expect(error.description == text)
            #expect(error.expectedLength == expected && error.actualLength == actual)
        }
        let other = MultipartError(.bareLF, expectedLength: 5, actualLength: 4)
        #expect(other.description == "message has both LF and CR LF line breaks")
    }
}
