package import Foundation
package import MultipartFormCodec

/// Counts how many bytes of a body a parser holds back.
package enum WaitingBytes {
    /// The most bytes of a body that the parser holds back after a chunk.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - boundary: Its boundary.
    ///   - options: The options to parse with.
    ///   - size: The size of the chunks. The count begins with the chunk after a part's headers: it is exact for one
    ///     byte, and too small by less than a chunk otherwise.
    /// - Returns: The number of bytes.
    package static func most(
        _ message: Data,
        boundary: Boundary,
        options: MultipartParser.Options = MultipartParser.Options(),
        chunksOf size: Int
    ) -> Int {
        var parser = MultipartParser(boundary: boundary, options: options)
        var waiting: Int?
        var most = 0
        // The parser drops chunks after an error.
        var isFailed = false
        for start in stride(from: message.startIndex, to: message.endIndex, by: size) where !isFailed {
            let chunk = message[start..<min(start + size, message.endIndex)]
            parser.append(chunk)
            if let count = waiting { waiting = count + chunk.count }
            do {
                while let event = try parser.next() {
                    switch event {
                    case .part: waiting = 0
                    case .body(let data): waiting = max((waiting ?? 0) - data.count, 0)
                    case .endOfPart, .end: waiting = nil
                    }
                }
                most = max(most, waiting ?? 0)
            } catch {
                isFailed = true
            }
        }
        return most
    }

    /// The most that may be held back: a delimiter with its hyphens, its padding and both line breaks.
    package static func bound(
        _ boundary: Boundary,
        _ options: MultipartParser.Options = MultipartParser.Options()
    ) -> Int {
        2 + boundary.dashBoundary.count + 2 + options.maxHeaderBytes + 2
    }
}
