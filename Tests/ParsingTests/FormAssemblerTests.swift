#if canImport(Glibc)
    import Foundation
    import MultipartFormCodec
    import TestSupport
    import Testing

    @Suite struct FormAssemblerTests {
        @Test func `content that arrived in pieces takes no more memory than it counts for`() throws {
            // The C library rounds up.
            let rounding = 64
            for length in [1000, 5000, 12_345, 33_000, 64 << 10] {
                for size in [1, 100, 4096] {
                    let content = Data(repeating: 120, count: length)
                    let sent = MultipartFormData([BodyPart(content, name: "f", filename: "x")], boundary: "b")
                    let pieces = ChunkSplitter.pieces(of: try sent.encode(), size: size)
                    let form = try MultipartFormData(pushing: pieces, contentType: sent.contentType)
                    let collected = try form[0].data()
                    #expect(collected == content)
                    let taken = try collected.withUnsafeBytes { bytes in
                        try #require(AllocatedMemory.length(at: bytes.baseAddress))
                    }
                    #expect(length...length + rounding ~= taken, "\(length) bytes in pieces of \(size): \(taken)")
                }
            }
        }
    }
#endif
