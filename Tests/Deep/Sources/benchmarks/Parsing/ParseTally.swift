import Foundation
import MultipartFormCodec

/// Counts a parser's events, so that the optimiser keeps the work and no event is missing.
struct ParseTally: Equatable {
    /// Whether name, file name and media type of each part are read, as a server does.
    let readsNames: Bool
    /// The complete parts.
    private(set) var parts = 0
    /// The complete messages.
    private(set) var messages = 0
    /// The length of all bodies.
    private(set) var bodyBytes = 0
    /// The length of all text that was read.
    private(set) var textBytes = 0

    /// Creates an empty tally.
    init(readsNames: Bool) {
        self.readsNames = readsNames
    }

    /// Takes an event of a parser that owns its chunks.
    mutating func take(_ event: MultipartParser.Event<Data>) {
        switch event {
        case .part(let headers): read(headers)
        case .body(let data): bodyBytes += data.count
        case .endOfPart: parts += 1
        case .end: messages += 1
        }
    }

    /// Takes an event about bytes that the caller owns.
    mutating func take(_ event: MultipartParser.Event<Void>, _ body: Span<UInt8>) {
        switch event {
        case .part(let headers): read(headers)
        case .body: bodyBytes += body.count
        case .endOfPart: parts += 1
        case .end: messages += 1
        }
    }

    private mutating func read(_ headers: HeaderFields) {
        guard readsNames else { return }
        textBytes += headers.name?.utf8.count ?? 0
        textBytes += headers.filename?.utf8.count ?? 0
        textBytes += headers.contentType?.utf8.count ?? 0
    }

    /// Throws unless the parts and messages are those of the input.
    func check(parts expectedParts: Int, messages expectedMessages: Int) throws {
        guard parts == expectedParts, messages == expectedMessages, bodyBytes > 0 else {
            throw BenchmarkError("parsed \(parts) parts of \(messages) messages, wanted \(expectedParts)")
        }
    }
}
