import Foundation
import MultipartFormCodec

/// Collects a file that is as long as its route allows, and one that is a byte longer, with limits above all defaults.
enum RouteLimits {
    private static let limit = 2 << 30
    private static let piece = Data(count: 1 << 20)

    static func run() throws {
        let route: @Sendable (HeaderFields) throws -> MultipartCollector.Route = { headers in
            headers.filename == nil ? .accept : .disk(upTo: limit)
        }
        for excess in [0, 1] {
            let boundary = Boundary("b")
            let head = "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x\"\r\n\r\n"
            let tail = "\(String(repeating: "x", count: excess))\r\n--b--\r\n"
            var collector = MultipartCollector(boundary: boundary, route: route)
            do {
                try collector.append(Data(head.utf8))
                for _ in 0..<limit / piece.count { try collector.append(piece) }
                try collector.append(Data(tail.utf8))
                let form = try collector.finish()
                guard excess == 0, form[0].length == UInt64(limit) else {
                    Hostile.fail("a file above its limit is kept")
                }
            } catch let error as MultipartError {
                guard excess == 1, error.code == .limitPartBytes, error.limit == limit else {
                    Hostile.fail("a file of its limit and \(excess) bytes: \(error)")
                }
            }
        }
        print("a file of 2 GiB is kept by a route of 2 GiB, and one of a byte more is not")
    }
}
