/// Gives each part's file a name of its own.
///
/// - Input: the names that parts ask for, which may say anything.
/// - Output: names of one path component, of at most 255 bytes, without control characters, that differ by more
///   than letter case or Unicode form, and never `manifest.json`.
/// - Cost: linear. Names that become equal when they are cut for a number share one count, which never goes back.
package struct PartNames {
    static let manifest = "manifest.json"

    private var taken: Set<String> = [Self.manifest]
    private var lastNumbers: [String: Int] = [:]

    package init() {}

    /// Returns the next free variant of a safe name: `a.txt`, `a-2.txt`, `a-3.txt`. A file of that name may exist.
    package mutating func next(for name: String) -> String {
        if taken.insert(Self.key(name)).inserted { return name }
        // A very long extension does not count.
        let dot = name.lastIndex(of: ".").flatMap { $0 > name.startIndex && name[$0...].utf8.count <= 32 ? $0 : nil }
        let (stem, pathExtension) = (name[..<(dot ?? name.endIndex)], name[(dot ?? name.endIndex)...])
        // Most file systems allow names of at most 255 bytes.
        let room = 255 - pathExtension.utf8.count
        // Room for the longest number with its hyphen.
        let family = Self.key(Self.cut(stem, to: room - 20) + pathExtension)
        // Ends: each pass makes another name, and finitely many are taken.
        while true {
            let number = lastNumbers[family, default: 1] + 1
            lastNumbers[family] = number
            let candidate = Self.cut(stem, to: room - "-\(number)".utf8.count) + "-\(number)" + pathExtension
            if taken.insert(Self.key(candidate)).inserted { return candidate }
        }
    }

    /// The key of a name, equal for names that a file system may take for the same. Strings are compared by canonical
    /// equivalence, so only letter case has to be removed.
    private static func key(_ name: String) -> String { name.lowercased() }

    /// The longest beginning of whole characters with at most `limit` bytes.
    private static func cut(_ text: Substring, to limit: Int) -> String {
        var text = text
        while text.utf8.count > limit { text.removeLast() }
        return String(text)
    }
}
