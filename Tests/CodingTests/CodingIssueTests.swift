import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// The issue in an error of the coders, and its status.
@Suite struct CodingIssueTests {
    private let decoder = FormDataDecoder()

    private func issue(_ call: () throws -> Void) -> FormDataCodingIssue? {
        do {
            try call()
            return nil
        } catch {
            return FormDataCodingIssue(error)
        }
    }

    @Test func `the issue is found in every case of an error`() throws {
        let found = [
            issue { _ = try decoder.decode(D<Int>.self) },
            issue { _ = try decoder.decode(D<Int>.self, "d=") },
            issue { _ = try decoder.decode(D<Int>.self, "d[]=1") },
            issue { _ = try decoder.decode(D<Int>.self, "d=x") },
            issue { _ = try FormDataEncoder().encode(D(d: Double.nan)) },
        ]
        let codes: [FormDataCodingIssue.Code] = [
            .missingValue, .emptyValue, .expectedValue, .invalidValue, .nonFiniteNumber,
        ]
        #expect(found.map { $0?.code } == codes)
        #expect(found.map { $0?.name } == ["d", "d", "d", "d", "d"])
        #expect(found.map { $0?.httpStatus } == [400, 400, 400, 400, 500])
        #expect(found.map { $0?.partIndex } == [nil, 0, 0, 0, nil])
    }

    @Test func `an error of others has no issue`() throws {
        struct Other: Error {}
        #expect(FormDataCodingIssue(Other()) == nil)
        #expect(issue { _ = try JSONDecoder().decode(Int.self, from: Data("x".utf8)) } == nil)
        #expect(issue { _ = try decoder.decode(D<Color>.self, "d=blue") } == nil)
        #expect(issue { _ = try MultipartFormData(parsing: Data(), contentType: nil) } == nil)
    }

    @Test func `a limit is 413`() throws {
        let small = options(decoder) {
            $0.maxParts = 2
            $0.maxNameBytes = 4
            $0.maxDepth = 2
            $0.maxValueBytes = 3
        }
        let marks = Part(String((["d"] + repeatElement("\u{301}", count: 31)).joined()), Data())
        let issues = [
            issue { _ = try small.decode(D<String>.self, "a=", "b=", "c=") },
            issue { _ = try small.decode(D<String>.self, "abcde=") },
            issue { _ = try options(small) { $0.maxNameBytes = 99 }.decode(D<String>.self, "a[b][c]=") },
            issue { _ = try small.decode(D<String>.self, "d=long") },
            issue { _ = try decoder.decode(D<String>.self, from: MultipartFormData(sending: [marks])) },
            issue { _ = try decoder.decode(D<FormJSON<Int>>.self, Part("d", Data(repeating: 0x5B, count: 99))) },
        ]
        let codes: [FormDataCodingIssue.Code] = [
            .tooManyParts, .nameTooLong, .tooDeep, .valueTooLong, .tooManyCombiningMarks, .tooDeep,
        ]
        #expect(issues.map { $0?.code } == codes)
        #expect(issues.allSatisfy { $0?.httpStatus == 413 })
    }

    @Test func `a value that is too deep to be encoded is 500`() throws {
        let encoder = options(FormDataEncoder()) { $0.maxDepth = 1 }
        let found = issue { _ = try encoder.encode(Home(address: Address(street: "", zip: ""))) }
        #expect(found?.code == .tooDeep && found?.httpStatus == 500)
    }

    @Test func `a part that cannot be read has the status of its error`() throws {
        let directory = try TemporaryDirectory()
        let url = directory.url.appendingPathComponent("a")
        try Data("x".utf8).write(to: url)
        let form = try FormDataEncoder().encode(D(d: FormFile(contentsOf: url)))
        try FileManager.default.removeItem(at: url)
        let found = issue { _ = try decoder.decode(D<Data>.self, from: form) }
        let error = try #require(found?.underlyingError as? MultipartError)
        #expect(found?.code == .unreadablePart && found?.httpStatus == error.httpStatus)
    }

    @Test func `a message has a type or none`() throws {
        let error = #expect(throws: MultipartError.self) {
            try decoder.decode(D<Int>.self, from: Data(), contentType: nil)
        }
        #expect(error?.httpStatus == 415)
    }

    @Test func `a text names the type and what is wrong`() throws {
        func text(_ call: () throws -> Void) -> String? { Failure.of(call)?.text }
        #expect(text { _ = try decoder.decode(D<Int>.self, "d=x") } == #""d": text is not a valid Int"#)
        #expect(text { _ = try decoder.decode(D<Int>.self, "d=") } == #""d": part is empty, which is not a valid Int"#)
        #expect(text { _ = try decoder.decode(D<Int>.self) } == #""d": no part has the name, and Int is required"#)
        let keys = #""d": name has keys or elements, and String is one value"#
        #expect(text { _ = try decoder.decode(D<String>.self, "d[x]=1") } == keys)
        #expect(text { _ = try FormDataEncoder().encode(1) } == "Int has no keys to name its parts")
        let untyped = D(d: FormFile(Data(), filename: "a", contentType: ""))
        #expect(text { _ = try FormDataEncoder().encode(untyped) } == #""d": media type is empty"#)
        let strict = options(decoder) { $0.unknownNames = .reject }
        let unknown = #""x": type has no key of the name, or the part has no name"#
        #expect(text { _ = try strict.decode(D<Int>.self, "d=1", "x=1") } == unknown)
        let few = options(decoder) { $0.maxParts = 0 }
        #expect(text { _ = try few.decode(D<Int>.self, "d=1") } == "form has more parts than maxParts")
    }
}
