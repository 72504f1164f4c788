import Foundation
import MultipartFormCodec

/// Reads a message from the standard input in chunks, and counts parts and bytes of their bodies.
@main
enum Parser {
    static func main() throws {
        var parser = try MultipartParser(contentType: CommandLine.arguments.dropFirst().first)
        var counts = (parts: 0, bytes: 0)
        while let chunk = try FileHandle.standardInput.read(upToCount: 65536), !chunk.isEmpty {
            try parser.append(chunk)
            while let event = try parser.next() { count(event, &counts) }
        }
        parser.finish()
        while let event = try parser.next() { count(event, &counts) }
        print(counts.parts, counts.bytes)
    }

    private static func count(_ event: MultipartParser.Event<Data>, _ counts: inout (parts: Int, bytes: Int)) {
        switch event {
        case .part: counts.parts += 1
        case .body(let bytes): counts.bytes += bytes.count
        default: break
        }
    }
}
