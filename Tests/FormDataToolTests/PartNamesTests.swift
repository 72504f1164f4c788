import Testing
import formdata

@Suite struct PartNamesTests {
    // Counting from 2 for each name would try as many as came before, for each of thousands.
    @Test func `long names that become equal when they are cut share one count`() {
        let beginning = String(repeating: "q", count: 235)
        var names = PartNames()
        let numbered = ["-first", "-second", "-first", "-second", "-first", "-third", "-third"].map {
            names.next(for: beginning + $0)
        }
        let endings = numbered.map { $0.dropFirst(235) }
        #expect(endings == ["-first", "-second", "-first-2", "-second-3", "-first-4", "-third", "-third-5"])
    }

    @Test func `long names of which the first 235 bytes differ are counted on their own`() {
        let beginning = String(repeating: "q", count: 234)
        var names = PartNames()
        let numbered = ["a", "b", "a", "b"].map { names.next(for: beginning + $0) }
        #expect(numbered.map { $0.dropFirst(234) } == ["a", "b", "a-2", "b-2"])
    }

    @Test(arguments: [(31, true), (32, false)])
    func `an extension has at most 32 bytes with its dot, and is not the whole name`(length: Int, isExtension: Bool) {
        let end = "." + String(repeating: "x", count: length)
        var names = PartNames()
        let numbered = ["a\(end)", "a\(end)", ".txt", ".txt"].map { names.next(for: $0) }
        #expect(numbered == ["a\(end)", isExtension ? "a-2\(end)" : "a\(end)-2", ".txt", ".txt-2"])
    }

    @Test func `names that differ only by letter case are numbered, whichever case has more letters`() {
        for (name, other) in [("Σ.txt", "ς.txt"), ("ς.txt", "σ.txt"), ("K", "\u{212A}"), ("ss", "ß"), ("s", "ſ")] {
            var names = PartNames()
            #expect(names.next(for: name) == name)
            #expect(names.next(for: other) != other)
        }
    }

    @Test func `thousands of long names that are used twice are numbered`() {
        let long = (1_000..<3_000).map { String(repeating: "q", count: 251) + "\($0)" }
        var names = PartNames()
        let first = long.map { names.next(for: $0) }
        let second = long.map { names.next(for: $0) }
        #expect(first == long)
        #expect(second.last == String(repeating: "q", count: 250) + "-2001")
        #expect(second.allSatisfy { $0.utf8.count == 255 })
        #expect(Set(first + second).count == 4_000)
    }
}
