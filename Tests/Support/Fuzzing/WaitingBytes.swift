package import Foundation
package import MultipartForm

/// Counts how many bytes of a body a parser holds back.
package enum WaitingBytes {
    /// The most bytes of a body that wait when a chunk has been read.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - boundary: Its boundary.
    ///   - options: How to read it.
    ///   - size: The size of the chunks. The count begins with the chunk behind a part's headers, so that it is exact
    ///     for one byte, and too small by less than a chunk for more.
    /// - Returns: How many.
    package static func most(
        _ message: Data,
        boundary: Boundary,
        options: MultipartParser.Options = MultipartParser.Options(),
        chunksOf size: Int
    ) -> Int {
        var parser = MultipartParser(boundary: boundary, options: options)
        var waiting: Int?
        var most = 0
        // What is fed behind an error is dropped.
        var isFailed = false
        for start in stride(from: message.startIndex, to: message.endIndex, by: size) where !isFailed {
            let chunk = message[start..<min(start + size, message.endIndex)]
            parser.append(chunk)
            if let count = waiting { waiting = count + chunk.count }
            do throws(MultipartError) {
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

    /// The most that may wait: a delimiter with its line break, its hyphens, its padding and the line break behind it.
    package static func bound(
        _ boundary: Boundary,
        _ options: MultipartParser.Options = MultipartParser.Options()
    ) -> Int {
        2 + boundary.dashBoundary.count + 2 + options.maxHeaderBytes + 2
    }
}
