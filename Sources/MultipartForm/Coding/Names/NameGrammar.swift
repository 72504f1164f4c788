/// The grammar of the names of parts, in both directions: `items[0][qty]`, `items[0].qty` with dots, or one key only.
///
/// - Input: the bytes of a name, or the keys to join.
/// - Output: the segments of the name in order; `[]` is a segment with an empty key. A name that does not fit the
///   grammar is one key as a whole.
/// - Cost: reads each byte once.
struct NameGrammar: Equatable {
    /// A segment of a name: a key, and where the segment ends.
    struct Segment: Equatable {
        let key: Range<Int>
        /// The end of the segment, after its closing bracket.
        let end: Int
    }

    /// How keys are joined.
    enum Style {
        case brackets, dots
        /// Keys are not joined: each name is one key.
        case json
    }

    /// How a name can be read in other styles.
    struct OtherStyle {
        /// Where the first key may end: before the first dot, and before the first bracket.
        let ends: [Int]
        /// Whether the name does not fit the grammar. A name that fits may have dots or brackets as part of a key, so
        /// its other style is not certain.
        let isCertain: Bool
    }

    private static let dot = UInt8(ascii: ".")
    private static let open = UInt8(ascii: "[")
    private static let close = UInt8(ascii: "]")

    let style: Style
    private var usesDots: Bool { style == .dots }

    // From names to keys.

    /// Replaces `segments` with those of a name. Returns false if the name does not fit the grammar; then the whole
    /// name is one key.
    @discardableResult
    func split(_ name: Span<UInt8>, into segments: inout ContiguousArray<Segment>) -> Bool {
        segments.removeAll(keepingCapacity: true)
        if style != .json, append(name, to: &segments) { return true }
        segments.removeAll(keepingCapacity: true)
        segments.append(Segment(key: 0..<name.count, end: name.count))
        return style == .json
    }

    /// How a name can be read in other styles; nil if it cannot. `isWellFormed` is the result of ``split(_:into:)``.
    func otherStyle(of name: Span<UInt8>, isWellFormed: Bool) -> OtherStyle? {
        // The fast path, for most names: those without dots and brackets, and those that fit the grammar and have no
        // dot before their brackets.
        let end = Self.endOfKey(name, from: 0, endsAtDot: true)
        guard end < name.count, !isWellFormed || style == .json || name[end] == Self.dot else { return nil }
        let dot = name[end] == Self.dot ? end : name.indices.first { name[$0] == Self.dot }
        let bracket = (end..<name.count).first { Self.isBracket(name[$0]) }
        let mayBeOther =
            switch style {
            case .brackets: isWellFormed ? (dot ?? name.count) < (bracket ?? name.count) : bracket != nil
            case .dots: !isWellFormed && (dot != nil || bracket != nil)
            case .json: dot != nil || bracket != nil
            }
        guard mayBeOther else { return nil }
        return OtherStyle(ends: [dot, bracket].compactMap { $0 }.filter { $0 > 0 }, isCertain: !isWellFormed)
    }

    /// The keys of a name; for `[]`, an empty key.
    func keys(of name: Span<UInt8>) -> [String] {
        var segments: ContiguousArray<Segment> = []
        split(name, into: &segments)
        return segments.map { segment in
            String(decoding: segment.key.map { name[$0] }, as: UTF8.self)
        }
    }

    /// Appends the segments of a name; returns false if it does not fit the grammar.
    ///
    /// `name = head *( bracketed / dotted )`
    private func append(_ name: Span<UInt8>, to segments: inout ContiguousArray<Segment>) -> Bool {
        let head = Self.endOfKey(name, from: 0, endsAtDot: usesDots)
        guard head > 0 else { return false }
        segments.append(Segment(key: 0..<head, end: head))
        var end = head
        while end < name.count {
            let segment: Segment?
            switch name[end] {
            case Self.open: segment = bracketed(name, at: end)
            case Self.dot where usesDots: segment = dotted(name, at: end)
            default: segment = nil
            }
            guard let segment else { return false }
            segments.append(segment)
            end = segment.end
        }
        return true
    }

    /// Reads the segment at an opening bracket, `bracketed = "[" key "]"`; nil if it is malformed.
    private func bracketed(_ name: Span<UInt8>, at bracket: Int) -> Segment? {
        let start = bracket + 1
        let end = Self.endOfKey(name, from: start, endsAtDot: false)
        guard end < name.count, name[end] == Self.close, mayBeInBrackets(name, start..<end) else { return nil }
        return Segment(key: start..<end, end: end + 1)
    }

    /// Reads the segment at a dot, `dotted = "." key`; nil if it is malformed.
    private func dotted(_ name: Span<UInt8>, at dot: Int) -> Segment? {
        let start = dot + 1
        let end = Self.endOfKey(name, from: start, endsAtDot: true)
        guard end > start else { return nil }
        return Segment(key: start..<end, end: end)
    }

    /// Whether brackets may hold a key: with dots, only an index or nothing.
    private func mayBeInBrackets(_ name: Span<UInt8>, _ key: Range<Int>) -> Bool {
        !usesDots || key.allSatisfy { ASCII.isDigit(name[$0]) }
    }

    /// The index of the first bracket at or after `start`, or of the first dot if `endsAtDot` and it is earlier; else
    /// the name's end.
    private static func endOfKey(_ name: Span<UInt8>, from start: Int, endsAtDot: Bool) -> Int {
        var index = start
        while index < name.count {
            let byte = name[index]
            if isBracket(byte) || (endsAtDot && byte == dot) { break }
            index += 1
        }
        return index
    }

    private static func isBracket(_ byte: UInt8) -> Bool { byte == open || byte == close }

    // From keys to names.

    /// Joins the name of a container with a key in it, or with the index of an element.
    func join(_ container: String, with key: String, isIndex: Bool = false) -> String {
        let hasDot = usesDots && !isIndex
        var name = container
        name.reserveCapacity(container.utf8.count + key.utf8.count + "[]".utf8.count)
        name += hasDot ? "." : "["
        name += key
        if !hasDot { name += "]" }
        return name
    }

    /// Whether a name can hold a key: `split` finds it again, and the name's header field keeps it.
    func canHold(_ key: String) -> Bool {
        var key = key
        // Reads the bytes in place. With the iterator of `key.utf8`, `coding encode` takes 2% more instructions.
        return key.withUTF8 { bytes in
            // SAFETY: the bytes are read inside the closure only.
            unsafe !bytes.isEmpty && bytes.allSatisfy { canHold($0) }
        }
    }

    private func canHold(_ byte: UInt8) -> Bool {
        switch byte {
        case ASCII.quote: false
        case Self.open, Self.close: style == .json
        case Self.dot: !usesDots
        default: !ASCII.isControl(byte)
        }
    }
}
