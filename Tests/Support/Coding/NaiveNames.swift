/// The names of a form as a tree, in the most obvious way.
package final class NaiveNames {
    private var values: [Int] = []
    private var appended: [Int] = []
    private var children: [(key: [UInt8], node: NaiveNames)] = []
    private var isAmbiguous = false
    /// Whether a name of another style belongs to the node.
    private var isMalformed = false

    private init() {}

    /// The tree of the names of parts, of which some are file inputs without a file.
    package init(_ names: [String], usesDots: Bool) {
        for (index, name) in names.enumerated() {
            let segments = Self.segments(of: Array(name.utf8), usesDots) ?? [Array(name.utf8)]
            insert(index, segments[...], isWhole: segments.count == 1)
        }
        for name in names { markOtherStyles(Array(name.utf8), usesDots) }
    }

    /// Marks the keys that a name may belong to in another style, if names of parts have these keys. So something is
    /// under them, and a name of this style marks none.
    private func markOtherStyles(_ name: [UInt8], _ usesDots: Bool) {
        guard Self.segments(of: name, usesDots) == nil else { return }
        let hasDot = name.contains(UInt8(ascii: ".")), hasBracket = name.contains(where: "[]".utf8.contains)
        guard hasBracket || (usesDots && hasDot) else { return }
        var keys: [[UInt8]] = []
        if hasDot { keys.append(Array(name.prefix { $0 != UInt8(ascii: ".") })) }
        if hasBracket { keys.append(Array(name.prefix { !"[]".utf8.contains($0) })) }
        for key in keys where !key.isEmpty { children.first { $0.key == key }?.node.isMalformed = true }
    }

    /// Whether a name has more combining marks in a row than any language.
    package static func hasTooManyMarks(_ name: String) -> Bool {
        let runs = name.unicodeScalars.split { $0.properties.canonicalCombiningClass.rawValue == 0 }
        return runs.contains { $0.count > 30 }
    }

    private func insert(_ index: Int, _ segments: ArraySlice<[UInt8]>, isWhole: Bool) {
        guard let key = segments.first else {
            values.append(index)
            return
        }
        if key.isEmpty, !isWhole {
            if segments.count == 1 { appended.append(index) } else { isAmbiguous = true }
            return
        }
        if !children.contains(where: { $0.key == key }) { children.append((key, NaiveNames())) }
        children.first { $0.key == key }?.node.insert(index, segments.dropFirst(), isWhole: false)
    }

    /// The keys of a name; nil if it has another form.
    static func segments(of name: [UInt8], _ usesDots: Bool) -> [[UInt8]]? {
        let special = usesDots ? Array("[].".utf8) : Array("[]".utf8)
        let head = Array(name.prefix { !special.contains($0) })
        guard !head.isEmpty, let rest = rest(Array(name.dropFirst(head.count)), usesDots) else { return nil }
        return [head] + rest
    }

    private static func rest(_ text: [UInt8], _ usesDots: Bool) -> [[UInt8]]? {
        guard let first = text.first else { return [] }
        let after = Array(text.dropFirst())
        if usesDots, first == UInt8(ascii: ".") {
            let key = Array(after.prefix { !"[].".utf8.contains($0) })
            guard !key.isEmpty, let rest = rest(Array(after.dropFirst(key.count)), usesDots) else { return nil }
            return [key] + rest
        }
        guard first == UInt8(ascii: "["), let end = after.firstIndex(of: UInt8(ascii: "]")) else { return nil }
        let key = Array(after[..<end])
        guard !key.contains(UInt8(ascii: "[")) else { return nil }
        if usesDots, !key.allSatisfy({ (48...57).contains($0) }) { return nil }
        guard let rest = rest(Array(after[(end + 1)...]), usesDots) else { return nil }
        return [key] + rest
    }

    /// The deepest of some names; a name of another form is one key.
    package static func depth(_ names: [String], usesDots: Bool) -> Int {
        names.map { segments(of: Array($0.utf8), usesDots)?.count ?? 1 }.max() ?? 0
    }

    /// Compares what types see with this tree.
    ///
    /// - Parameters:
    ///   - view: What they see.
    ///   - contents: The content of each part.
    ///   - isLeftOut: Whether a part is a file input without a file.
    /// - Throws: ``FuzzTarget/Failure``.
    func check(_ view: NodeView, _ contents: [String], _ isLeftOut: (Int) -> Bool) throws {
        let keys: Result<[String], NodeView.Refusal> =
            if isAmbiguous {
                .failure(.init("ambiguous-array"))
            } else if isMalformed {
                .failure(.init("malformed-name"))
            } else if values.isEmpty && appended.isEmpty {
                .success(children.map { String(decoding: $0.key, as: UTF8.self) })
            } else {
                .failure(.init(children.isEmpty ? "expected-keys" : "mixed-shapes"))
            }
        try require(
            keys.map { $0.map { Array($0.utf8) } } == view.keys.map { $0.map { Array($0.utf8) } },
            "keys differ"
        )
        let elements = elements(isLeftOut), value = value(contents)
        try require(view.elements == elements, "elements differ: \(view.elements), not \(elements)")
        try require(view.value == value, "values differ: \(view.value), not \(value)")
        guard case .success = keys else { return }
        let views = try view.children.get()
        try require(views.count == children.count, "children are missing")
        for (child, view) in zip(children, views) { try child.node.check(view, contents, isLeftOut) }
    }

    private func elements(_ isLeftOut: (Int) -> Bool) -> Result<Int, NodeView.Refusal> {
        guard !isAmbiguous else { return .failure(.init("ambiguous-array")) }
        guard !isMalformed else { return .failure(.init("malformed-name")) }
        let forms = [values.isEmpty, appended.isEmpty, children.isEmpty].count { !$0 }
        guard forms < 2 else { return .failure(.init("mixed-shapes")) }
        guard children.isEmpty else {
            let texts = children.map { String(decoding: $0.key, as: UTF8.self) }
            let isCanonical = texts.allSatisfy { text in
                !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) }
                    && (text == "0" || !text.hasPrefix("0"))
            }
            guard isCanonical else { return .failure(.init("expected-array")) }
            guard Set(texts) == Set(texts.indices.map(String.init)) else { return .failure(.init("sparse-array")) }
            return .success(children.count { !$0.node.isLeftOut(isLeftOut) })
        }
        return .success((values + appended).count { !isLeftOut($0) })
    }

    private func isLeftOut(_ isLeftOut: (Int) -> Bool) -> Bool {
        values.count == 1 && appended.isEmpty && children.isEmpty && !isAmbiguous && isLeftOut(values[0])
    }

    private func value(_ contents: [String]) -> Result<String, NodeView.Refusal> {
        guard !isAmbiguous else { return .failure(.init("ambiguous-array")) }
        guard appended.isEmpty, children.isEmpty else { return .failure(.init("expected-value")) }
        guard let first = values.first else { return .failure(.init("missing-value")) }
        return values.count == 1 ? .success(contents[first]) : .failure(.init("duplicate-name"))
    }
}
