import Foundation
import MultipartForm

/// Reads the message that the command line of `decode` or `inspect` describes.
///
/// - Input: an open source.
/// - Output: calls of the handler, in the message's order; a span is valid during the call.
/// - Cost: linear; memory of one block.
struct MessageReader {
    /// The options with a value; `--strict` is a flag.
    static let options = [
        "--content-type", "--boundary", "--max-parts", "--max-header-count", "--max-header-bytes",
        "--max-preamble-bytes", "--max-part-bytes", "--max-total-bytes",
    ]

    /// The longest first line that may give the boundary, in bytes.
    private static let lineLimit = 300

    let path: String
    private let contentType: String?
    private let boundary: String?
    private let options: MultipartParser.Options
    /// The parser is called with at most so many bytes.
    private let chunkSize: Int

    init(_ arguments: Arguments) throws {
        try arguments.checkOperands(atMost: 1)
        path = arguments.operands.first ?? "-"
        contentType = try arguments.value("--content-type")
        boundary = try arguments.value("--boundary")
        guard contentType == nil || boundary == nil else {
            throw ToolError.usage("--content-type and --boundary exclude each other")
        }
        var options = arguments.has("--strict") ? MultipartParser.Options.strict : MultipartParser.Options()
        options.maxParts = try arguments.number("--max-parts") ?? options.maxParts
        options.maxHeaderCount = try arguments.number("--max-header-count") ?? options.maxHeaderCount
        options.maxHeaderBytes = try arguments.number("--max-header-bytes") ?? options.maxHeaderBytes
        options.maxPreambleBytes = try arguments.number("--max-preamble-bytes") ?? options.maxPreambleBytes
        options.maxPartBytes = try arguments.number("--max-part-bytes")
        options.maxTotalBytes = try arguments.number("--max-total-bytes")
        self.options = options
        chunkSize = try arguments.number("--chunk-size", atLeast: 1) ?? 1 << 16
    }

    /// Reads to the end of the message, and to that of the input.
    func read(_ input: FileDescriptor, _ handler: (MultipartParser.Event<Void>, Span<UInt8>) throws -> Void) throws {
        // A wrong option is reported before anything is read.
        let given =
            try contentType.map { try MultipartParser(contentType: $0, options: options) } ?? boundary.map(parser)
        var progress = ProgressBar(total: input.remainingLength)
        defer { progress.finish() }
        var block = ContiguousArray<UInt8>(repeating: 0, count: 1 << 18)
        var count = try Self.fill(&block, from: input)
        var parser = try given ?? parser(boundary: Self.boundary(inFirstLineOf: block[..<count]))
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

    private func parser(boundary: String) throws -> MultipartParser {
        MultipartParser(boundary: try Boundary(parsing: boundary, mode: options.mode), options: options)
    }

    /// Fills a block as far as the input goes, and returns how many bytes that are.
    private static func fill(_ block: inout ContiguousArray<UInt8>, from input: FileDescriptor) throws -> Int {
        var filled = 0
        // Each pass reads at least one byte or is the last.
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
