import MultipartForm

/// Gives each part's file a name of its own.
///
/// - Input: the names that parts ask for, which may say anything.
/// - Output: names of one path component, of at most 255 bytes, without control characters, that differ by more
///   than letter case or Unicode form, and never `manifest.json`.
/// - Cost: linear. Names that become equal when they are cut for a number share one count, which never goes back: each
///   turn of it passes over a name that was taken as it stands.
struct PartNames {
    /// The file that lists the parts.
    static let manifest = "manifest.json"

    /// The longest file name of the usual file systems, in bytes.
    private static let lengthLimit = 255

    /// The longest number with its hyphen, in bytes.
    private static let numberLength = 20

    private var taken: Set<String> = [Self.manifest]
    private var lastNumbers: [String: Int] = [:]

    /// The name a part asks for: its file name or else its field's name, made safe.
    static func wanted(by part: PartReport) -> String {
        [part.filename, part.name].lazy
            .compactMap { ContentDisposition(name: nil, filename: $0).safeFilename }
            .first ?? "part"
    }

    /// The next free form of a safe name: `a.txt`, `a-2.txt`, `a-3.txt`; a file may still stand there.
    mutating func next(for name: String) -> String {
        if taken.insert(Self.key(name)).inserted { return name }
        let (stem, pathExtension) = Self.split(name)
        let room = Self.lengthLimit - pathExtension.utf8.count
        let family = Self.key(Self.cut(stem, to: room - Self.numberLength) + pathExtension)
        var number = lastNumbers[family, default: 1]
        // Ends: each turn makes another name, and finitely many are taken.
        while true {
            number += 1
            let suffix = "-\(number)" + pathExtension
            let candidate = Self.cut(stem, to: Self.lengthLimit - suffix.utf8.count) + suffix
            guard taken.insert(Self.key(candidate)).inserted else { continue }
            lastNumbers[family] = number
            return candidate
        }
    }

    /// What two names have in common that a file system may take for the same: texts are equal by canonical
    /// equivalence, so only letter case is left to undo.
    private static func key(_ name: String) -> String {
        name.lowercased()
    }

    /// The name without its extension, and the extension with its dot; a very long one does not count.
    private static func split(_ name: String) -> (stem: String, pathExtension: String) {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex, name[dot...].utf8.count <= 32
        else { return (name, "") }
        return (String(name[..<dot]), String(name[dot...]))
    }

    /// The longest beginning of whole characters with at most `limit` bytes.
    private static func cut(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var end = text.startIndex
        for index in text.indices {
            let next = text.index(after: index)
            guard text[..<next].utf8.count <= limit else { break }
            end = next
        }
        return String(text[..<end])
    }
}
