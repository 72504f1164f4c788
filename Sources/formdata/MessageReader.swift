import Foundation
import MultipartForm

/// Reads a message in pieces of one size and hands what it finds to a handler.
///
/// - Input: an open source.
/// - Output: calls of the handler, in the message's order; a span is valid during the call.
/// - Cost: linear; memory of one block.
struct MessageReader {
    private static let blockSize = 1 << 18

    /// The longest first line that may give the boundary, in bytes.
    private static let lineLimit = 300

    let options: MessageOptions
    /// The parser is fed at most so many bytes at a time.
    var chunkSize = blockSize

    /// Reads to the end of the message, and to that of the input.
    ///
    /// - Throws: The library's error if the message is malformed or over a limit; ``ToolError`` if it cannot be read;
    ///   or what the handler throws.
    func read(_ input: FileDescriptor, _ handler: (MultipartParser.Event<Void>, Span<UInt8>) throws -> Void) throws {
        // A wrong option is reported before anything is read.
        let given = try options.makeParser()
        var progress = ProgressBar(total: input.remainingLength)
        defer { progress.finish() }
        var block = ContiguousArray<UInt8>(repeating: 0, count: Self.blockSize)
        var count = try Self.fill(&block, from: input)
        var parser = try given ?? options.makeParser(boundary: Self.boundary(inFirstLineOf: block[..<count]))
        while count > 0 {
            try Interruption.check()
            for start in stride(from: 0, to: count, by: chunkSize) {
                try parser.parse(block.span.extracting(start..<start + min(chunkSize, count - start)), handler)
            }
            progress.advance(by: count)
            count = count < block.count ? 0 : try Self.fill(&block, from: input)
        }
        try parser.finish(handler)
    }

    /// Fills a block as far as the input goes, and returns how many bytes that are.
    private static func fill(_ block: inout ContiguousArray<UInt8>, from input: FileDescriptor) throws -> Int {
        var filled = 0
        // Each turn reads at least one byte or is the last.
        while filled < block.count {
            // SAFETY: the rest of the block, used inside the closure only.
            let count = try block.withUnsafeMutableBytes { try input.read(into: .init(rebasing: $0[filled...])) }
            guard count > 0 else { break }
            filled += count
        }
        return filled
    }

    /// The boundary of the delimiter that is the message's first line.
    private static func boundary(inFirstLineOf block: ArraySlice<UInt8>) throws -> String {
        let line = block.prefix(lineLimit + 1).prefix { $0 != UInt8(ascii: "\n") }
        var boundary = line.dropFirst(2)
        while let last = boundary.last, " \t\r".utf8.contains(last) { boundary.removeLast() }
        // The close delimiter of an empty form.
        let isWhole = line.count + 1 >= block.count
        if isWhole, boundary.count > 2, boundary.suffix(2).elementsEqual("--".utf8) { boundary.removeLast(2) }
        let text = String(bytes: boundary, encoding: .utf8)
        guard line.starts(with: "--".utf8), line.count <= lineLimit, let text else {
            let fact = "first line does not give the boundary (at offset 0)"
            throw ToolError(.malformed, "boundary-not-found", fact, offset: 0)
        }
        return text
    }
}
