import Foundation
import MultipartForm

/// Takes the parts of a message as they are read.
protocol PartReceiver {
    /// A part begins.
    mutating func beginPart(_ headers: HeaderFields) throws
    /// Some bytes of its body; they are valid during the call.
    mutating func receive(_ bytes: Span<UInt8>) throws
    /// The part is complete.
    mutating func endPart() throws
}

/// Reads a message in pieces of one size and hands its parts to a receiver.
///
/// - Input: an open source.
/// - Output: calls of the receiver, in the message's order.
/// - Cost: linear; memory of one piece, or of 64 KiB if pieces are smaller.
struct MessageReader {
    private let options: MessageOptions
    private let chunkSize: Int

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - options: What the command line says about the message.
    ///   - chunkSize: How many bytes the parser is fed at a time; at least 1.
    init(_ options: MessageOptions, chunkSize: Int) {
        self.options = options
        self.chunkSize = chunkSize
    }

    /// Reads to the end of the message, and to that of the input.
    ///
    /// - Throws: ``ToolError`` if the message is malformed, over a limit or cannot be read; or what the receiver throws.
    func read(_ source: InputSource, to receiver: inout some PartReceiver) throws {
        do {
            try parse(MessageSource(source, options), to: &receiver)
        } catch let error as MultipartParsingError {
            throw ToolError(error)
        }
    }

    private func parse(_ message: consuming MessageSource, to receiver: inout some PartReceiver) throws {
        var parser = MultipartParser(boundary: message.boundary, limits: options.limits, mode: options.mode)
        var progress = ProgressBar(total: message.length)
        defer { progress.finish() }
        let blockSize = chunkSize * max(1, (1 << 16) / chunkSize)
        var block: [UInt8] = []
        repeat {
            try Interruption.check()
            message.fill(&block, upTo: blockSize)
            var start = 0
            while start < block.count {
                let end = chunkSize < block.count - start ? start + chunkSize : block.count
                try parser.parse(block.span.extracting(start..<end)) { event, bytes in
                    switch event {
                    case .part(let headers): try receiver.beginPart(headers)
                    case .body: try receiver.receive(bytes)
                    case .endOfPart: try receiver.endPart()
                    case .end: break
                    }
                }
                start = end
            }
            progress.advance(by: block.count)
        } while block.count == blockSize
        try message.checkEnd()
        parser.finish()
        while let event = try parser.next() {
            switch event {
            case .part(let headers): try receiver.beginPart(headers)
            case .body(let bytes): try receiver.receive(bytes.span)
            case .endOfPart: try receiver.endPart()
            case .end: break
            }
        }
    }
}
