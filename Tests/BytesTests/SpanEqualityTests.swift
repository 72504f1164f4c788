import MultipartFormCodec
import TestSupport
import Testing

@Suite struct SpanEqualityTests {
    private func areEqual(_ left: ContiguousArray<UInt8>, _ right: ContiguousArray<UInt8>) -> Bool {
        left.span.equals(right.span)
    }

    private func bytes(_ count: Int) -> ContiguousArray<UInt8> {
        ContiguousArray((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) })
    }

    @Test(arguments: 0...33)
    func `spans are equal if they have the same bytes, wherever these are`(count: Int) {
        let bytes = bytes(count)
        for start in 0..<9 {
            let one: ContiguousArray<UInt8> = bytes + [1]
            let other: ContiguousArray<UInt8> = ContiguousArray(repeating: 9, count: start) + bytes + [2]
            let areEqual = one.span.extracting(0..<count).equals(other.span.extracting(start..<start + count))
            #expect(areEqual, "from \(start)")
        }
    }

    @Test(arguments: 0...33)
    func `spans that differ in a bit or in length are not equal`(count: Int) {
        let bytes = bytes(count)
        for bit in 0..<8 * count {
            var other = bytes
            other[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!areEqual(bytes, other))
        }
        #expect(!areEqual(bytes, bytes + [0]))
        #expect(!areEqual(bytes + [0], bytes))
    }

    @Test func `a span begins with its first bytes, and with nothing longer`() {
        let bytes = bytes(5)
        for count in 0...5 {
            let first = Array(bytes.prefix(count))
            let isPrefix = bytes.span.starts(with: first)
            let isLongerPrefix = bytes.span.starts(with: first + [9])
            #expect(isPrefix && !isLongerPrefix, "\(count)")
        }
    }

    @Test func `spans that are hashed one after the other are told apart`() {
        func hash(_ texts: String...) -> Int {
            var hasher = Hasher()
            for text in texts { ContiguousArray(text.utf8).span.hash(into: &hasher) }
            return hasher.finalize()
        }
        #expect(hash("ab", "c") == hash("ab", "c"))
        #expect(hash("ab", "c") != hash("a", "bc"))
        #expect(hash("", "abc") != hash("abc", ""))
    }
}
