/// A coding path as a linked list: its last key, and the path before that key. The path of the root is nil.
final class CodingPath {
    private let declaredKey: any CodingKey
    /// Whether the key is from a dictionary, so that a client has chosen its text.
    private let isName: Bool
    /// The key as it is spelt in a name; nil for the index of an element.
    let spelling: String?
    let parent: CodingPath?

    init(_ key: any CodingKey, _ spelling: String?, in parent: CodingPath?, isName: Bool = false) {
        declaredKey = key
        self.isName = isName
        self.spelling = spelling
        self.parent = parent
    }

    /// The path of an array's element.
    convenience init(_ key: IndexKey, in parent: CodingPath?) {
        self.init(key, nil, in: parent)
    }

    var key: any CodingKey {
        isName ? TextKey(declaredKey.stringValue, intValue: declaredKey.intValue) : declaredKey
    }
}

extension CodingPath {
    /// The maximum depth of a value, even if the option `maxDepth` is higher, and the maximum depth of JSON that is
    /// read.
    ///
    /// Each level has frames of the type, the standard library and the coder on the stack, and a thread may have a
    /// stack of 512 KiB. A level of a type that tries several shapes takes up to 4 KiB in an unoptimised build, so 64
    /// levels take half of such a stack. The other half is left for larger frames.
    static let maxDepth = 64
}

extension CodingPath? {
    /// The keys of the path, from the root on.
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

    /// The name of the path's part; nil at the root.
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

/// The key of an array's element.
struct IndexKey: CodingKey {
    private let index: Int
    /// The digits of the index as they were sent; nil if the index is not from a name.
    private let digits: String?

    var stringValue: String { digits ?? String(index) }
    var intValue: Int? { index }

    init(_ index: Int) {
        self.index = index
        digits = nil
    }

    /// Creates the key of an index that was sent as `digits`. If the number does not fit in an `Int`, `position`
    /// replaces it.
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

/// A key that no type has declared, from the name of a part.
///
/// Control characters are escaped, because printing an error prints its path, with keys that a client has chosen.
struct TextKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ text: String, intValue: Int? = nil) {
        stringValue = text.escapingControls
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

    /// Whether a byte of UTF-8 is a control character, or may begin one above ASCII. Looking at bytes first takes a
    /// fiftieth of the time that looking at scalars takes.
    private static func mayBeginControl(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || byte == 0xC2
    }
}
