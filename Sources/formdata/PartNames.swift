/// Chooses a different name for the file of each part.
///
/// - Input: the names that parts ask for, made safe as file names. They may repeat.
/// - Output: names of one path component, of at most 255 bytes, without control characters, that differ by more
///   than letter case or Unicode form, and never `manifest.json`.
/// - Cost: linear. Names that become equal when they are cut to make room for a number share one count. It only goes
///   up, so no number is tried twice.
package struct PartNames {
    static let manifest = "manifest.json"

    private var taken: Set<String> = [Self.manifest]
    private var lastNumbers: [String: Int] = [:]

    package init() {}

    /// Returns the next free variant of a safe name: `a.txt`, `a-2.txt`, `a-3.txt`. The names are not compared with
    /// existing files, so a file of that name may exist.
    package mutating func next(for name: String) -> String {
        if taken.insert(Self.key(name)).inserted { return name }
        // An extension of more than 32 bytes with its dot does not count as one.
        let dot = name.lastIndex(of: ".").flatMap { $0 > name.startIndex && name[$0...].utf8.count <= 32 ? $0 : nil }
        let (stem, pathExtension) = (name[..<(dot ?? name.endIndex)], name[(dot ?? name.endIndex)...])
        // Most file systems allow names of at most 255 bytes.
        let room = 255 - pathExtension.utf8.count
        // 20 bytes are enough for the longest number and its hyphen.
        let family = Self.key(Self.cut(stem, to: room - 20) + pathExtension)
        // The loop ends, because each pass makes another name, and only finitely many names are taken.
        while true {
            let number = lastNumbers[family, default: 1] + 1
            lastNumbers[family] = number
            let candidate = Self.cut(stem, to: room - "-\(number)".utf8.count) + "-\(number)" + pathExtension
            if taken.insert(Self.key(candidate)).inserted { return candidate }
        }
    }

    /// A key to compare names by. It is equal for names that a file system may treat as the same. Strings are compared
    /// by canonical equivalence, so only letter case has to be removed.
    private static func key(_ name: String) -> String { name.lowercased() }

    /// The longest prefix of `text` that has at most `limit` bytes and divides no character.
    private static func cut(_ text: Substring, to limit: Int) -> String {
        var text = text
        while text.utf8.count > limit { text.removeLast() }
        return String(text)
    }
}
