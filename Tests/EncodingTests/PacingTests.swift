import MultipartFormCodec
import Testing

@Suite struct PacingTests {
    @Test func `bytes wait for those before them`() {
        var pacing = Pacing(bytesPerSecond: 100)
        #expect(pacing.delay(of: 50, at: 7) == 0)
        #expect(pacing.delay(of: 100, at: 7) == 500_000_000)
        #expect(pacing.delay(of: 1, at: 500_000_007) == 1_000_000_000)
    }

    @Test func `late bytes do not delay those after them`() {
        var pacing = Pacing(bytesPerSecond: 100)
        _ = pacing.delay(of: 100, at: 0)
        #expect(pacing.delay(of: 100, at: 1_200_000_000) == 0)
        #expect(pacing.delay(of: 100, at: 1_200_000_000) == 800_000_000)
    }

    @Test(arguments: [(1, 1), (3, 1), (4, 1), (1000, 250), (.max, .max / 4)])
    func `a quarter of a second's bytes, at least one, are sent at once`(rate: Int, count: Int) {
        #expect(Pacing(bytesPerSecond: rate).smoothCount == count)
    }

    @Test func `a wait of centuries does not overflow`() {
        var pacing = Pacing(bytesPerSecond: 1)
        _ = pacing.delay(of: .max, at: 0)
        #expect(pacing.delay(of: 1, at: 0) == 1_000_000_000_000_000_000)
    }

    @Test func `a rate is at least one byte per second`() async {
        await #expect(processExitsWith: .failure) { _ = Pacing(bytesPerSecond: 0) }
    }
}
