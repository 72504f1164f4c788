import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// The codes of the coders' errors.
@Suite struct CodingCodeTests {
    typealias Code = FormDataCodingIssue.Code

    static let codes: [(code: Code, text: String, reason: String)] = [
        (.missingValue, "missing-value", "no part has the name, and % is required"),
        (.emptyValue, "empty-value", "part is empty, which is not a valid %"),
        (.noFile, "no-file", "no file was selected, and % is required"),
        (.expectedValue, "expected-value", "name has keys or elements, and % is one value"),
        (.expectedKeys, "expected-keys", "name has values, not keys"),
        (
            .expectedArray,
            "expected-array",
            "name has no elements: its keys are not indices, or it is an element itself"
        ),
        (
            .expectedFile,
            "expected-file",
            "part has no file name, which % needs: decode BodyPart or Data, or a type whose requiresFile is false"
        ),
        (.unexpectedFile, "unexpected-file", "part is a file, and % is read from a field"),
        (.expectedJSON, "expected-json", "media type is not JSON"),
        (.duplicateName, "duplicate-name", "several parts have the name"),
        (.mixedShapes, "mixed-shapes", "name has both values and keys, or both [] and [0]"),
        (.sparseArray, "sparse-array", "array indices have a gap"),
        (.ambiguousArray, "ambiguous-array", "[] is not at the end of the name"),
        (.malformedName, "malformed-name", "name joins keys in another style than keyPathEncoding"),
        (.invalidText, "invalid-text", "bytes are not valid in their character set, or it is unknown"),
        (.invalidValue, "invalid-value", "text is not a valid %"),
        (.valueTooLong, "value-too-long", "value is longer than maxValueBytes"),
        (.unreadablePart, "unreadable-part", "content of the part cannot be read"),
        (.unknownName, "unknown-name", "type has no key of the name, or the part has no name"),
        (.nameTooLong, "name-too-long", "name is longer than maxNameBytes"),
        (.tooManyCombiningMarks, "too-many-combining-marks", "more than 30 combining marks in a row"),
        (.tooManyParts, "too-many-parts", "form has more parts than maxParts"),
        (.tooDeep, "too-deep", "nested deeper than maxDepth, or than 64 steps"),
        (.tooManyAttempts, "too-many-attempts", "type requests far more values than the form has"),
        (.notKeyedRoot, "not-keyed-root", "% has no keys to name its parts"),
        (.invalidKey, "invalid-key", "key is empty, has a forbidden character, or is used twice"),
        (.emptyElement, "empty-element", "element would have no part, so its index or key would be lost"),
        (.nonFiniteNumber, "non-finite-number", "number is not finite"),
        (.unencodable, "unencodable", "% cannot be a part, or encodes none where one is needed"),
    ]

    @Test func `a code has a text and a reason`() {
        #expect(CodingDetails.all.map(\.code) == Self.codes.map(\.code))
        #expect(CodingDetails.all.map(\.reason) == Self.codes.map(\.reason))
        #expect(CodingDetails.all.map(\.code.rawValue) == Self.codes.map(\.text))
        #expect(Set(Self.codes.map(\.code)).count == Self.codes.count)
    }

    @Test func `the article on rules has every code`() throws {
        let folder = Fixtures.directory.deletingLastPathComponent()
            .appendingPathComponent("Sources/MultipartFormCodec/MultipartFormCodec.docc")
        let article = try String(contentsOf: folder.appendingPathComponent("CodingRules.md"), encoding: .utf8)
        let section = try #require(article.split(separator: "\n## ").first { $0.hasPrefix("Codes\n") })
        #expect(section.matches(of: /\n\| `([a-z-]+)` \|/).map { String($0.1) } == Self.codes.map(\.text))
    }

    @Test func `any text is a code`() {
        for text in ["", "missing", "Missing-Value", "missing-value "] {
            #expect(Code(text) == Code(rawValue: text) && Code(text) != .missingValue)
            #expect(Code(text).description == text)
        }
        #expect(Code("missing-value") == .missingValue)
    }
}
