/// A linked coding path; nil is the root.
final class CodingPath {
    private let declaredKey: any CodingKey
    /// Whether the key is a dictionary's, and so a text that a peer has chosen.
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

extension CodingPath? {
    /// The keys from the root on.
    var keys: [any CodingKey] {
        var result: [any CodingKey] = []
        var next = self
        while let step = next {
            result.append(step.key)
            next = step.parent
        }
        return result.reversed()
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
            grammar.join(name, step.spelling ?? step.key.stringValue, isIndex: step.spelling == nil)
        }
    }
}
