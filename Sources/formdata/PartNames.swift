/// Chooses a different file name for each part.
///
/// - Input: the safe file name that each part asks for. The names may repeat.
/// - Output: file names of one path component and at most 255 bytes, without control characters. No two names are
///   equal, even without regard to letter case and Unicode normalization, and none is `manifest.json`.
/// - Cost: linear. A counter for each name gives the number in `a-2.txt`. The counter only increases, so no number is
///   tried twice. Long names that become equal when they are shortened share a counter.
package struct PartNames {
    static let manifest = "manifest.json"

    private var taken: Set<String> = [Self.key(Self.manifest)]
    private var lastNumbers: [String: Int] = [:]

    package init() {}

    /// Returns the next free variant of a safe name, such as `a.txt`, `a-2.txt` or `a-3.txt`. A variant is free if it
    /// has not been returned before, even if a file with that name exists.
    package mutating func next(for name: String) -> String {
        if taken.insert(Self.key(name)).inserted { return name }
        // The text from the last dot on is an extension, unless it is the whole name or has more than 32 bytes.
        let dot = name.lastIndex(of: ".").flatMap { $0 > name.startIndex && name[$0...].utf8.count <= 32 ? $0 : nil }
        let (stem, pathExtension) = (name[..<(dot ?? name.endIndex)], name[(dot ?? name.endIndex)...])
        // Most file systems allow names of at most 255 bytes.
        let room = 255 - pathExtension.utf8.count
        // Leaves 20 bytes, which is enough for a hyphen and any `Int`.
        let family = Self.key(Self.cut(stem, to: room - 20) + pathExtension)
        // The loop ends, because each pass makes a new name, and only finitely many names are taken.
        while true {
            let number = lastNumbers[family, default: 1] + 1
            lastNumbers[family] = number
            let candidate = Self.cut(stem, to: room - "-\(number)".utf8.count) + "-\(number)" + pathExtension
            if taken.insert(Self.key(candidate)).inserted { return candidate }
        }
    }

    /// Returns a key that is equal for all names that a file system may treat as the same. Strings that differ only in
    /// Unicode normalization are already equal, so the key removes only letter case.
    ///
    /// Both mappings are necessary: `σ` and `ς` are equal only in uppercase, the Kelvin sign and `K` only in lowercase.
    private static func key(_ name: String) -> String { name.lowercased().uppercased() }

    /// Returns the longest prefix of `text` that has at most `limit` bytes and divides no character.
    private static func cut(_ text: Substring, to limit: Int) -> String {
        var text = text
        while text.utf8.count > limit { text.removeLast() }
        return String(text)
    }
}
