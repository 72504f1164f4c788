import Foundation
import MultipartForm
import TestSupport
import Testing

/// The codes of the coders' errors.
@Suite struct CodingCodeTests {
    typealias Code = FormDataCodingIssue.Code

    static let codes: [(code: Code, text: String, fact: String)] = [
        (.missingValue, "missing-value", "no part has the name"),
        (.emptyValue, "empty-value", "part is empty"),
        (.noFile, "no-file", "no file was selected"),
        (.expectedValue, "expected-value", "name has keys or elements, not one value"),
        (.expectedKeys, "expected-keys", "name has values, not keys"),
        (.expectedArray, "expected-array", "name has keys that are not indices"),
        (.expectedFile, "expected-file", "part has no file name"),
        (.unexpectedFile, "unexpected-file", "part is a file"),
        (.expectedJSON, "expected-json", "media type is not JSON"),
        (.duplicateName, "duplicate-name", "several parts have the name"),
        (.mixedShapes, "mixed-shapes", "name has both values and keys, or two kinds of elements"),
        (.sparseArray, "sparse-array", "array indices have a gap"),
        (.ambiguousArray, "ambiguous-array", "name has [] before its end"),
        (.malformedName, "malformed-name", "name continues with brackets that hold no index"),
        (.invalidText, "invalid-text", "bytes are not valid in their character set, or it is unknown"),
        (.invalidValue, "invalid-value", "text is not a valid value of the type"),
        (.valueTooLong, "value-too-long", "value is too long"),
        (.unreadablePart, "unreadable-part", "content cannot be read"),
        (.unknownName, "unknown-name", "part has an unknown name or none"),
        (.nameTooLong, "name-too-long", "name is too long"),
        (.tooManyCombiningMarks, "too-many-combining-marks", "more than 30 combining marks in a row"),
        (.tooManyParts, "too-many-parts", "form has too many parts"),
        (.tooDeep, "too-deep", "nested too deep"),
        (.tooManyAttempts, "too-many-attempts", "decoded too often"),
        (.notKeyedRoot, "not-keyed-root", "value has no keys to name its parts"),
        (.invalidKey, "invalid-key", "key is empty, has a forbidden character, or is used twice"),
        (.emptyElement, "empty-element", "element would have no part"),
        (.nonFiniteNumber, "non-finite-number", "number is not finite"),
        (.unencodable, "unencodable", "value cannot be a part, or has none where it needs one"),
    ]

    @Test(arguments: codes.indices)
    func `a code has a text and a fact`(index: Int) {
        let (code, text, fact) = Self.codes[index]
        #expect(code.description == text)
        #expect(code.fact == fact)
        #expect(Code(text) == code)
    }

    @Test func `the table has every code that is declared`() throws {
        let folder = Fixtures.directory.deletingLastPathComponent()
            .appendingPathComponent("Sources/MultipartForm/Coding/Errors")
        let file = folder.appendingPathComponent("FormDataCodingIssue+Code.swift")
        let source = try String(contentsOf: file, encoding: .utf8)
        let declared = source.matches(of: /public static let \w+ = Self\("([a-z-]+)"/).map { String($0.1) }
        #expect(declared.count == source.matches(of: /public static let/).count)
        #expect(declared == Self.codes.map(\.text))
        #expect(Set(declared).count == declared.count)
    }

    @Test(arguments: ["", "missing", "Missing-Value", "missing-value "])
    func `any other text is no code`(text: String) {
        #expect(Code(text) == nil)
    }
}
