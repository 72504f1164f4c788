import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// What the Fetch Standard's tests say of messages, and what this library makes of them.
@Suite struct FetchCaseTests {
    @Test func `all cases are there, each once`() {
        #expect(FetchCase.all.count { $0.isValid } == 42)
        #expect(FetchCase.all.count { !$0.isValid } == 18)
        #expect(Set(FetchCase.all.map(\.title)).count == 60)
        #expect(Set(FetchCase.all.map(\.message)).count >= 55)
    }

    @Test func `lenient mode reads all that is valid, and strict mode nothing that is not`() {
        for example in FetchCase.all {
            #expect(!example.isValid || example.lenient == .read, "\(example.title)")
            #expect(example.isValid || example.strict != .read, "\(example.title)")
            let differs = example.lenient != .read || example.strict != .read
            #expect(!(example.isValid && differs) || !example.reason.isEmpty, "\(example.title)")
        }
    }

    @Test(arguments: [ParsingMode.lenient, .strict])
    func `a case becomes what the table says`(mode: ParsingMode) throws {
        for example in FetchCase.all {
            let expected = mode == .strict ? example.strict : example.lenient
            let boundary: Boundary
            do {
                boundary = try Boundary(contentType: example.contentType, mode: mode)
            } catch {
                #expect(expected == .error(error.code), "\(example.title)")
                continue
            }
            let options = MultipartParser.Options(mode: mode)
            let whole = ParsedMessage([example.message], boundary: boundary, options: options)
            switch expected {
            case .read:
                #expect(whole.isComplete, "\(example.title): \(whole.error?.description ?? "no end")")
                #expect(whole.parts.map(FetchCase.Entry.init) == example.entries, "\(example.title)")
            case .error(let code):
                #expect(whole.error?.code == code, "\(example.title)")
            }
            for size in 1...3 {
                let pieces = ChunkSplitter.pieces(of: example.message, size: size)
                let cut = ParsedMessage(pieces, boundary: boundary, options: options)
                #expect(cut == whole, "\(example.title), in chunks of \(size)")
            }
        }
    }

    @Test func `the table of the fixtures has every case`() throws {
        let document = AdvisoryTests.repository.appendingPathComponent("Fixtures/fetch.md")
        let lines = try String(contentsOf: document, encoding: .utf8).split(separator: "\n").map(String.init)
        let table = lines.drop { !$0.hasPrefix("| a message with | Fetch |") }.dropFirst(2)
        #expect(table.prefix { $0.hasPrefix("| ") } == FetchCase.all.map(\.row)[...])
    }
}

extension FetchCase.Entry {
    fileprivate init(_ part: ParsedMessage.Part) {
        self.init(part.headers.name, file: part.headers.filename, type: part.headers.contentType, part.body)
    }
}
