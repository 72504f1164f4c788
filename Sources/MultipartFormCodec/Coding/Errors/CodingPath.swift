/// A coding path as a linked list: the last key, and the path of the parent. The path of the root is nil.
final class CodingPath {
    private let declaredKey: any CodingKey
    /// Whether the key belongs to a dictionary. `key` then escapes control characters, because a client may choose the
    /// text of a dictionary's key.
    private let isName: Bool
    /// The key as it appears in a name. Nil for the index of an array element.
    let spelling: String?
    let parent: CodingPath?

    init(_ key: any CodingKey, _ spelling: String?, in parent: CodingPath?, isName: Bool = false) {
        declaredKey = key
        self.isName = isName
        self.spelling = spelling
        self.parent = parent
    }

    convenience init(_ key: IndexKey, in parent: CodingPath?) {
        self.init(key, nil, in: parent)
    }

    var key: any CodingKey {
        isName ? TextKey(declaredKey.stringValue, intValue: declaredKey.intValue) : declaredKey
    }
}

extension CodingPath {
    /// The max depth of a value and of decoded JSON. A higher `maxDepth` option has no effect.
    ///
    /// Each level takes stack frames of the type, the standard library and the coder. A thread may have a stack of only
    /// 512 KiB. If a type tries several shapes, a level takes up to 4 KiB in an unoptimized build. In this case, 64
    /// levels take half of the stack. The other half is left for larger frames.
    static let maxDepth = 64
}

extension CodingPath? {
    /// The keys of the path, in order from the root.
    var keys: [any CodingKey] {
        var result: [any CodingKey] = []
        result.reserveCapacity(CodingPath.maxDepth / 4)
        var next = self
        while let step = next {
            result.append(step.key)
            next = step.parent
        }
        result.reverse()
        return result
    }

    /// Returns a coding path that begins at the root. `codingPath` is the path of an error that the type at this path
    /// has thrown.
    ///
    /// If `codingPath` does not begin with the keys of this path, the type has left them out. The method then puts them
    /// first.
    func absolute(_ codingPath: [any CodingKey]) -> [any CodingKey] {
        let keys = keys
        let isAbsolute =
            codingPath.count >= keys.count && zip(codingPath, keys).allSatisfy { $0.stringValue == $1.stringValue }
        return isAbsolute ? codingPath : keys + codingPath
    }

    /// Returns the name of the part at this path. Returns nil for the root.
    func name(_ grammar: NameGrammar) -> String? {
        var steps: [CodingPath] = []
        var next = self
        while let step = next {
            steps.append(step)
            next = step.parent
        }
        guard let head = steps.popLast() else { return nil }
        return steps.reversed().reduce(head.spelling ?? head.key.stringValue) { name, step in
            grammar.join(name, with: step.spelling ?? step.key.stringValue, isIndex: step.spelling == nil)
        }
    }
}

/// The key of an array element.
struct IndexKey: CodingKey {
    private let index: Int
    /// The digits of the index in a name. Nil if the index does not come from a name.
    private let digits: String?

    var stringValue: String { digits ?? String(index) }
    var intValue: Int? { index }

    init(_ index: Int) {
        self.index = index
        digits = nil
    }

    /// Creates the key of an array element from the digits of the index in a name. If the number does not fit in an
    /// `Int`, `intValue` is `position`.
    init(digits: String, position: Int) {
        index = Int(digits) ?? position
        self.digits = digits
    }

    init?(stringValue: String) {
        guard let index = Int(stringValue) else { return nil }
        self.init(index)
    }

    init?(intValue: Int) {
        self.init(intValue)
    }
}

/// A coding key that no type declares, such as a key in the name of an unknown part.
///
/// `stringValue` escapes control characters, because a client may have chosen the key, and printing an error prints the
/// key. The initializer does not escape them, because most errors are never printed: a type catches the error and tries
/// another shape.
struct TextKey: CodingKey {
    private let text: String
    let intValue: Int?

    var stringValue: String { text.escapingControls }

    init(_ text: String, intValue: Int? = nil) {
        self.text = text
        self.intValue = intValue
    }

    init?(stringValue: String) {
        self.init(stringValue)
    }

    init?(intValue: Int) {
        nil
    }
}

extension String {
    /// The text with an escape for each control character.
    fileprivate var escapingControls: String {
        guard utf8.contains(where: String.mayBeginControl) else { return self }
        return escaping { $0.properties.generalCategory == .control }
    }

    /// Whether a UTF-8 byte may begin a control character. Checking bytes first is about 50 times as fast as checking
    /// scalars.
    private static func mayBeginControl(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || byte == 0xC2
    }
}
