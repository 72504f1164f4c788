import Foundation
import MultipartFormCodec
import TestSupport
import Testing
import formdata

/// What `inspect` finds in messages that arrive in pieces.
struct MessagePiecesTests {
    /// Limits near the lengths of the messages, and the mode.
    private static func options(using generator: inout SeededGenerator) -> MultipartParser.Options {
        var options = MultipartParser.Options(mode: Bool.random(using: &generator) ? .lenient : .strict)
        if Bool.random(using: &generator) { options.maxParts = Int.random(in: 0...3, using: &generator) }
        if Bool.random(using: &generator) { options.maxHeaderCount = Int.random(in: 0...3, using: &generator) }
        if Bool.random(using: &generator) { options.maxHeaderBytes = Int.random(in: 0...150, using: &generator) }
        if Bool.random(using: &generator) { options.maxPreambleBytes = Int.random(in: 0...8, using: &generator) }
        if Bool.random(using: &generator) { options.maxPartBytes = Int.random(in: 0...20, using: &generator) }
        if Bool.random(using: &generator) { options.maxTotalBytes = Int.random(in: 0...400, using: &generator) }
        return options
    }

    /// The parts, the findings and the error.
    private static func outcome(
        _ pieces: [Data],
        of message: Data,
        _ options: MultipartParser.Options
    ) throws -> [String] {
        let boundary = try MessageBoundary(options.mode) { try Boundary(parsing: "b", mode: $0) }
        let analyzer = MessageAnalyzer(MessageOpening(Array(message)[...]))
        analyzer.begin(boundary, options)
        var parts: [String] = []
        var end = "complete"
        let take = { (event: MultipartParser.Event<Void>, bytes: Span<UInt8>, _: ListedPart?) in
            switch event {
            case .part(let headers): parts.append("part \(headers.count) ")
            case .body: parts.append(String(repeating: "x", count: bytes.count))
            case .endOfPart: parts.append(" end ")
            case .end: parts.append("end of form")
            }
        }
        do {
            for piece in pieces { try analyzer.take(piece.span, take) }
            try analyzer.finish(take)
        } catch let error as MultipartError {
            end =
                "\(error.code) \(error.offset ?? 0) \(error.partIndex ?? -1) \(analyzer.summary.words(for: error) ?? "")"
        }
        return [parts.joined()] + analyzer.summary.findings.lines + [end]
    }

    /// Content of which there is something to say.
    private static let contents: [[UInt8]] = [
        Array("[object File]".utf8), Array("\u{FFFD}PNG\0".utf8),
        Array("--x\r\nContent-Disposition: form-data\r\n".utf8),
        Array(String(repeating: "\u{FFFD}\0", count: 300).utf8), [0x50, 0x4B, 3, 4], Array("data:,x".utf8),
    ]

    @Test func `what is said of a message, and its error, do not depend on how it is cut, with any limits`() throws {
        for seed in UInt64(0)..<2000 {
            var generator = SeededGenerator(seed: seed)
            var message = MessageMangler.message(boundary: "b", using: &generator)
            if Bool.random(using: &generator) {
                // More parts than one message has.
                message = message.replacing("--b--".utf8, with: [])
                message += MessageMangler.message(boundary: "b", using: &generator)
            }
            if let content = Self.contents.randomElement(using: &generator), Bool.random(using: &generator) {
                message = message.replacing("value".utf8, with: content).replacing("x.txt".utf8, with: "x.png".utf8)
            }
            let options = Self.options(using: &generator)
            let whole = try Self.outcome([message], of: message, options)
            var parser = MultipartParser(boundary: try Boundary(parsing: "b"), options: options)
            let result = MultipartError.catching {
                try parser.parse(message.span) { _, _ in }
                try parser.finish { _, _ in }
            }
            var end = "complete"
            if case .failure(let error) = result { end = "\(error.code) \(error.offset ?? 0) " }
            #expect(whole.last?.hasPrefix(end) == true, "seed \(seed)")
            let bytes = ChunkSplitter.pieces(of: message, size: 1)
            let cuts = [5, 60].map { ChunkSplitter.random(message, longest: $0, using: &generator) }
            for pieces in [bytes] + cuts {
                let outcome = try Self.outcome(pieces, of: message, options)
                #expect(outcome == whole, "seed \(seed), \(pieces.count) pieces")
            }
        }
    }

    @Test func `nor does it with a limit of the whole message anywhere, after a refusal`() throws {
        let part = "--b\r\nContent-Disposition: form-data; name=\"a\\\\\"\r\nX: y\r\n\r\n1\r\n"
        let message = Data((part + part + part + "--b--\r\nx").utf8)
        for mode in [ParsingMode.lenient, .strict] {
            for limit in 0...message.count {
                let options = MultipartParser.Options(mode: mode, maxTotalBytes: limit)
                let whole = try Self.outcome([message], of: message, options)
                for size in [1, 50] {
                    let pieces = ChunkSplitter.pieces(of: message, size: size)
                    #expect(try Self.outcome(pieces, of: message, options) == whole, "\(limit) bytes")
                }
            }
        }
    }
}
