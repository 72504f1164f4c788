import MultipartFormCodec
import Testing

@Suite struct ASCIIScanningTests {
    /// The byte among letters, at every place of runs about as long as a word.
    private static func runs(with byte: UInt8) -> [(bytes: ContiguousArray<UInt8>, place: Int)] {
        [7, 8, 9, 17].flatMap { count in
            (0..<count).map { place in
                var bytes = ContiguousArray<UInt8>(repeating: 0x61, count: count)
                bytes[place] = byte
                return (bytes, place)
            }
        }
    }

    @Test func `every byte ends exactly the runs it should, at any place`() {
        for byte in UInt8.min...UInt8.max { expectEnds(ofRunsWith: byte) }
    }

    private func expectEnds(ofRunsWith byte: UInt8) {
        for (bytes, place) in Self.runs(with: byte) {
            let text = [0, 10, 13].contains(byte) ? place : bytes.count
            #expect(ASCII.endOfText(bytes.span, from: 0, to: bytes.count) == text, "\(byte) at \(place)")
            let isPlain = byte >= 0x20 && byte != 0x7F
            let plain = isPlain ? bytes.count : place
            #expect(ASCII.endOfPlainText(bytes.span, from: 0) == plain, "\(byte) at \(place)")
            for isASCII in [false, true] {
                let isQuotable = isPlain && byte != 0x22 && byte != 0x5C && (byte < 0x80 || !isASCII)
                let quoted = isQuotable ? bytes.count : place
                let found = ASCII.endOfPlainQuotedText(bytes.span, from: 0, isASCII: isASCII)
                #expect(found == quoted, "\(byte) at \(place)")
            }
            let isInName = [0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D...0x2D].contains { $0.contains(byte) }
            #expect(ASCII.endOfName(bytes.span, from: 0) == (isInName ? bytes.count : place), "\(byte) at \(place)")
            let token = ASCII.isTokenCharacter(byte) ? bytes.count : place
            #expect(ASCII.endOfToken(bytes.span, from: 0) == token, "\(byte) at \(place)")
            #expect(ASCII.endOfASCII(bytes.span, from: 0) == (byte < 0x80 ? bytes.count : place), "\(byte) at \(place)")
        }
    }

    @Test func `a control ends a run of plain text that is not ASCII`() {
        for control in Array(UInt8.min..<0x20) + [0x7F] {
            for (run, place) in Self.runs(with: control) {
                let bytes = ContiguousArray("\u{E9}".utf8) + run
                let end = place + 2
                #expect(ASCII.endOfPlainText(bytes.span, from: 0) == end, "\(control) at \(end)")
                let quoted = ASCII.endOfPlainQuotedText(bytes.span, from: 0)
                #expect(quoted == end, "\(control) at \(end)")
            }
        }
    }

    @Test func `a run is searched only between its bounds`() {
        let bytes = ContiguousArray("\r\n........\r\n........\r\n".utf8)
        for start in 0...bytes.count {
            let end = bytes[start...].firstIndex { $0 < 0x20 } ?? bytes.count
            #expect(ASCII.endOfPlainText(bytes.span, from: start) == end)
            for limit in start...bytes.count {
                #expect(ASCII.endOfText(bytes.span, from: start, to: limit) == min(end, limit))
            }
        }
    }

    @Test func `only CR LF is a line break`() {
        let bytes = ContiguousArray("\r\n\r\r\n".utf8)
        let found = (0...5).map { ASCII.isLineBreak(bytes.span, at: $0) }
        #expect(found == [true, false, false, true, false, false])
        let cut = ContiguousArray("\r".utf8)
        let isFound = ASCII.isLineBreak(cut.span, at: 0)
        #expect(!isFound)
    }

    @Test func `a run ends right after a byte that needs a second look`() {
        let text = ContiguousArray("\t\r".utf8)
        #expect(ASCII.endOfText(text.span, from: 0, to: 2) == 1)
        let token = ContiguousArray("!:".utf8)
        #expect(ASCII.endOfToken(token.span, from: 0) == 1)
    }

    @Test func `a run does not begin before the bytes`() async {
        await #expect(processExitsWith: .failure) {
            let bytes = ContiguousArray<UInt8>(repeating: 65, count: 100)
            _ = ASCII.endOfASCII(bytes.span, from: -1)
        }
    }
}
