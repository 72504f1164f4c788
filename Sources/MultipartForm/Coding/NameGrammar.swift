/// Splits the name of a part into keys: `items[0][qty]`, or `items[0].qty` with dots.
///
/// - Input: the bytes of a name.
/// - Output: its segments in order; `[]` is one with an empty key. A name of any other form is one segment, whole.
/// - Cost: looks at each byte once.
struct NameGrammar {
    /// A key and its place in the name.
    struct Segment: Equatable {
        let key: Range<Int>
        /// The end of the segment, after its closing bracket.
        let end: Int
    }

    private static let dot = UInt8(ascii: ".")
    private static let open = UInt8(ascii: "[")
    private static let close = UInt8(ascii: "]")

    let usesDots: Bool

    init(_ style: FormDataEncoder.KeyPathEncoding) {
        usesDots = style.usesDots
    }

    /// Replaces `segments` with those of a name.
    func split(_ name: Span<UInt8>, into segments: inout ContiguousArray<Segment>) {
        segments.removeAll(keepingCapacity: true)
        if !append(name, to: &segments) {
            segments.removeAll(keepingCapacity: true)
            segments.append(Segment(key: 0..<name.count, end: name.count))
        }
    }

    /// Appends the segments of a name; false if it has none.
    private func append(_ name: Span<UInt8>, to segments: inout ContiguousArray<Segment>) -> Bool {
        let head = endOfWord(name, from: 0)
        guard head > 0 else { return false }
        segments.append(Segment(key: 0..<head, end: head))
        var index = head
        while index < name.count {
            let start = index + 1
            let end = endOfWord(name, from: start)
            switch name[index] {
            case Self.open:
                guard end < name.count, name[end] == Self.close else { return false }
                guard !usesDots || (start..<end).allSatisfy({ ASCII.isDigit(name[$0]) }) else { return false }
                index = end + 1
            case Self.dot where usesDots && end > start:
                index = end
            default:
                return false
            }
            segments.append(Segment(key: start..<end, end: index))
        }
        return true
    }

    /// The first bracket at or after an index or, with dots, dot; else the end.
    private func endOfWord(_ name: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index < name.count {
            let byte = name[index]
            if byte == Self.open || byte == Self.close || (usesDots && byte == Self.dot) { break }
            index += 1
        }
        return index
    }
}
