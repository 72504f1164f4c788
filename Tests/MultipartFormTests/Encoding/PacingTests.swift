import MultipartForm
import Testing

@Suite struct PacingTests {
    @Test func `bytes wait for those before them`() {
        var pacing = Pacing(bytesPerSecond: 100)
        #expect(pacing.delay(of: 50, at: .zero) == .zero)
        #expect(pacing.delay(of: 100, at: .zero) == .milliseconds(500))
        #expect(pacing.delay(of: 1, at: .milliseconds(500)) == .seconds(1))
    }

    @Test func `late bytes do not delay those behind them`() {
        var pacing = Pacing(bytesPerSecond: 100)
        _ = pacing.delay(of: 100, at: .zero)
        #expect(pacing.delay(of: 100, at: .milliseconds(1200)) == .milliseconds(-200))
        #expect(pacing.delay(of: 100, at: .milliseconds(1200)) == .milliseconds(800))
    }

    @Test(arguments: [(1, 1), (3, 1), (4, 1), (1000, 250), (.max, .max / 4)])
    func `what is waited for at once is little`(rate: Int, count: Int) {
        #expect(Pacing(bytesPerSecond: rate).smoothCount == count)
    }

    @Test func `a rate is at least one byte per second`() async {
        await #expect(processExitsWith: .failure) { _ = Pacing(bytesPerSecond: 0) }
    }
}
