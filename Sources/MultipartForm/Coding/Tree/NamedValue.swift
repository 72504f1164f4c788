/// What is to be decoded: a node of the tree of names with what is below it, a part, or nothing.
enum NamedValue: Hashable {
    case node(NameTree.Index)
    /// An element of an array that is a part by itself.
    case part(NameTree.Index)
    /// Nothing has the name.
    case absent
}
