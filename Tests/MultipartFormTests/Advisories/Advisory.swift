import Foundation
import MultipartForm
import TestSupport
import Testing

/// A public advisory about another multipart parser or encoder, and the proof that it does not apply here.
struct Advisory: Sendable, CustomTestStringConvertible {
    /// Its identifiers.
    let id: String
    /// Where it was found.
    let project: String
    /// What went wrong there.
    let fault: String
    /// What this library does with such an input.
    let answer: String
    /// Feeds the input that shows it, and checks the answer.
    let check: @Sendable () throws -> Void

    var testDescription: String { id }

    /// The row of the table in the documentation.
    var row: String { "| \(id) | \(project) | \(fault) | \(answer) |" }

    /// Every advisory.
    static let all = sizes + receiving + framing + grammar + encoding
}

extension Advisory {
    /// What a message must be read as.
    enum Outcome: Sendable {
        /// Parts with these bodies.
        case bodies([Data])
        /// An error, by its code, after some complete parts.
        case error(MultipartError.Code, behindParts: Int = 0)
    }

    static let usualBoundary = Boundary("BND")

    /// A message of parts, each a header section and a body.
    static func message(_ parts: [(header: String, body: String)]) -> Data {
        let text = parts.map { "--BND\r\n\($0.header)\r\n\r\n\($0.body)\r\n" }.joined()
        return Data("\(text)--BND--\r\n".utf8)
    }

    /// A disposition with further parameters behind its name.
    static func disposition(_ rest: String = "") -> String {
        "Content-Disposition: form-data; name=\"a\"\(rest)"
    }

    /// Checks what both modes make of a message, whole and in chunks.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - lenient: What lenient mode must make of it.
    ///   - strict: What strict mode must make of it; the same unless given.
    ///   - mended: The message without its fault, which both modes must accept: it is refused for that fault alone.
    ///   - boundary: The message's boundary.
    ///   - options: The limits to parse with.
    ///   - sizes: The lengths of the chunks.
    ///   - sourceLocation: Where the check stands.
    /// - Throws: What `#require` throws.
    static func expect(
        _ message: Data,
        _ lenient: Outcome,
        strict: Outcome? = nil,
        mended: Data? = nil,
        boundary: Boundary = usualBoundary,
        options: MultipartParser.Options = MultipartParser.Options(),
        chunks sizes: [Int] = [64],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for mode in [ParsingMode.lenient, .strict] {
            var options = options
            options.mode = mode
            if let mended {
                let accepted = ParsedMessage([mended], boundary: boundary, options: options)
                #expect(accepted.error == nil, "\(mode), without the fault", sourceLocation: sourceLocation)
            }
            let whole = ParsedMessage([message], boundary: boundary, options: options)
            for size in sizes {
                let chunks = ChunkSplitter.pieces(of: message, size: size)
                let cut = ParsedMessage(chunks, boundary: boundary, options: options)
                #expect(cut == whole, "\(mode), chunks of \(size)", sourceLocation: sourceLocation)
            }
            switch mode == .strict ? strict ?? lenient : lenient {
            case .bodies(let bodies):
                #expect(whole.error == nil, "\(mode)", sourceLocation: sourceLocation)
                #expect(whole.parts.map(\.body) == bodies, "\(mode)", sourceLocation: sourceLocation)
            case .error(let code, let count):
                #expect(whole.error?.code == code, "\(mode)", sourceLocation: sourceLocation)
                #expect(whole.parts.count { $0.isComplete } == count, "\(mode)", sourceLocation: sourceLocation)
            }
        }
    }

    /// Checks that a parser refuses an endless message soon: within a chunk behind a limit's place.
    static func expectEndOf(
        _ head: String,
        thenForEver piece: String,
        code: MultipartError.Code,
        by offset: Int,
        options: MultipartParser.Options = MultipartParser.Options()
    ) throws {
        var parser = MultipartParser(boundary: usualBoundary, options: options)
        parser.append(Data(head.utf8))
        var fed = head.utf8.count
        var failure: MultipartError?
        while failure == nil, fed <= offset + 2 * piece.utf8.count {
            do throws(MultipartError) {
                while try parser.next() != nil {}
                parser.append(Data(piece.utf8))
                fed += piece.utf8.count
            } catch {
                failure = error
            }
        }
        #expect(failure?.code == code)
    }
}
