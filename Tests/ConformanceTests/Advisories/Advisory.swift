import Foundation
import MultipartFormCodec
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
    /// The name of the file with the check, without its extension.
    let source: String
    /// Parses or encodes such input, and checks the answer.
    let check: @Sendable () async throws -> Void

    /// Creates an advisory; `file` is the file that calls this.
    init(
        id: String,
        project: String,
        fault: String,
        answer: String,
        file: String = #fileID,
        check: @escaping @Sendable () async throws -> Void
    ) {
        self.id = id
        self.project = project
        self.fault = fault
        self.answer = answer
        source = String(file.split(separator: "/").last?.dropLast(".swift".count) ?? "")
        self.check = check
    }

    var testDescription: String { "\(id), \(project): \(fault). Here: \(answer)" }

    /// Every advisory.
    static let all = sizes + receiving + endings + framing + grammar + coding + encoding
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
    ///   - fixed: The message without its fault, which both modes must accept, so that only the fault counts.
    ///   - boundary: The message's boundary.
    ///   - options: The limits to parse with.
    ///   - sizes: The lengths of the chunks.
    ///   - sourceLocation: The location to report.
    /// - Throws: An error of `#require`.
    static func expect(
        _ message: Data,
        _ lenient: Outcome,
        strict: Outcome? = nil,
        fixed: Data? = nil,
        boundary: Boundary = usualBoundary,
        options: MultipartParser.Options = MultipartParser.Options(),
        chunks sizes: [Int] = [64],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for mode in [ParsingMode.lenient, .strict] {
            var options = options
            options.mode = mode
            if let fixed {
                let accepted = ParsedMessage([fixed], boundary: boundary, options: options)
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

    /// Checks the outcome of a message for everything that parses, in both modes and in chunks of several lengths.
    ///
    /// The errors of all are equal: with their offset and their part. What collects a form has no parts if it fails.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - lenient: The outcome in lenient mode.
    ///   - strict: The outcome in strict mode; the same unless given.
    ///   - options: The limits to parse with.
    ///   - sizes: The lengths of the chunks.
    ///   - sourceLocation: The location to report.
    /// - Throws: Any error but a `MultipartError`.
    static func expectOfAll(
        _ message: Data,
        _ lenient: Outcome,
        strict: Outcome? = nil,
        options: MultipartParser.Options = MultipartParser.Options(),
        chunks sizes: [Int] = [7, 4096],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let directory = try TemporaryDirectory()
        for mode in [ParsingMode.lenient, .strict] {
            var options = options
            options.mode = mode
            let outcome = mode == .strict ? strict ?? lenient : lenient
            for size in sizes {
                let chunks = ChunkSplitter.pieces(of: message, size: size)
                let results = try await ParsingEntryPoints.all(
                    chunks,
                    boundary: usualBoundary,
                    options: options,
                    directory: directory
                )
                for (name, result) in results {
                    let comment: Comment = "\(name), \(mode), chunks of \(size)"
                    switch outcome {
                    case .bodies(let bodies):
                        #expect(result.error == nil, comment, sourceLocation: sourceLocation)
                        #expect(result.parts.map(\.body) == bodies, comment, sourceLocation: sourceLocation)
                    case .error(let code, _):
                        #expect(result.error?.code == code, comment, sourceLocation: sourceLocation)
                        #expect(result.error == results[0].message.error, comment, sourceLocation: sourceLocation)
                    }
                }
                #expect(directory.contents.isEmpty, "\(mode), chunks of \(size)", sourceLocation: sourceLocation)
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
            do {
                while try parser.next() != nil {}
                parser.append(Data(piece.utf8))
                fed += piece.utf8.count
            } catch let error as MultipartError {
                failure = error
            }
        }
        #expect(failure?.code == code)
    }
}
