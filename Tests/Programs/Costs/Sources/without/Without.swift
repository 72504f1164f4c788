import Foundation

/// Reads the standard input in chunks, and counts bytes.
@main
enum Without {
    static func main() throws {
        var count = 0
        while let chunk = try FileHandle.standardInput.read(upToCount: 65536), !chunk.isEmpty { count += chunk.count }
        print(count)
    }
}
