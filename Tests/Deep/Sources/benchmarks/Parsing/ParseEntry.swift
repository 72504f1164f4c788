import Foundation
import MultipartFormCodec

/// The two entries of the parser.
enum ParseEntry: String, CaseIterable {
    /// Chunks as `Data`, each with its own memory, as from a connection.
    case data
    /// Borrowed bytes of messages that begin pages.
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
            let (bytes, starts) = Self.atPages(input)
            let moved = ranges.enumerated().map { index, chunks in
                let distance = starts[index] - index * input.messageLength
                return chunks.map { $0.lowerBound + distance..<$0.upperBound + distance }
            }
            return { try Self.parse(bytes, moved, mode, readsNames: $0) }
        }
    }

    /// A copy of the messages in which each begins a page, and the offsets at which they do.
    private static func atPages(_ input: ParseInput) -> ([UInt8], [Int]) {
        let page = 4096
        let pages = (input.messageLength + page - 1) / page
        var memory = [UInt8](repeating: 0, count: (input.messageCount * pages + 1) * page)
        let starts = memory.withUnsafeMutableBytes { memory in
            let first = (page - Int(bitPattern: memory.baseAddress) % page) % page
            return (0..<input.messageCount).map { index in
                let start = first + index * pages * page
                let message = index * input.messageLength..<(index + 1) * input.messageLength
                memory[start...].copyBytes(from: input.bytes[message])
                return start
            }
        }
        return (memory, starts)
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
