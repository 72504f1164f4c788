import Testing
import formdata

@Suite struct PartNamesTests {
    // Counting from 2 for each of them would try 200 million names, which takes minutes.
    @Test(.timeLimit(.minutes(1)))
    func `thousands of long names that are used twice are numbered`() {
        let long = (10_000..<30_000).map { String(repeating: "q", count: 250) + "\($0)" }
        var names = PartNames()
        let first = long.map { names.next(for: $0) }
        let second = long.map { names.next(for: $0) }
        #expect(first == long)
        #expect(second.last == String(repeating: "q", count: 249) + "-20001")
        #expect(second.allSatisfy { $0.utf8.count == 255 })
        #expect(Set(first + second).count == 40_000)
    }
}
