import Foundation
import MultipartForm
import TestSupport
import Testing

/// A public advisory about another multipart parser or encoder, and the proof that it does not apply here.
struct Advisory: Sendable, CustomTestStringConvertible {
    /// Its identifiers.
    let id: String
    /// The affected project.
    let project: String
    /// What went wrong there.
    let fault: String
    /// How this library handles such input.
    let answer: String
    /// Parses or encodes such input, and checks the answer.
    let check: @Sendable () throws -> Void

    var testDescription: String { id }

    /// The row of the table in the documentation.
    var row: String { "| \(id) | \(project) | \(fault) | \(answer) |" }

    /// Every advisory.
    static let all = sizes + receiving + framing + grammar + coding + encoding
}

extension Advisory {
    /// The expected outcome of a message.
    enum Outcome: Sendable {
        /// Parts with these bodies.
        case bodies([Data])
        /// An error, by its code, after some complete parts.
        case error(MultipartError.Code, afterParts: Int = 0)
    }

    static let usualBoundary = Boundary("BND")

    /// A message with these parts.
    static func message(_ parts: [(header: String, body: String)]) -> Data {
        let text = parts.map { "--BND\r\n\($0.header)\r\n\r\n\($0.body)\r\n" }.joined()
        return Data("\(text)--BND--\r\n".utf8)
    }

    /// A Content-Disposition line with further parameters after the name.
    static func disposition(_ rest: String = "") -> String {
        "Content-Disposition: form-data; name=\"a\"\(rest)"
    }

    /// Checks the outcome of a message in both modes, whole and in chunks.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - lenient: The outcome in lenient mode.
    ///   - strict: The outcome in strict mode; the same unless given.
    ///   - mended: The message without its fault, which both modes must accept, so that only the fault counts.
    ///   - boundary: The message's boundary.
    ///   - options: The limits to parse with.
    ///   - sizes: The lengths of the chunks.
    ///   - sourceLocation: The location to report.
    /// - Throws: An error of `#require`.
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

    /// Checks that a parser refuses an endless message at most a chunk after a limit.
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
