import Foundation
import MultipartForm

/// The two entries of the parser.
enum ParseEntry: String, CaseIterable {
    /// Chunks as `Data`, each with its own memory, as from a connection.
    case data
    /// Borrowed bytes.
    case borrowed

    /// A parser for the inputs' boundary, with limits that no input exceeds.
    static func makeParser(_ mode: ParsingMode = .lenient) throws -> MultipartParser {
        MultipartParser(
            boundary: try Boundary(parsing: ParseInput.boundaryText, mode: .strict),
            options: MultipartParser.Options(mode: mode, maxParts: .max)
        )
    }

    /// Prepares runs: cuts the input into chunks.
    ///
    /// - Parameters:
    ///   - input: The messages.
    ///   - chunk: The length of a chunk, in bytes.
    ///   - mode: The parsing mode.
    /// - Returns: Parses the whole input; its argument is whether the parts' names are read.
    func prepare(
        _ input: ParseInput,
        chunk: Int,
        mode: ParsingMode = .lenient
    ) -> (Bool) throws -> ParseTally {
        let ranges = (0..<input.messageCount).map { input.chunks(ofMessage: $0, size: chunk) }
        switch self {
        case .data:
            let messages = ranges.map { $0.map { Data(input.bytes[$0]) } }
            return { try Self.parse(messages, mode, readsNames: $0) }
        case .borrowed:
            return { try Self.parse(input.bytes, ranges, mode, readsNames: $0) }
        }
    }

    private static func parse(
        _ messages: [[Data]],
        _ mode: ParsingMode,
        readsNames: Bool
    ) throws -> ParseTally {
        var tally = ParseTally(readsNames: readsNames)
        for chunks in messages {
            var parser = try makeParser(mode)
            for chunk in chunks {
                parser.append(chunk)
                while let event = try parser.next() { tally.take(event) }
            }
            parser.finish()
            while let event = try parser.next() { tally.take(event) }
        }
        return tally
    }

    private static func parse(
        _ bytes: [UInt8],
        _ messages: [[Range<Int>]],
        _ mode: ParsingMode,
        readsNames: Bool
    ) throws -> ParseTally {
        var tally = ParseTally(readsNames: readsNames)
        let span = bytes.span
        for chunks in messages {
            var parser = try makeParser(mode)
            for chunk in chunks {
                try parser.parse(span.extracting(chunk)) { tally.take($0, $1) }
            }
            try parser.finish { tally.take($0, $1) }
        }
        return tally
    }
}
