/// The place of a value in a value: its key, and the place of its container; nil is the root.
final class CodingPath {
    let key: any CodingKey
    /// The key as it stands in a name; nil for the index of an element.
    let text: String?
    let parent: CodingPath?
    /// How many keys the path has.
    let depth: Int

    init(_ key: any CodingKey, _ text: String?, in parent: CodingPath?) {
        self.key = key
        self.text = text
        self.parent = parent
        depth = parent.depth + 1
    }

    /// The place of an array's element.
    convenience init(_ key: IndexKey, in parent: CodingPath?) {
        self.init(key, nil, in: parent)
    }
}

extension CodingPath? {
    var depth: Int { self?.depth ?? 0 }

    /// The keys from the root on.
    var keys: [any CodingKey] {
        var result: [any CodingKey] = []
        var step = self
        while let current = step {
            result.append(current.key)
            step = current.parent
        }
        return result.reversed()
    }

    /// The name of a part at the place; nil at the root.
    func name(_ style: FormDataEncoder.KeyPathEncoding) -> String? {
        var steps: [CodingPath] = []
        var step = self
        while let current = step {
            steps.append(current)
            step = current.parent
        }
        guard let head = steps.popLast() else { return nil }
        return steps.reversed().reduce(head.text ?? head.key.stringValue) { name, step in
            style.name(step.text ?? step.key.stringValue, in: name, isIndex: step.text == nil)
        }
    }
}

/// The key of an array's element.
struct IndexKey: CodingKey {
    private let index: Int
    /// The index as it was sent.
    private let digits: String?

    var stringValue: String { digits ?? String(index) }
    var intValue: Int? { index }

    init(_ index: Int) {
        self.index = index
        digits = nil
    }

    /// An index that was sent; the number of one that does not fit is the element's position.
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

/// A key that no type has declared.
struct TextKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ text: String) {
        stringValue = text
    }

    init?(stringValue: String) {
        self.init(stringValue)
    }

    init?(intValue: Int) {
        nil
    }
}
