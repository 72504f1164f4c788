/// The first keys of names that may be in another style than that of a form's ``NameTree``.
///
/// The decoder refuses to read keys or elements from such a key, so that no name is lost silently. For example, if the
/// style is `.brackets`, a type with an array under `items` would miss the name `items[0].id`.
///
/// - Input: for each such name, the text before its first dot and before its first bracket.
/// - Output: for a key of the root, the first part with such a name.
/// - Cost: linear in the bytes of the names.
struct NameHeads {
    private struct Head {
        var part: NameTree.Index
        /// Whether the part's name does not fit the grammar. A name that fits may have dots or brackets that belong to
        /// a key.
        var isCertain: Bool
    }

    private var heads: [ContiguousArray<UInt8>: Head] = [:]

    /// Adds the head of a part's name. The first name that does not fit the grammar, or else the first name, counts.
    mutating func insert(_ key: ArraySlice<UInt8>, of part: NameTree.Index, isCertain: Bool) {
        let new = Head(part: part, isCertain: isCertain)
        let head = heads[ContiguousArray(key), default: new]
        heads[ContiguousArray(key)] = isCertain && !head.isCertain ? new : head
    }

    /// Returns the part whose name may be in another style and begins with a key of the root. Returns nil if there is
    /// none.
    ///
    /// `isInTree` is true if the tree has something under the key. Names that fit the grammar then count for the keys
    /// that they have there.
    func part(_ key: some Collection<UInt8>, isInTree: Bool) -> NameTree.Index? {
        guard !heads.isEmpty, let head = heads[ContiguousArray(key)] else { return nil }
        return isInTree && !head.isCertain ? nil : head.part
    }
}
