import Foundation
import MultipartForm

/// Reads a message in pieces of one size and hands what it finds to a handler.
///
/// - Input: an open source.
/// - Output: calls of the handler, in the message's order; a span is valid during the call.
/// - Cost: linear; memory of one block.
struct MessageReader {
    typealias Handler = (MultipartParser.BorrowedEvent, Span<UInt8>) throws -> Void

    private static let blockSize = 1 << 18

    /// The longest first line that may give the boundary, in bytes.
    private static let lineLimit = 300

    private let options: MessageOptions
    private let chunkSize: Int

    /// Creates a reader that feeds the parser at most `chunkSize` bytes at a time.
    init(_ options: MessageOptions, chunkSize: Int = blockSize) {
        self.options = options
        self.chunkSize = chunkSize
    }

    /// Reads to the end of the message, and to that of the input.
    ///
    /// - Throws: ``ToolError`` if the message is malformed, over a limit or cannot be read; or what the handler throws.
    func read(_ source: InputSource, _ handler: Handler) throws {
        do {
            try parse(source, handler)
        } catch let error as MultipartParsingError {
            throw ToolError(error)
        }
    }

    private func parse(_ source: InputSource, _ handler: Handler) throws {
        // A wrong option is reported before anything is read.
        let given = try options.makeParser()
        var block = [UInt8](repeating: 0, count: Self.blockSize)
        var count = try source.fill(&block)
        var parser = try given ?? options.makeParser(boundary: Self.boundary(inFirstLineOf: block[..<count]))
        var progress = ProgressBar(total: source.length)
        defer { progress.finish() }
        while count > 0 {
            try Interruption.check()
            for start in stride(from: 0, to: count, by: chunkSize) {
                try parser.parse(block.span.extracting(start..<start + min(chunkSize, count - start)), handler)
            }
            progress.advance(by: count)
            count = count < block.count ? 0 : try source.fill(&block)
        }
        parser.finish()
        while let event = try parser.next() {
            switch event {
            case .part(let headers): try handler(.part(headers), [UInt8]().span)
            case .body(let bytes): try handler(.body, bytes.span)
            case .endOfPart: try handler(.endOfPart, [UInt8]().span)
            case .end: try handler(.end, [UInt8]().span)
            }
        }
    }

    /// The boundary of the delimiter that is the message's first line.
    private static func boundary(inFirstLineOf block: ArraySlice<UInt8>) throws -> String {
        var line = block.prefix(lineLimit + 1).prefix { $0 != UInt8(ascii: "\n") }
        let isWholeMessage = line.count + 1 >= block.count
        guard line.starts(with: "--".utf8), line.count <= lineLimit else { throw firstLineError }
        line = line.dropFirst(2)
        while let last = line.last, " \t\r".utf8.contains(last) { line.removeLast() }
        // The close delimiter of an empty form.
        if isWholeMessage, line.count > 2, line.suffix(2).elementsEqual("--".utf8) { line.removeLast(2) }
        guard let text = String(validating: line, as: UTF8.self) else { throw firstLineError }
        return text
    }

    private static var firstLineError: ToolError {
        let fact = "first line does not give the boundary (at offset 0)"
        return ToolError(.malformed, "boundary-not-found", fact, offset: 0)
    }
}
